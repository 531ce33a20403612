//! Where the graph comes from, and how it is read again.

use std::path::{Path, PathBuf};

use crate::domain::Architectures;
use crate::graph_data::Consumer;
use crate::scenario::{self, Scenario, built_in};
use crate::service::{GraphFacts, Offer, OfferRequest};
use crate::session::{KnownGraph, LastReading, Note, Session};
use crate::text::{Failure, printable};
use crate::tree::{self, Checkout};

use super::super::serve_args::ServeArgs;
use super::size::Size;

/// Where the graph comes from.
#[derive(Debug)]
pub(super) enum Source {
    Repository { args: Box<ServeArgs>, root: PathBuf, last: Box<LastReading> },
    GraphFile { args: Box<ServeArgs>, file: PathBuf },
    Scenario { name: String, seed: Option<u64> },
}

/// A state of the source.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) offer: Offer,
    pub(super) notes: Vec<Note>,
    /// The files that the update service would not load, each in a line.
    pub(super) refused: Vec<String>,
    pub(super) size: Size,
}

impl Source {
    pub(super) fn of(args: &ServeArgs) -> Result<Self, Failure> {
        if let Some(name) = &args.scenario {
            return Ok(Self::Scenario { name: name.clone(), seed: args.seed });
        }
        if let Some(file) = &args.source.graph {
            return Ok(Self::GraphFile { file: file.clone(), args: Box::new(args.clone()) });
        }
        let revision = args.source.rev.as_deref();
        let paths: Vec<PathBuf> = args.path.iter().cloned().collect();
        let session = Session::open(args.source.repo.as_deref(), &paths, revision)?;
        let (args, root) = (Box::new(args.clone()), session.repository.root);
        Ok(Self::Repository { args, root, last: Box::default() })
    }

    /// Reads the source as it is now.
    pub(super) fn load(&self) -> Result<Loaded, Failure> {
        match self {
            Self::Scenario { name, seed } => {
                let offer = Offer::of_scenario(read_scenario(name, *seed)?, self.in_words());
                let (notes, refused, size) = (Vec::new(), Vec::new(), Size::default());
                Ok(Loaded { offer, notes, refused, size })
            }
            Self::GraphFile { args, .. } => {
                let known = args.source.read(None, architectures(args), CONSUMER, true)?;
                Ok(Self::loaded(known, None))
            }
            Self::Repository { args, root, last } => {
                let (source, last) = (&args.source, Some(&**last));
                let folder = source.repo.is_none().then_some(root.as_path());
                let known = source.read_repository(folder, architectures(args), CONSUMER, last)?;
                let mut loaded = Self::loaded(known, license(root, args.source.rev.as_deref()));
                // A revision is always whole.
                if args.source.rev.is_some() {
                    loaded.size = Size::default();
                }
                Ok(loaded)
            }
        }
    }

    fn loaded(mut known: KnownGraph, license: Option<Vec<u8>>) -> Loaded {
        let mut notes = std::mem::take(&mut known.notes);
        if known.graph.name_images() {
            let text = "the images of some releases are not known, and get their usual names: \
                        clusters can read these answers, but cannot apply the updates";
            notes.push(Note { text: text.into(), is_important: true });
        }
        let source = known.provenance.in_words();
        let (from, gaps) = (printable(&source), known.provenance.gaps());
        let warnings = known.provenance.notes.iter().map(|note| printable(note).into_owned());
        let texts = warnings.chain([format!("updates are from {from}{gaps}")]);
        notes.extend(texts.map(|text| Note { text, is_important: false }));
        let channel_list = known.channel_list();
        let refused = std::mem::take(&mut known.not_loaded);
        let KnownGraph { graph, channel, data, supported, ages, provenance, .. } = known;
        let facts = GraphFacts { supported, ages, provenance };
        let size = data.as_ref().map(Size::of).unwrap_or_default();
        let request = OfferRequest { graph, channel, channel_list, data, license, facts };
        Loaded { offer: Offer::of_graph(request), notes, refused, size }
    }

    /// The folders and files of which a change matters.
    pub(super) fn watched(&self) -> Vec<PathBuf> {
        match self {
            Self::Scenario { name, .. } if is_file(name) => vec![PathBuf::from(name)],
            Self::Scenario { .. } => Vec::new(),
            Self::GraphFile { file, .. } => vec![file.clone()],
            Self::Repository { args, .. } if args.source.rev.is_some() => Vec::new(),
            Self::Repository { args, root, .. } => {
                let folders = WATCHED.iter().map(|path| root.join(path));
                let named = args.source.releases.files().chain(&args.source.what_if.add);
                folders.chain(named.cloned()).collect()
            }
        }
    }

    /// What git does to the work tree that the graph depends on.
    pub(super) fn checkout(&self) -> Option<Checkout> {
        match self {
            Self::Repository { args, root, .. } if args.source.rev.is_none() => Checkout::of(root),
            _ => None,
        }
    }

    /// The commit that the graph depends on, if it depends on one.
    pub(super) fn commit(&self) -> Option<String> {
        let Self::Repository { args, root, .. } = self else { return None };
        tree::commit(root, args.source.rev.as_deref().unwrap_or("HEAD")).ok()
    }

    fn in_words(&self) -> String {
        match self {
            Self::Scenario { name, .. } => format!("the scenario `{}`", printable(name)),
            Self::GraphFile { file, .. } => file.display().to_string(),
            Self::Repository { root, .. } => root.display().to_string(),
        }
    }
}

const CONSUMER: Consumer = Consumer::Schema1_1;

const WATCHED: [&str; 8] = [
    "blocked-edges",
    "build-suggestions",
    "channels",
    "internal-channels",
    "raw",
    "version",
    "exitpath.toml",
    "LICENSE",
];

fn architectures(args: &ServeArgs) -> Architectures<'static> {
    Architectures::all_with(args.arch.unwrap_or_default())
}

fn license(root: &Path, revision: Option<&str>) -> Option<Vec<u8>> {
    let wanted = tree::WantedPaths { folders: &[], files: &["LICENSE"] };
    let blobs = match revision {
        Some(revision) => tree::read_revision(root, revision, wanted),
        None => tree::read_folder(root, wanted),
    };
    blobs.ok()?.pop()?.content.ok()
}

/// Whether a scenario is a file. A built-in one has neither a folder nor an extension.
fn is_file(name: &str) -> bool {
    name.contains(['/', '\\', '.'])
}

fn read_scenario(name: &str, seed: Option<u64>) -> Result<Scenario, Failure> {
    if !is_file(name) {
        return built_in(name, seed);
    }
    let text = tree::read_text_up_to(Path::new(name), scenario::LARGEST)
        .map_err(|why| why.at(format!("cannot read {name}")))?
        .ok_or_else(|| Failure::new(format!("there is no file {name}")))?;
    Scenario::read(&text, seed).map_err(|failure| {
        let failure = failure.at(format!("{name} is not a scenario"));
        failure.or_hint("`docs/serve.md` describes scenarios")
    })
}
