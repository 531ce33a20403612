//! The formats of output.

use super::Named;

/// A format that commands print. Each prints some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a terminal.
    Human,
    /// For a terminal, with one line for each finding.
    Concise,
    /// For programs. `exitpath schema` describes it.
    Json,
    /// What Kubernetes reads.
    Yaml,
    /// GitHub Actions annotations.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML, for Prow and Jenkins.
    Junit,
    /// For a step summary, a comment, or a page.
    Markdown,
    /// One line for each update.
    Edges,
    /// For Graphviz.
    Dot,
    /// For Markdown on GitHub.
    Mermaid,
    /// A drawing for browsers.
    Svg,
    /// A page to explore.
    Html,
    /// Channels as documents of a catalog.
    Channels,
    /// A feed.
    Atom,
}

impl Named for Format {
    const ALL: &'static [Self] = &[
        Self::Human,
        Self::Concise,
        Self::Json,
        Self::Yaml,
        Self::Github,
        Self::Sarif,
        Self::Junit,
        Self::Markdown,
        Self::Edges,
        Self::Dot,
        Self::Mermaid,
        Self::Svg,
        Self::Html,
        Self::Channels,
        Self::Atom,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Concise => "concise",
            Self::Json => "json",
            Self::Yaml => "yaml",
            Self::Github => "github",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
            Self::Edges => "edges",
            Self::Dot => "dot",
            Self::Mermaid => "mermaid",
            Self::Svg => "svg",
            Self::Html => "html",
            Self::Channels => "channels",
            Self::Atom => "atom",
        }
    }
}
