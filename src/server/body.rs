//! A body that is sent whole, or breaks off as a scenario wants it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

/// What is left of a body.
pub(super) struct Sent {
    left: Option<Bytes>,
    /// What the header says.
    length: u64,
    /// Some: the connection breaks once this time is over.
    breaks: Option<Pin<Box<Sleep>>>,
}

/// Before the connection breaks, what precedes has to be on its way.
const BREAKS_AFTER: Duration = Duration::from_millis(50);

impl Sent {
    pub(super) fn new(mut body: Bytes, cut_after: Option<usize>) -> Self {
        let length = body.len() as u64;
        let cut = cut_after.filter(|cut| *cut < body.len());
        body.truncate(cut.unwrap_or(body.len()));
        let left = Some(body).filter(|body| !body.is_empty());
        Self { left, length, breaks: cut.map(|_| Box::pin(sleep(BREAKS_AFTER))) }
    }
}

impl Body for Sent {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if let Some(left) = self.left.take() {
            return Poll::Ready(Some(Ok(Frame::data(left))));
        }
        let Some(breaks) = &mut self.breaks else { return Poll::Ready(None) };
        ready!(breaks.as_mut().poll(context));
        Poll::Ready(Some(Err(io::Error::other("the scenario cuts the answer"))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_none() && self.breaks.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(if self.is_end_stream() { 0 } else { self.length })
    }
}
