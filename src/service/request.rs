//! A request, as far as the service looks at it.

/// A request, as far as the service looks at it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request<'r> {
    pub method: &'r str,
    pub path: &'r str,
    /// Without the `?`. Empty for a path alone.
    pub query: &'r str,
    /// One for each header `Accept`.
    pub accept: Vec<&'r [u8]>,
    pub authorization: Option<&'r [u8]>,
    pub accept_encoding: Option<&'r str>,
    pub if_none_match: Option<&'r str>,
    /// The site that a browser asks for.
    pub origin: Option<&'r str>,
}

/// The addresses that the service listens on: the real service has them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Port {
    /// What clusters ask.
    Clients {
        /// Whether it also has the routes of `Status`.
        has_status: bool,
    },
    /// What the policy engine asks: the whole graph, and the data that it is made of.
    Raw,
    /// What Kubernetes and Prometheus ask.
    Status,
}
