//! Answers one request, and writes its line in the log.

use std::fmt::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use hyper::body::Incoming;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH,
    ORIGIN,
};
use hyper::{Method, Request, Response, StatusCode};

use crate::metrics::now;
use crate::service::{self, Port, Service};

use super::body::Sent;
use super::log::Log;

/// The most characters of an address in the log.
const LONGEST_ADDRESS: usize = 1000;

/// What all requests of a connection have in common.
#[derive(Clone)]
pub(super) struct Answering {
    pub(super) service: Arc<Service>,
    pub(super) port: Port,
    pub(super) client: SocketAddr,
    pub(super) log: Log,
    /// Whether the client has sent a part of a request that is not answered yet.
    pub(super) is_asking: Arc<AtomicBool>,
}

impl Answering {
    pub(super) async fn answer(self, request: Request<Incoming>) -> Response<Sent> {
        let started = Instant::now();
        self.is_asking.store(false, Ordering::Relaxed);
        let asked = read(&request);
        let answer = if self.service.may_take_long(self.port, &asked) {
            // Other tasks move to other threads in the meantime.
            tokio::task::block_in_place(|| self.service.answer(self.port, &asked))
        } else {
            self.service.answer(self.port, &asked)
        };
        if !answer.delivery.delay.is_zero() {
            tokio::time::sleep(answer.delivery.delay).await;
        }
        self.log_request(&request, &answer, started);
        response(answer)
    }

    fn log_request(&self, request: &Request<Incoming>, answer: &service::Response, since: Instant) {
        let address: String = request.uri().to_string().chars().take(LONGEST_ADDRESS).collect();
        let mut line = format!("{} {} {address}", self.client.ip(), request.method());
        let milliseconds = since.elapsed().as_secs_f64() * 1000.0;
        let _ = write!(line, " {} {} bytes {milliseconds:.1} ms", answer.status, answer.body.len());
        let cut = answer.delivery.cut_after.filter(|cut| *cut < answer.body.len());
        if let Some(cut) = cut.filter(|_| request.method() != Method::HEAD) {
            let _ = write!(line, ", cut after {cut} bytes");
        }
        self.log.request(now(), &line);
    }
}

fn read(request: &Request<Incoming>) -> service::Request<'_> {
    let headers = request.headers();
    service::Request {
        method: request.method().as_str(),
        path: request.uri().path(),
        query: request.uri().query().unwrap_or_default(),
        accept: headers.get_all(ACCEPT).iter().map(HeaderValue::as_bytes).collect(),
        authorization: headers.get(AUTHORIZATION).map(HeaderValue::as_bytes),
        accept_encoding: text(headers, ACCEPT_ENCODING),
        if_none_match: text(headers, IF_NONE_MATCH),
        origin: text(headers, ORIGIN),
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn response(answer: service::Response) -> Response<Sent> {
    let mut response = Response::new(Sent::new(answer.body, answer.delivery.cut_after));
    let status = StatusCode::from_u16(answer.status);
    *response.status_mut() = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in answer.headers {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().append(HeaderName::from_static(name), value);
        }
    }
    response
}
