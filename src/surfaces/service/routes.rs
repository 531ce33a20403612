//! Maps paths to answers.

use crate::http::API;

use super::request::Port;

/// What a path stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route<'p> {
    /// The page for people.
    Page,
    /// What the page asks for.
    PageData,
    /// A channel of the page, by its name.
    ChannelPage(&'p str),
    Graph,
    ChannelList,
    OpenApi,
    GraphData,
    RawGraph,
    Live,
    Ready,
    Metrics,
}

impl<'p> Route<'p> {
    /// None if there is nothing at this path.
    pub(super) fn of(port: Port, path: &'p str) -> Option<Self> {
        let of_api = path.strip_prefix(API);
        match (port, of_api) {
            (Port::Clients { has_status }, None) => match path {
                "/" => Some(Self::Page),
                "/explorer-data" => Some(Self::PageData),
                "/graph-data" => Some(Self::GraphData),
                "/openapi" => Some(Self::OpenApi),
                _ => path
                    .strip_prefix("/channels/")
                    .filter(|name| !name.is_empty() && !name.contains('/'))
                    .map(Self::ChannelPage)
                    .or_else(|| if has_status { Self::of_status(path) } else { None }),
            },
            (Port::Clients { .. }, Some(rest)) => match rest {
                "/graph" | "/v1/graph" => Some(Self::Graph),
                "/channels" => Some(Self::ChannelList),
                "/openapi" | "/v1/openapi" => Some(Self::OpenApi),
                "/graph-data" => Some(Self::GraphData),
                _ => None,
            },
            (Port::Raw, rest) => match rest.unwrap_or(path) {
                "/graph" | "/v1/graph" => Some(Self::RawGraph),
                "/graph-data" => Some(Self::GraphData),
                _ => None,
            },
            (Port::Status, _) => Self::of_status(path),
        }
    }

    /// Whether clients need the token here, if there is one. Kubernetes and Prometheus do not send
    /// it.
    pub(super) fn needs_token(self) -> bool {
        !matches!(self, Self::Live | Self::Ready | Self::Metrics)
    }

    fn of_status(path: &str) -> Option<Self> {
        match path {
            "/livez" => Some(Self::Live),
            "/readyz" => Some(Self::Ready),
            "/metrics" => Some(Self::Metrics),
            _ => None,
        }
    }
}
