//! Asks a server.

use ureq::Agent;
use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig};

use crate::text::Failure;

use super::address::Address;
use super::token::token;
use super::{ClientRequest, GetError, HttpAnswer, access, words};

/// A server to ask.
pub(crate) struct Client {
    address: Address,
    /// The value of the header `Authorization`.
    authorization: Option<String>,
    agent: Agent,
    limit: std::time::Duration,
    most: u64,
}

// The token must not appear in messages.
impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Client {
    /// Prepares the client. Also returns notes for the user. Sends nothing yet.
    pub(crate) fn open(request: &ClientRequest<'_>) -> Result<(Self, Vec<String>), Failure> {
        let address = Address::parse(request.url, request.kind)?;
        let mut notes = Vec::new();
        let authorization = match request.token_file {
            Some(_) if !address.is_private() => {
                let to = format!("http://{}", address.host);
                return Err(Failure::new(format!(
                    "the token is not sent to {to}: everybody in between could read it"
                ))
                .hint("use a URL that starts with https://"));
            }
            Some(file) => Some(format!("Bearer {}", token(file, &mut notes)?)),
            None => None,
        };
        let mut tls = TlsConfig::builder();
        if let Some(file) = request.ca {
            tls = tls.root_certs(RootCerts::new_with_certs(&access::authorities(file)?));
        }
        let config = Agent::config_builder()
            .timeout_global(Some(request.limit))
            .tls_config(tls.build())
            .http_status_as_error(false)
            // A redirect could lead the token elsewhere.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("exitpath/", env!("CARGO_PKG_VERSION")));
        // A server on this machine is not asked through a proxy elsewhere.
        let config = if address.is_loopback() { config.proxy(None) } else { config };
        let agent = config.build().new_agent();
        let (limit, most) = (request.limit, request.most);
        Ok((Self { address, authorization, agent, limit, most }, notes))
    }

    /// The host, with the port if the address has one.
    pub(crate) fn host(&self) -> &str {
        &self.address.host
    }

    /// The address, without a slash at the end.
    pub(crate) fn url(&self) -> &str {
        &self.address.url
    }

    /// Asks for a URL on this server.
    pub(crate) fn get(&self, url: &str, accept: Option<&str>) -> Result<HttpAnswer, GetError> {
        let mut request = self.agent.get(url);
        if let Some(authorization) = &self.authorization {
            request = request.header("Authorization", authorization);
        }
        if let Some(accept) = accept {
            request = request.header("Accept", accept);
        }
        let failed = |error| words::failure(self.host(), self.limit, self.most, &error);
        let mut response = request.call().map_err(failed)?;
        let body = response.body_mut().with_config().limit(self.most).read_to_vec();
        let (body, location) = (body.map_err(failed)?, location(&response));
        Ok(HttpAnswer { status: response.status().as_u16(), body, location })
    }
}

fn location<T>(response: &Response<T>) -> Option<String> {
    let location = response.headers().get("location")?.to_str().ok()?;
    Some(location.chars().take(200).collect())
}
