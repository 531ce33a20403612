//! Where the answers come from: a running service, or files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::compare::{TheirAnswer, read};
use crate::domain::{Arch, Named};
use crate::graph::UpdateGraph;
use crate::graph::cincinnati::MAX_GRAPH;
use crate::http::{Client, ClientRequest, GetError, ServerKind, api_url};
use crate::session::Note;
use crate::text::Failure;
use crate::tree;

use super::super::compare_args::CompareArgs;

/// Where the answers come from.
pub(super) enum Answers {
    Service(Client),
    Files(BTreeMap<Wanted, PathBuf>),
}

/// An answer to compare.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wanted {
    pub(super) channel: String,
    pub(super) arch: Arch,
}

/// Why there is no answer.
pub(super) struct NoAnswer {
    pub(super) why: String,
    /// Whether the other answers will be missing, too.
    pub(super) is_final: bool,
}

impl Answers {
    /// Also returns notes for the user.
    pub(super) fn of(args: &CompareArgs) -> Result<(Self, Vec<Note>), Failure> {
        if let Some(folder) = &args.answers {
            return Ok((Self::Files(files(folder)?), Vec::new()));
        }
        let request = ClientRequest {
            url: args.service.as_deref().unwrap_or_default(),
            kind: ServerKind::UPDATE_SERVICE,
            token_file: args.access.token_file(),
            ca: args.access.ca(),
            limit: args.access.limit(),
            most: MAX_GRAPH,
        };
        let (client, notes) = Client::open(&request)?;
        let note = |text: String| Note { text, is_important: true };
        Ok((Self::Service(client), notes.into_iter().map(note).collect()))
    }

    /// The architectures of the answers.
    pub(super) fn architectures(&self, args: &CompareArgs) -> Vec<Arch> {
        let mut architectures = match self {
            Self::Files(files) if args.arch.is_empty() => {
                files.keys().map(|wanted| wanted.arch).collect()
            }
            _ if args.arch.is_empty() => vec![Arch::default()],
            _ => args.arch.clone(),
        };
        architectures.sort_unstable();
        architectures.dedup();
        architectures
    }

    /// The answers to compare.
    pub(super) fn wanted(
        &self,
        args: &CompareArgs,
        graph: &UpdateGraph,
    ) -> Result<Vec<Wanted>, Failure> {
        let is_asked = |name: &String| args.channel.is_empty() || args.channel.contains(name);
        let is_unknown = |name: &&String| !graph.channels.iter().any(|known| known == *name);
        match self {
            Self::Files(files) => {
                let of_arch = |arch: Arch| args.arch.is_empty() || args.arch.contains(&arch);
                let wanted = files.keys();
                let wanted =
                    wanted.filter(|wanted| is_asked(&wanted.channel) && of_arch(wanted.arch));
                Ok(wanted.cloned().collect())
            }
            Self::Service(_) => {
                if let Some(unknown) = args.channel.iter().find(is_unknown) {
                    let names = graph.channels.iter().map(String::as_str);
                    return Err(Failure::unknown_channel(unknown, names));
                }
                let channels = graph.channels.iter().filter(|name| is_asked(name));
                let wanted = channels.flat_map(|channel| {
                    let of = |arch| Wanted { channel: channel.clone(), arch };
                    self.architectures(args).into_iter().map(of)
                });
                Ok(wanted.collect())
            }
        }
    }

    /// The answer, or the reason that it is missing.
    pub(super) fn answer(&self, wanted: &Wanted) -> Result<TheirAnswer, NoAnswer> {
        let Wanted { channel, arch } = wanted;
        let text = match self {
            Self::Files(files) => {
                let path = files.get(wanted).ok_or_else(|| NoAnswer::bad("there is no file"))?;
                let text = tree::read_text_up_to(path, MAX_GRAPH)
                    .map_err(|why| NoAnswer::bad(why.to_string()))?;
                text.ok_or_else(|| NoAnswer::bad("there is no file"))?
            }
            Self::Service(client) => {
                let url =
                    format!("{}?arch={arch}&channel={channel}", api_url(client.url(), "/v1/graph"));
                let answer = client.get(&url, Some("application/json"));
                let answer = answer.map_err(|error| match error {
                    GetError::NoAnswer(why) => NoAnswer { why, is_final: true },
                    GetError::TooLarge(why) => NoAnswer::bad(why),
                })?;
                if answer.status != 200 {
                    let status = answer.status;
                    return Err(NoAnswer::bad(format!("the service answers with status {status}")));
                }
                String::from_utf8_lossy(&answer.body).into_owned()
            }
        };
        read(&text, channel, *arch).map_err(|failure| NoAnswer::bad(failure.to_string()))
    }
}

impl NoAnswer {
    fn bad(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_final: false }
    }
}

/// The answers in a folder, by their names.
fn files(folder: &Path) -> Result<BTreeMap<Wanted, PathBuf>, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(format!("cannot read the folder {}: {error}", folder.display()))
    };
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some(wanted) = name.strip_suffix(".json").map(wanted) else { continue };
        let (channel, arch) = (wanted.channel.clone(), wanted.arch);
        if found.insert(wanted, path).is_some() {
            let what = format!("{} has two answers", folder.display());
            return Err(Failure::new(format!("{what} for {channel} on {arch}")));
        }
    }
    if found.is_empty() {
        let what = format!("{} has no answers", folder.display());
        return Err(Failure::new(what).hint("an answer is in a file such as `stable-4.18.json`"));
    }
    Ok(found)
}

/// `stable-4.18`, or with an architecture `stable-4.18.arm64`, `stable-4.18-arm64`, or
/// `stable-4.18_arm64`.
fn wanted(stem: &str) -> Wanted {
    let with_arch = stem.rsplit_once(['.', '-', '_']);
    let with_arch = with_arch.and_then(|(channel, arch)| Some((channel, Arch::named(arch)?)));
    let (channel, arch) = with_arch.unwrap_or((stem, Arch::default()));
    Wanted { channel: channel.to_owned(), arch }
}
