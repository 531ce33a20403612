//! The update service: what it answers to each request. It knows neither sockets nor files.

mod archive;
mod cors;
mod metrics;
mod negotiation;
mod offer;
mod page;
mod parameters;
mod refusal;
mod rendered;
mod request;
mod response;
mod routes;
mod token;

pub(crate) use cors::Cors;
pub(crate) use metrics::Metrics;
pub(crate) use offer::{GraphFacts, Offer, OfferRequest};
pub(crate) use request::{Port, Request};
pub(crate) use response::{Delivery, Response};
pub(crate) use token::Token;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use bytes::Bytes;

use negotiation::MediaTypes;
use parameters::Parameters;
use refusal::Refusal;
use rendered::Rendered;
use routes::Route;

/// Answers requests. It is used by many threads at the same time.
#[derive(Debug)]
pub(crate) struct Service {
    access: Access,
    offer: RwLock<Arc<Offer>>,
    /// Why the newest state of the data is not offered. None if it is.
    problem: RwLock<Option<String>>,
    nothing: Rendered,
    pub(crate) metrics: Metrics,
}

/// Which clients and web pages get answers.
#[derive(Debug)]
pub(crate) struct Access {
    pub cors: Cors,
    /// The token that clients need. None if they need none.
    pub token: Option<Token>,
}

impl Access {
    fn allows(&self, request: &Request<'_>) -> bool {
        let Some(token) = &self.token else { return true };
        request.authorization.is_some_and(|shown| token.is_shown_in(shown))
    }
}

const OPENAPI: &str = include_str!("openapi.json");

impl Service {
    pub(crate) fn new(offer: Offer, access: Access, duration: Duration, now: i64) -> Self {
        let metrics = Metrics::default();
        metrics.count_load(offer.releases(), duration, now);
        Self {
            access,
            offer: RwLock::new(Arc::new(offer)),
            problem: RwLock::default(),
            nothing: offer::nothing(),
            metrics,
        }
    }

    /// Offers another state of the data from now on.
    pub(crate) fn replace(&self, offer: Offer, duration: Duration, now: i64) {
        self.metrics.count_load(offer.releases(), duration, now);
        let old = {
            let mut place = self.offer.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *place, Arc::new(offer))
        };
        // Freeing a graph takes time, so it happens after the new offer is in place.
        drop(old);
        *self.problem.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Keeps the current offer because the newest state of the data cannot be offered.
    pub(crate) fn keep(&self, problem: String) {
        self.metrics.count_failed_load();
        self.wait(problem);
    }

    /// Records why the newest state of the data is not offered yet.
    pub(crate) fn wait(&self, problem: String) {
        *self.problem.write().unwrap_or_else(PoisonError::into_inner) = Some(problem);
    }

