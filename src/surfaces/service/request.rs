//! The parts of a request that the service looks at.

/// The parts of a request that the service looks at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request<'r> {
    pub method: &'r str,
    pub path: &'r str,
    /// The query, without the `?`. Empty if there is none.
    pub query: &'r str,
    /// The values of all `Accept` headers.
    pub accept: Vec<&'r [u8]>,
    pub authorization: Option<&'r [u8]>,
    pub accept_encoding: Option<&'r str>,
    pub if_none_match: Option<&'r str>,
    /// The site of the web page from which a browser sends the request.
    pub origin: Option<&'r str>,
}

/// The ports that the service listens on, which are separate as in the real service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Port {
    /// The port for clusters.
    Clients {
        /// Whether it also has the routes of `Status`.
        has_status: bool,
    },
    /// The port for the policy engine: the whole graph, and the data from which it is made.
    Raw,
    /// The port for Kubernetes and Prometheus.
    Status,
}
