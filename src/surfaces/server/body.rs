//! A body that is sent completely, or that breaks off because of a scenario.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

/// The rest of a body.
pub(super) struct Sent {
    left: Option<Bytes>,
    /// The length in the header.
    length: u64,
    breaks: bool,
    /// Whether hyper had the chance to send what comes before the break.
    has_yielded: bool,
}

impl Sent {
    pub(super) fn new(mut body: Bytes, cut_after: Option<usize>) -> Self {
        let length = body.len() as u64;
        let cut = cut_after.filter(|cut| *cut < body.len());
        body.truncate(cut.unwrap_or(body.len()));
        let left = Some(body).filter(|body| !body.is_empty());
        Self { left, length, breaks: cut.is_some(), has_yielded: false }
    }
}

impl Body for Sent {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if self.left.is_none() && self.breaks && !self.has_yielded {
            // After an error, hyper drops what it has not sent, even the head.
            self.has_yielded = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(match self.left.take() {
            Some(left) => Some(Ok(Frame::data(left))),
            None if self.breaks => Some(Err(io::Error::other("the scenario cuts the answer"))),
            None => None,
        })
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_none() && !self.breaks
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(if self.left.is_some() || self.breaks { self.length } else { 0 })
    }
}
