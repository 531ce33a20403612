//! Conditional edges in the notation of the enhancement's first draft: `from`, `to`, and
//! `qualifiers`.

use crate::graph::cincinnati::raw::{Object, Raw};
use crate::graph::cincinnati::{ConditionalGroup, GroupForm, PlacedRisk, PlacedRule};

use super::Reader;

impl<'a> Reader<'a> {
    /// A conditional edge of the first draft.
    pub(super) fn draft(&mut self, raw: Raw<'a>, edge: &Object<'a>) -> Option<ConditionalGroup> {
        let mut risks = Vec::new();
        let qualifiers = edge.get("qualifiers");
        self.parts(qualifiers, "qualifiers", |reader, raw| risks.extend(reader.qualifier(raw)));
        let edges = vec![self.ends(raw, edge)?];
        Some(ConditionalGroup { span: self.span(raw), form: GroupForm::Qualifiers, edges, risks })
    }

    /// A qualifier of the first draft: a URL and the affected clusters.
    fn qualifier(&mut self, raw: Raw<'a>) -> Option<PlacedRisk> {
        let risk = self.object(raw, "a qualifier")?;
        let url = risk.optional("url").and_then(|raw| self.string(raw, "url"));
        let clusters = risk.optional("clusters").and_then(|raw| self.object(raw, "`clusters`"));
        let query = clusters.and_then(|clusters| clusters.optional("promql")).and_then(|raw| {
            // The examples in the draft use both notations.
            if raw.get().starts_with('{') {
                let query = self.object(raw, "`promql`")?.optional("promql")?;
                self.string(query, "promql")
            } else {
                self.string(raw, "promql")
            }
        });
        let span = self.span(raw);
        let promql = query.as_ref().map(|query| query.span);
        let rules = vec![PlacedRule { kind: None, promql, query }];
        // The draft has no names, so the URL serves as the name.
        let name = url.clone();
        Some(PlacedRisk { span, url, name, message: None, rules })
    }
}
