//! Asks an update service for its channels, as the operator of a cluster does.

use std::path::Path;
use std::time::Duration;

use crate::cluster::{Refusal, get_failed, unexpected_status};
use crate::http::{Client, ClientRequest, GetError, ServerKind, api_url};
use crate::text::Failure;

use super::{ChannelList, MEDIA_TYPE};

/// The largest answer, in bytes.
const MOST: u64 = 4 << 20;

/// Which update service to ask, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServiceRequest<'a> {
    pub url: &'a str,
    pub token_file: Option<&'a Path>,
    pub ca: Option<&'a Path>,
    /// How long the answer can take.
    pub limit: Duration,
}

/// What a service answers to a question for its channels.
#[derive(Debug)]
pub(crate) struct Fetched {
    /// The list. The error is what the operator makes of the failure.
    pub list: Result<ChannelList, Refusal>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Asks for the channels. The error says why nothing can be asked.
pub(crate) fn fetch(request: &ServiceRequest<'_>) -> Result<Fetched, Failure> {
    let ServiceRequest { url, token_file, ca, limit } = *request;
    let kind = ServerKind::UPDATE_SERVICE;
    let (client, mut notes) =
        Client::open(&ClientRequest { url, kind, token_file, ca, limit, most: MOST })?;
    let list = list(&client, &mut notes);
    Ok(Fetched { list, notes })
}

fn list(client: &Client, notes: &mut Vec<String>) -> Result<ChannelList, Refusal> {
    let url = api_url(client.url(), "/channels");
    let answer = match client.get(&url, Some(MEDIA_TYPE)) {
        Ok(answer) => answer,
        Err(GetError::TooLarge(words)) => {
            return Err(Refusal::of_channels("ResponseInvalid", words));
        }
        Err(GetError::NoAnswer(words)) => {
            return Err(Refusal::of_channels("RemoteFailed", get_failed(&url, &words)));
        }
    };
    if let (300..400, Some(to)) = (answer.status, &answer.location) {
        notes.push(format!("{} redirects to {to}: exitpath does not follow", client.host()));
    }
    if answer.status != 200 {
        return Err(Refusal::of_channels("ResponseFailed", unexpected_status(answer.status)));
    }
    ChannelList::parse(&String::from_utf8_lossy(&answer.body))
        .map_err(|words| Refusal::of_channels("ResponseInvalid", words))
}
