//! Reads all that a check of a repository needs. It prints nothing, so that the command line and an
//! editor check in the same way.

use std::sync::Arc;

use crate::graph_data::GraphData;
use crate::lint::{Request, Selection};
use crate::metrics::ServerRequest;
use crate::rules::{Outlook, Rule};
use crate::text::Failure;
use crate::tree::Blob;

use super::server_answers::server_answers;
use super::{
    Base, BaseRequest, Linter, LoadedRepository, Note, ReadRequest, RuleGraphs, Session, Settings,
    SourcesRequest, UpdateSources,
};

/// What to check.
#[derive(Debug)]
pub(crate) struct CheckQuestion<'q> {
    /// None for the work tree.
    pub revision: Option<&'q str>,
    /// The check is about what changed since the merge base with this revision.
    pub base: Option<&'q str>,
    pub settings: Settings,
    pub selection: Selection,
    pub builds_graph: bool,
    pub releases: SourcesRequest<'q>,
    /// The server to ask about the queries.
    pub server: Option<ServerRequest<'q>>,
    /// Whether to keep the unparsed files, for fixes.
    pub keeps_files: bool,
}

/// A check that needs nothing more from files, git, or servers but the repository itself.
#[derive(Debug)]
pub(crate) struct PreparedCheck {
    pub session: Session,
    pub request: Request,
    pub base: Option<Base>,
    sources: Option<Arc<UpdateSources>>,
}

/// The repository that is checked. Fixes change it.
#[derive(Debug)]
pub(crate) struct CheckedFiles {
    pub data: GraphData,
    /// The unparsed files. Empty unless requested.
    pub files: Vec<Blob>,
}

impl Session {
    /// Reads what the question needs. `notes` gets what was noticed until then, even if it fails.
    pub(crate) fn prepare(
        mut self,
        question: CheckQuestion<'_>,
        notes: &mut Vec<Note>,
    ) -> Result<(PreparedCheck, CheckedFiles), Failure> {
        let CheckQuestion { settings, selection, .. } = question;
        self.config = settings.config.clone();
        let takes = |is_one: fn(&Rule) -> bool| selection.takes_any(is_one);
        let looks_at_updates = question.builds_graph && takes(Rule::looks_at_updates);
        let mut read = self.read(&ReadRequest {
            revision: question.revision,
            base: question.base.map(|revision| BaseRequest { revision, is_merge_base: true }),
            sources: looks_at_updates.then_some(question.releases),
            keeps_files: question.keeps_files,
            ..ReadRequest::default()
        })?;
        // Finding risks that were removed long ago takes time.
        if let Some(base) = &mut read.base
            && takes(|rule| rule.properties.looks_at_former_risks)
        {
            base.recall_former_risks(&self.repository.root, &read.data);
        }
        notes.append(&mut read.notes);
        let on_history = read.sources.as_deref().and_then(UpdateSources::note_on_history);
        notes.extend(on_history.map(|text| Note::new(text, false)));
        if read.data.files.is_empty() {
            return Err(self.no_data());
        }
        let LoadedRepository { data, base, sources, files, .. } = read;
        let server = question.server.filter(|_| takes(Rule::needs_server));
        let asked = match server {
            Some(server) => {
                Some(server_answers(&server, &data, base.as_ref(), &self.repository, notes)?)
            }
            None => None,
        };
        let Settings { config, baseline, .. } = settings;
        let request = Request { config, selection, baseline, asked };
        let check = PreparedCheck { session: self, request, base, sources };
        Ok((check, CheckedFiles { data, files }))
    }

    fn no_data(&self) -> Failure {
        let root = self.repository.root.display();
        Failure::new(format!("there is no data in {root}"))
            .hint("a graph-data repository contains `version`, `channels/`, and `blocked-edges/`")
    }
}

impl PreparedCheck {
    pub(crate) fn linter(&self) -> Linter<'_> {
        Linter {
            repository: &self.session.repository,
            request: &self.request,
            base: self.base.as_ref(),
            sources: self.sources.as_deref(),
        }
    }

    /// A note if the exit paths of no release are checked. Fails if nothing else was asked for,
    /// because that would look like a pass.
    pub(crate) fn note_on_unchecked(&self, graphs: &RuleGraphs) -> Result<Option<Note>, Failure> {
        let Some(why) = graphs.after().and_then(Outlook::unchecked) else { return Ok(None) };
        let text = format!("no release was checked for exit paths: {why}");
        let selection = &self.request.selection;
        let asks_about_exits = selection.takes_any(Rule::is_about_exits);
        if asks_about_exits && !selection.takes_any(|rule| !rule.is_about_exits()) {
            let hint = "get newer data, or say in exitpath.toml which releases are supported";
            return Err(Failure::new(text).hint(hint));
        }
        Ok(asks_about_exits.then(|| Note::new(&text, true)))
    }
}
