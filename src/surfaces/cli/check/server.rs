//! `exitpath check --url`: asks a server about the queries of a repository.

use crate::cli::check_args::CheckArgs;
use crate::domain::HashSet;
use crate::graph_data::{GraphData, Reading};
use crate::metrics::{Server, Source};
use crate::online::{Asked, QuestionLimits, ask};
use crate::session::{Base, Note, Session};
use crate::text::words::counted;
use crate::text::{Failure, printable};

use super::request::CheckRequest;

/// What the server of `--url` says of the queries, and notes about it. Nothing if no selected rule
/// wants to know.
pub(super) fn asked(
    args: &CheckArgs,
    (session, request): (&Session, &CheckRequest),
    data: &GraphData,
    base: Option<&Base>,
) -> Result<(Option<Asked>, Vec<Note>), Failure> {
    let Some(url) = args.url.as_deref().filter(|_| request.asks_server()) else {
        return Ok((None, Vec::new()));
    };
    let (server, notes) = Server::open(&args.access.request(url, None))?;
    let readings = readings(data, base, session);
    let queries = readings.iter().filter_map(|reading| {
        let (query, _) = reading.query.as_ref().as_ref().ok()?;
        Some((reading.text.as_str(), query))
    });
    let asked = ask(&Source::Server(server), queries, QuestionLimits::default())?;
    let note = |text: &str, is_important| Note { text: printable(text).into_owned(), is_important };
    let mut notes: Vec<Note> = notes.iter().map(|text| note(text, true)).collect();
    if asked.is_strange() {
        let text = "the server has no metric of any query: does it monitor a cluster, and is its \
                    clock right?";
        notes.push(note(text, true));
    }
    let (queries, questions) = (counted(readings.len(), "query"), asked.questions);
    let questions = counted(questions, "question");
    notes.push(note(&format!("asked the server {questions} about {queries}"), false));
    Ok((Some(asked), notes))
}

/// The queries to ask about: those in the files that the user named. With a base, what is not new
/// would be hidden, so only queries that the change adds or removes count.
fn readings<'d>(
    data: &'d GraphData,
    base: Option<&'d Base>,
    session: &Session,
) -> Vec<&'d Reading> {
    let is_asked_about = |reading: &&Reading| {
        let mut files = reading.places.iter().map(|(file, _)| data.path(*file));
        files.any(|path| session.repository.is_asked_about(path))
    };
    let now = data.queries.all().filter(is_asked_about);
    let Some(base) = base else { return now.collect() };
    let texts = |data: &'d GraphData| -> HashSet<&str> {
        data.queries.all().map(|reading| reading.text.as_str()).collect()
    };
    let (before, after) = (texts(&base.data), texts(data));
    let added = now.filter(|reading| !before.contains(reading.text.as_str()));
    let removed = base.data.queries.all().filter(|one| !after.contains(one.text.as_str()));
    added.chain(removed).collect()
}
