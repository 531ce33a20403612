//! What rules about `from` need: declarations that share a pattern, likely typos, and the syntax
//! of patterns.

use std::ops::Range;

use regex_syntax::ast::Ast;

use crate::domain::version::strip_build;
use crate::domain::{Arch, ArchSet, each_id};
use crate::graph_data::{
    BlockedEdge, GraphData, Match, Matcher, Pattern, Reached, ReleaseId, Text, Walk,
};
use crate::origins::{KnownReleases, reached, written_like};
use crate::text::Span;

use crate::rules::shared::words::subjects;
use crate::rules::{Finding, Place, shortened};

use crate::text::words::listed;

/// The most other declarations that a finding shows as related places.
const MOST: usize = 1000;

/// The end of a help that suggests a pattern.
fn in_help(pattern: Option<String>) -> String {
    pattern.map_or_else(String::new, |pattern| format!(": `{pattern}`"))
}

/// Declarations of one risk (or blocks) with the same pattern. They are usually copies of each
/// other, so they share one finding.
pub(in crate::checks::rules) struct PatternGroup<'a> {
    data: &'a GraphData,
    /// The first declaration, in the order of files.
    pub(in crate::checks::rules) first: &'a BlockedEdge,
    /// The indices of the other declarations.
    others: &'a [usize],
    /// The possible origins of all targets.
    origins: &'a [Range<ReleaseId>],
    /// The pattern as the first declaration writes it.
    pub(in crate::checks::rules) from: &'a Text,
    /// The compiled pattern.
    pub(in crate::checks::rules) pattern: &'a Pattern,
}

/// The declarations of the repository by risk and pattern. `invalid-from` and `empty-from` report
/// the patterns that are omitted.
pub(in crate::checks::rules) fn pattern_groups(
    data: &GraphData,
) -> impl Iterator<Item = PatternGroup<'_>> {
    data.declarations_by_pattern().iter().filter_map(|group| {
        let (first, others) = group.declarations.split_first()?;
        let first = &data.blocked_edges[*first];
        let from = first.from.as_ref()?;
        let pattern = data.patterns.get(&from.value)?;
        Some(PatternGroup { data, first, others, origins: &group.origins, from, pattern })
    })
}

/// The pattern that `exitpath from` writes for the releases for which a test of the version, as the
/// service writes it, is true. None if no simple pattern matches exactly these.
fn written(data: &GraphData, is_meant: &dyn Fn(&str) -> bool) -> Option<String> {
    let known = KnownReleases::of(&data.releases);
    let origins = reached(&known, Arch::default(), is_meant);
    if origins.is_empty() { None } else { written_like(&origins, &known, None, is_meant) }
}

impl<'a> PatternGroup<'a> {
    /// The pattern for what a person means with this one: without what it matches by accident, now
    /// and later. It ends the help of a finding.
    pub(in crate::checks::rules) fn meant(&self) -> String {
        let Some(walk) = &self.pattern.walk else { return String::new() };
        if !self.is_for_all_architectures() {
            return String::new();
        }
        let is_meant = |served: &str| walk.matches_plainly(served);
        let meant = self.pattern.meant.get_or_init(|| written(self.data, &is_meant));
        in_help(meant.clone())
    }

    /// The pattern for what this one matches and some more releases.
    pub(in crate::checks::rules) fn with(&self, more: &[ReleaseId]) -> String {
        in_help(self.usual(more))
    }

    /// The usual pattern for what this one matches and some more releases.
    pub(in crate::checks::rules) fn usual(&self, more: &[ReleaseId]) -> Option<String> {
        if !self.is_for_all_architectures() {
            return None;
        }
        let matcher = Matcher::of(&self.from.value);
        let more: Vec<&str> =
            more.iter().map(|id| self.data.releases.get(*id).text.as_str()).collect();
        let is_meant =
            |served: &str| matcher.is_match(served) || more.contains(&strip_build(served));
        written(self.data, &is_meant)
    }

    /// This pattern with each `.` that stands for a dot written as `[.]`. None if it would match
    /// other releases.
    pub(in crate::checks::rules) fn escaped(&self) -> Option<String> {
        let mut escaped = String::new();
        let mut end = 0;
        for dot in self.pattern.walk.as_ref()?.dots() {
            escaped.push_str(&self.from.value[end..dot.start]);
            escaped.push_str("[.]");
            end = dot.end;
        }
        escaped.push_str(&self.from.value[end..]);
        // It cannot match more than before.
        let matches_all = {
            let matcher = Matcher::of(&escaped);
            let is_match = |id| matcher.is_match(&self.data.releases.get(id).served);
            self.reached().all(|one| is_match(one.release))
        };
        matches_all.then_some(escaped)
    }