    fn offer(&self) -> Arc<Offer> {
        Arc::clone(&self.offer.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn answer(&self, port: Port, request: &Request<'_>) -> Response {
        let Some(route) = Route::of(port, request.path) else { return Response::empty(404) };
        let response = match request.method {
            "GET" | "HEAD" if route.needs_token() && !self.access.allows(request) => {
                Refusal::Unauthorized.response().with("www-authenticate", "Bearer")
            }
            "GET" | "HEAD" => self.answer_route(route, request),
            // This is a preflight request, with which a browser asks for permission.
            "OPTIONS" if request.origin.is_some() && self.access.cors == Cors::Any => {
                let answer = Response::empty(200).with("access-control-allow-methods", "GET, HEAD");
                match &self.access.token {
                    Some(_) => answer.with("access-control-allow-headers", "authorization"),
                    None => answer,
                }
            }
            _ => Response::empty(405).with("allow", "GET, HEAD"),
        };
        let response = response.with("vary", "origin");
        match request.origin.filter(|_| self.access.cors == Cors::Any) {
            Some(origin) => response.with("access-control-allow-origin", origin),
            None => response,
        }
    }

    /// Whether the answer must first be drawn or rendered, which takes long.
    pub(crate) fn may_take_long(&self, port: Port, request: &Request<'_>) -> bool {
        match Route::of(port, request.path) {
            Some(Route::Page | Route::PageData) => true,
            Some(Route::RawGraph | Route::GraphData) => !self.offer().is_whole_rendered(),
            _ => false,
        }
    }

    fn answer_route(&self, route: Route<'_>, request: &Request<'_>) -> Response {
        let answer = match route {
            Route::Graph => self.graph(request),
            Route::RawGraph => self.raw_graph(request),
            Route::ChannelList => self.channel_list(request),
            Route::GraphData => self.graph_data(request),
            Route::OpenApi => Ok(Response::text(200, "application/json", OPENAPI)),
            Route::Page => {
                let offer = self.offer();
                Ok(offer.page.whole(|| offer.exploration(), request))
            }
            Route::PageData => {
                let offer = self.offer();
                Ok(offer.page.data(|| offer.exploration(), request))
            }
            Route::ChannelPage(name) => {
                let is_offered = self.offer().channel(name).is_some();
                Ok(page::channel(name, is_offered, request.query))
            }
            Route::Live => Ok(Response::empty(200)),
            Route::Ready => Ok(self.readiness()),
            Route::Metrics => {
                let content_type = "text/plain; version=0.0.4; charset=utf-8";
                Ok(Response::text(200, content_type, self.metrics.text()))
            }
        };
        answer.unwrap_or_else(|refusal| refusal.response())
    }

    fn graph(&self, request: &Request<'_>) -> Result<Response, Refusal> {
        self.metrics.count_request(request.path);
        let content_type = MediaTypes::Graph.negotiate(&request.accept)?;
        let parameters = Parameters::read(request.query)?;
        let started = Instant::now();
        let offer = self.offer();
        let channel = offer.channel(&parameters.channel);
        let Some(answer) = channel.and_then(|channel| channel.answer(&parameters.arch)) else {
            self.metrics.observe_answer(started.elapsed());
            return Ok(self.nothing.response(request, content_type));
        };
        let mut response = answer.graph.response(request, content_type);
        let misbehavior = answer.misbehavior;
        if misbehavior.changes_answer() {
            // The made-up answer is the same for all clients, so compression and tags do not
            // matter.
            let plain = Bytes::copy_from_slice(answer.graph.plain());
            let body = misbehavior.body.map_or(plain, |body| Bytes::from(body.to_owned()));
            let content_type = misbehavior.content_type.unwrap_or(content_type);
            response = Response::text(misbehavior.status.unwrap_or(200), content_type, body);
        }
        response.delivery = Delivery { delay: misbehavior.delay, cut_after: misbehavior.cut_after };
        self.metrics.observe_answer(started.elapsed() + misbehavior.delay);
        Ok(response)
    }

    fn raw_graph(&self, request: &Request<'_>) -> Result<Response, Refusal> {
        self.metrics.count_raw_request();
        let content_type = MediaTypes::RawGraph.negotiate(&request.accept)?;
        let offer = self.offer();
        let raw = offer.raw().map(|raw| raw.response(request, content_type));
        Ok(raw.unwrap_or_else(|| Response::empty(404)))
    }

    fn channel_list(&self, request: &Request<'_>) -> Result<Response, Refusal> {
        let content_type = MediaTypes::Channels.negotiate(&request.accept)?;
        Ok(self.offer().channel_list.response(request, content_type))
    }

    fn graph_data(&self, request: &Request<'_>) -> Result<Response, Refusal> {
        let offer = self.offer();
        let Some(archive) = offer.archive() else { return Ok(Response::empty(404)) };
        Ok(archive?.response(request, "application/gzip"))
    }

    /// Reports whether the service is ready. It is ready even with a problem: it still has a graph,
    /// although not the newest.
    fn readiness(&self) -> Response {
        let problem = self.problem.read().unwrap_or_else(PoisonError::into_inner);
        match &*problem {
            None => Response::empty(200),
            Some(problem) => {
                let text = format!("an older graph is served: {problem}\n");
                Response::text(200, "text/plain; charset=utf-8", text)
            }
        }
    }
}
