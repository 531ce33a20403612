//! opm's verdict as `opm validate` prints it.

use std::fmt::Write;

use super::objection::{Objection, Objector, OpmStage};

/// What opm prints. None if the catalog is valid.
pub fn verdict(objections: &[Objection]) -> Option<String> {
    let said = || {
        let by_opm = objections.iter().filter(|objection| objection.voice != Objector::OnlyOurs);
        by_opm.filter_map(|objection| Some((&objection.stage, objection.said()?)))
    };
    for stage in [OpmStage::Loading, OpmStage::Conversion] {
        if let Some((_, words)) = said().find(|(own, _)| **own == stage) {
            return Some(words.to_owned());
        }
    }
    let mut root = Branch { words: "invalid index".to_owned(), branches: Vec::new() };
    for (stage, words) in said() {
        let OpmStage::Index(headings) = stage else { continue };
        let branch = headings.iter().fold(&mut root, |branch, heading| branch.below(heading));
        branch.branches.push(Branch { words: words.to_owned(), branches: Vec::new() });
    }
    (!root.branches.is_empty()).then(|| root.text())
}

struct Branch {
    words: String,
    branches: Vec<Branch>,
}

impl Branch {
    /// The branch below a heading. Creates it if necessary.
    fn below(&mut self, heading: &str) -> &mut Self {
        let known = self.branches.iter().position(|branch| branch.words == heading);
        let at = known.unwrap_or_else(|| {
            self.branches.push(Self { words: heading.to_owned(), branches: Vec::new() });
            self.branches.len() - 1
        });
        &mut self.branches[at]
    }

    fn text(&self) -> String {
        let mut text = self.line();
        self.write("", &mut text);
        text
    }

    fn line(&self) -> String {
        if self.branches.is_empty() { self.words.clone() } else { format!("{}:", self.words) }
    }

    fn write(&self, indent: &str, text: &mut String) {
        for (at, branch) in self.branches.iter().enumerate() {
            let is_last = at + 1 == self.branches.len();
            let (mark, below) =
                if is_last { ("└── ", "    ") } else { ("├── ", "│   ") };
            let _ = write!(text, "\n{indent}{mark}{}", branch.line());
            branch.write(&format!("{indent}{below}"), text);
        }
    }
}