    /// Whether the pattern matches each known release on every architecture, or on none. The
    /// patterns that are suggested name no architecture.
    fn is_for_all_architectures(&self) -> bool {
        self.reached().all(|one| one.architectures == ArchSet::EVERY)
    }

    /// The declarations after the first, in the order of their files.
    fn others(&self) -> impl Iterator<Item = &'a BlockedEdge> + use<'a> {
        let data = self.data;
        self.others.iter().map(|place| &data.blocked_edges[*place])
    }

    /// The declarations, in the order of their files.
    pub(in crate::checks::rules) fn edges(
        &self,
    ) -> impl Iterator<Item = &'a BlockedEdge> + use<'a> {
        std::iter::once(self.first).chain(self.others())
    }

    /// The possible origins of the targets, as ranges.
    pub(in crate::checks::rules) fn origins(&self) -> &'a [Range<ReleaseId>] {
        self.origins
    }

    /// The possible origins that the pattern matches, oldest first.
    pub(in crate::checks::rules) fn reached(&self) -> impl Iterator<Item = &'a Reached> + use<'a> {
        let pattern = self.pattern;
        self.origins.iter().flat_map(|range| pattern.reach.within(range))
    }

    /// The possible origins that the pattern matches for this reason.
    pub(in crate::checks::rules) fn matched_by(
        &self,
        why: Match,
    ) -> impl Iterator<Item = ReleaseId> {
        let reached = self.reached();
        reached.filter(move |reached| reached.why == why).map(|reached| reached.release)
    }

    /// Whether the pattern matches any possible origin for this reason.
    pub(in crate::checks::rules) fn has_match(&self, why: Match) -> bool {
        self.matched_by(why).next().is_some()
    }

    /// Whether the pattern matches a release, and the release is a possible origin of some target.
    pub(in crate::checks::rules) fn reaches(&self, release: ReleaseId) -> bool {
        self.origins.iter().any(|range| range.contains(&release))
            && Reached::holds(&self.pattern.reach.origins, release)
    }

    /// The place of a part of the pattern in the first declaration.
    pub(in crate::checks::rules) fn span(&self, at: Range<usize>) -> Span {
        self.data.span_within(self.first.file, self.from.node, at)
    }

    /// Adds the other declarations to a finding about the first.
    pub(in crate::checks::rules) fn with_other_declarations(&self, finding: Finding) -> Finding {
        let part = match &finding.place {
            Place::Text(span) => self.data.sources.slice(*span),
            Place::File(_) | Place::Absent(_) => "",
        };
        let about = format!("{} {}: {part}", subjects(self.edges()), self.from.value);
        let others = self.others().take(MOST).filter_map(|edge| edge.from.as_ref());
        let finding = finding.grouped(about);
        others.fold(finding, |finding, from| finding.copy(from.span, "the same pattern"))
    }

    /// The targets of the declarations, in words.
    pub(in crate::checks::rules) fn targets(&self) -> String {
        let targets = self.edges().filter_map(|edge| edge.to.as_ref());
        listed(&targets.map(|to| format!("`{}`", shortened(&to.value))).collect::<Vec<_>>(), "and")
    }
}

/// A likely typo in a pattern.
pub(in crate::checks::rules) struct Typo {
    /// The mistake, in words.
    pub(in crate::checks::rules) what: &'static str,
    /// The part of the pattern without the typo, or the whole pattern if more than the part
    /// changes.
    pub(in crate::checks::rules) corrected: String,
}

/// The typo in `part` of a pattern. None unless it is a known kind of typo and the corrected part
/// matches a possible origin of a target.
pub(in crate::checks::rules) fn find_typo(
    group: &PatternGroup<'_>,
    part: Range<usize>,
) -> Option<Typo> {
    let PatternGroup { data, origins, .. } = group;
    let pattern = group.from.value.as_str();
    let (before, text, after) =
        (&pattern[..part.start], &pattern[part.clone()], &pattern[part.end..]);
    let corrections = [
        ("add the missing dot before the number", with_dots(text)),
        ("put the range in brackets", with_brackets(text)),
        ("remove the extra `.`", without_wild_dots(text)),
        ("remove the extra `]`", without_stray_brackets(text)),
        ("remove the extra dot", text.replace("[.][.]", "[.]").replace(r"\.\.", r"\.")),
        (NO_ROOM, text.replace('$', "[+].*$")),
    ];
    let corrections = corrections.into_iter().filter(|(_, corrected)| corrected != text);
    let corrections = corrections.map(|(what, corrected)| (what, corrected, after.to_owned()));
    // A `$` at the end of a pattern follows the part that it prevents from matching.
    let closed = (NO_ROOM, text.to_owned(), after.replace('$', "[+].*$"));
    let closed = (closed.2 != after).then_some(closed);
    corrections.chain(closed).find_map(|(what, corrected, after)| {
        let whole = format!("{before}{corrected}{after}");
        // Only matches of the corrected part count, because other parts may match without it.
        let walk = Walk::of(&whole)?;
        let end = part.start + corrected.len();
        let at = walk.branches().position(|branch| *branch == (part.start..end));
        let path = at.map(|branch| walk.path_to(branch));
        let matches = |served: &str| match &path {
            Some(path) => walk.matches_through(path, served) == Some(true),
            None => walk.explain(served).is_some(),
        };
        let mut origins = origins.iter().cloned().flat_map(each_id);
        let is_matched = origins.any(|id| matches(&data.releases.get(id).served));
        let corrected = if what == NO_ROOM { whole } else { corrected };
        is_matched.then_some(Typo { what, corrected })
    })
}

const NO_ROOM: &str = "versions end in `+amd64`, so `$` never matches here";

/// Inserts the dot that pre-releases have: `ec[0-2]` becomes `ec[.][0-2]`.
fn with_dots(text: &str) -> String {
    let mut corrected = text.to_owned();
    for kind in ["ec", "fc", "rc"] {
        for next in ["[0-9", "[1-9", "("] {
            corrected = corrected.replace(&format!("-{kind}{next}"), &format!("-{kind}[.]{next}"));
        }
        for digit in '0'..='9' {
            corrected = corrected
                .replace(&format!("-{kind}{digit}"), &format!("-{kind}[.]{digit}"))
                .replace(&format!("-{kind}[{digit}"), &format!("-{kind}[.][{digit}"));
        }
    }
    corrected
}

/// Inserts the brackets that a range needs: `(0-9|1[0-9])` becomes `([0-9]|1[0-9])`.
fn with_brackets(text: &str) -> String {
    let mut corrected = String::with_capacity(text.len() + 2);
    let mut is_class = false;
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    while let Some(&c) = characters.get(at) {
        is_class = c == '[' || is_class && c != ']';
        match characters[at..] {
            [low, '-', high, ..] if !is_class && low.is_ascii_digit() && high.is_ascii_digit() => {
                corrected.extend(['[', low, '-', high, ']']);
                at += 3;
            }
            _ => {
                corrected.push(c);
                at += 1;
            }
        }
    }
    corrected
}

/// Removes a lone `.` between a dot and a number.
fn without_wild_dots(text: &str) -> String {
    let mut corrected = text.to_owned();
    for dot in ["[.]", r"\."] {
        for next in ["[", "("] {
            corrected = corrected.replace(&format!("{dot}.{next}"), &format!("{dot}{next}"));
        }
    }
    corrected
}

/// Removes each `]` that has no `[` before it.
fn without_stray_brackets(text: &str) -> String {
    let mut open = false;
    let keep = |c: &char| {
        let stray = *c == ']' && !open;
        open = *c == '[' || open && *c != ']';
        !stray
    };
    text.chars().filter(keep).collect()
}

/// Calls `visit` with every node of a pattern's syntax tree. The parser allows 250 levels, so deep
/// nesting is safe.
pub(in crate::checks::rules) fn visit_syntax(ast: &Ast, visit: &mut dyn FnMut(&Ast)) {
    visit(ast);
    match ast {
        Ast::Group(group) => visit_syntax(&group.ast, visit),
        Ast::Repetition(repetition) => visit_syntax(&repetition.ast, visit),
        Ast::Concat(concat) => concat.asts.iter().for_each(|ast| visit_syntax(ast, visit)),
        Ast::Alternation(alternation) => {
            alternation.asts.iter().for_each(|ast| visit_syntax(ast, visit));
        }
        _ => {}
    }
}
