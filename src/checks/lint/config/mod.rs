//! Settings for the rules, from `exitpath.toml` and the command line.

mod difference;
mod glob;
mod policy;
mod selection;

pub(crate) use selection::Selection;

use std::collections::BTreeMap;
use std::path::{Component, Path};

use regex::Regex;
use serde::{Deserialize, Deserializer, de};

use crate::coverage::Metric;
use crate::domain::{FailOn, Named, Severity};
use crate::lineage::Policy;
use crate::rules::{Family, Finding, Retired, Rule};
use crate::text::{Failure, printable};
use crate::tree::read_text;

use glob::glob;
use policy::WrittenPolicy;

/// `exitpath.toml`.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The text of the file. Empty without a file.
    text: String,
    /// The lowest severity that fails a check.
    pub fail_on: Option<FailOn>,
    /// The baseline file, relative to the repository.
    pub baseline: Option<String>,
    /// Where updates come from: files and folders relative to the repository, or `history`.
    pub releases: Vec<String>,
    /// Which releases are supported.
    pub supported: Policy,
    /// What it says about metrics, by name.
    pub(crate) metrics: BTreeMap<String, Metric>,
    /// The removed rules that it names. They have no effect.
    pub removed: Vec<&'static Retired>,
    levels: Vec<(&'static Rule, Level)>,
    ignores: Vec<Ignore>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    At(Severity),
    Off,
}

fn fail_on<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<FailOn>, D::Error> {
    let word = String::deserialize(deserializer)?;
    let unknown = || de::Error::unknown_variant(&word, &["error", "warning", "info", "never"]);
    FailOn::named(&word).map(Some).ok_or_else(unknown)
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let unknown = || de::Error::unknown_variant(&word, &["error", "warning", "info", "off"]);
        match Severity::named(&word) {
            _ if word == "off" => Ok(Self::Off),
            severity => severity.map(Self::At).ok_or_else(unknown),
        }
    }
}

#[derive(Clone, Debug)]
struct Ignore {
    /// The entry as it is written.
    written: WrittenIgnore,
    paths: Vec<Regex>,
    /// None for every rule.
    rules: Option<Selection>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenConfig {
    #[serde(default, deserialize_with = "fail_on")]
    fail_on: Option<FailOn>,
    baseline: Option<String>,
    #[serde(default)]
    releases: Vec<String>,
    #[serde(default)]
    supported: WrittenPolicy,
    #[serde(default)]
    rules: BTreeMap<String, Level>,
    #[serde(default)]
    ignore: Vec<WrittenIgnore>,
    #[serde(default)]
    metrics: BTreeMap<String, Metric>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenIgnore {
    paths: Vec<String>,
    rules: Option<Vec<String>>,
    reason: String,
}

/// Refuses a path outside the repository: a config from a pull request must not reach other files.
fn refuse_outside_path(key: &str, path: &str) -> Result<(), Failure> {
    let mut parts = Path::new(path).components();
    let is_inside = parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if is_inside && !path.is_empty() {
        return Ok(());
    }
    let what = format!("`{key}` must name a path in the repository, not `{path}`");
    Err(Failure::new(what).hint(format!("use `--{key}` for other paths")))
}

/// The error with its excerpt. The message at the end is escaped, because it can quote a name with
/// line breaks.
fn error_text(error: &toml::de::Error) -> String {
    let (whole, why) = (error.to_string(), error.message());
    let lines = whole.trim_end().strip_suffix(why.trim_end());
    format!("{}{}", lines.unwrap_or_default(), printable(why.trim_end()))
}

impl Config {
    /// Reads `exitpath.toml` in the repository. Without the file, returns the defaults.
    pub fn read(repository: &Path) -> Result<Self, Failure> {
        let path = repository.join("exitpath.toml");
        match read_text(&path) {
            Ok(Some(text)) => Self::parse(&text),
            Ok(None) => Ok(Self::default()),
            Err(why) => Err(why.at(format!("cannot read {}", path.display()))),
        }
    }

    /// The bytes of a config that cannot be parsed. None if only their meaning is wrong.
    #[cfg(feature = "lsp")]
    pub(crate) fn fault_range(text: &str) -> Option<std::ops::Range<usize>> {
        toml::from_str::<WrittenConfig>(text).err()?.span()
    }

    /// Parses the text of a config.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let written: WrittenConfig = toml::from_str(text).map_err(|error| {
            Failure::of_lines(&format!("exitpath.toml: {}", error_text(&error)))
        })?;
        let in_config = |failure: Failure| failure.at("exitpath.toml");
        let (mut levels, mut removed) = (Vec::new(), Vec::new());
        for (word, level) in written.rules {
            let selected = Selection::of(std::slice::from_ref(&word)).map_err(in_config)?;
            let is_family = Family::named(&word).is_some();
            levels.extend(selected.rules.into_iter().map(|rule| (is_family, rule, level)));
            removed.extend(selected.removed);
        }
        // The level of a rule overrides the level of its family.
        levels.sort_by_key(|(is_family, ..)| !is_family);
        let levels = levels.into_iter().map(|(_, rule, level)| (rule, level)).collect();
        let ignores = written.ignore.into_iter().map(|ignore| {
            if ignore.paths.is_empty() || ignore.reason.trim().is_empty() {
                return Err(Failure::new("an `[[ignore]]` needs paths and a reason"));
            }
            let compile = |path: &String| {
                glob(path)
                    .ok_or_else(|| Failure::new(format!("`{path}` is too long for a path pattern")))
            };
            Ok(Ignore {
                paths: ignore.paths.iter().map(compile).collect::<Result<_, _>>()?,
                rules: ignore.rules.as_deref().map(Selection::of).transpose()?,
                written: ignore,
            })
        });
        let ignores = ignores.collect::<Result<Vec<Ignore>, _>>().map_err(in_config)?;
        let selections = ignores.iter().filter_map(|ignore| ignore.rules.as_ref());
        removed.extend(selections.flat_map(|rules| &rules.removed));
        for (key, paths) in
            [("baseline", written.baseline.as_slice()), ("releases", &written.releases)]
        {
            paths.iter().try_for_each(|path| refuse_outside_path(key, path)).map_err(in_config)?;
        }
        if let Some((name, _)) = written.metrics.iter().find(|(_, metric)| !metric.is_sound()) {
            return Err(in_config(Failure::new(format!(
                "`metrics.{name}` has a list without entries, or with more than 100"
            ))));
        }
        Ok(Self {
            text: text.to_owned(),
            releases: written.releases,
            supported: written.supported.read().map_err(in_config)?,
            metrics: written.metrics,
            fail_on: written.fail_on,
            baseline: written.baseline,
            removed,
            levels,
            ignores,
        })
    }

    /// Whether the file is empty or missing.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Sets the configured severity. Returns false if the rule is off.
    pub(super) fn apply_level(&self, finding: &mut Finding) -> bool {
        match self.level(finding.rule) {
            None => true,
            Some(Level::Off) => false,
            Some(Level::At(severity)) => {
                finding.severity = severity;
                true
            }
        }
    }

    /// The configured level of a rule.
    fn level(&self, rule: &Rule) -> Option<Level> {
        let level = self.levels.iter().rfind(|(known, _)| known.code == rule.code);
        level.map(|(_, level)| *level)
    }

    /// Whether it gives a rule a severity.
    pub(super) fn turns_on(&self, rule: &Rule) -> bool {
        self.level(rule).is_some_and(|level| level != Level::Off)
    }

    /// Sets the severity of a new finding, unless the config sets a level for its rule.
    pub(super) fn raise(&self, finding: &mut Finding) {
        if let Some(severity) = finding.when_new.filter(|_| self.level(finding.rule).is_none()) {
            finding.severity = severity;
        }
    }

    pub(super) fn ignores(&self, rule: &Rule, path: &str) -> bool {
        self.ignores.iter().any(|ignore| {
            ignore.rules.as_ref().is_none_or(|rules| rules.covers(rule))
                && ignore.paths.iter().any(|glob| glob.is_match(path))
        })
    }
}

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::{Config, Selection};
    use crate::rules::Rule;

    fn refused(text: &str) -> String {
        Config::parse(text).err().map(|e| e.to_string()).unwrap_or_default()
    }

    #[test]
    fn mistakes_in_the_config_are_named() {
        assert!(refused("[rules]\nvage-url = \"off\"").contains("Did you mean `vague-url`?"));
        assert!(refused("[rules]\nvague-url = \"loud\"").contains("unknown variant `loud`"));
        assert!(refused("sevrity = 1").contains("unknown field `sevrity`"));
        assert!(refused("[[ignore]]\npaths = [\"x\"]").contains("missing field `reason`"));
        assert!(refused("[[ignore]]\npaths = [\"x\"]\nreason = \"\"").contains("a reason"));
        assert!(refused("baseline = \"\"").contains("must name a path"));
        assert!(refused("releases = [\"\"]").contains("must name a path"));
    }

    #[test]
    fn a_removed_rule_is_accepted_and_has_no_effect() {
        let text = "[rules]\nremoved-example = \"error\"\n\n[[ignore]]\npaths = [\"x\"]\n\
                    rules = [\"EP000\", \"risk-name\"]\nreason = \"old\"";
        let config = Config::parse(text).unwrap_or_else(|e| panic!("{e}"));
        let removed: Vec<&str> = config.removed.iter().map(|rule| rule.name()).collect();
        assert_eq!(removed, ["removed-example", "removed-example"]);
        assert!(config.levels.is_empty());
        let ignores = |rule| Rule::find(rule).is_some_and(|rule| config.ignores(rule, "x"));
        assert!(ignores("risk-name"));
        assert!(!ignores("vague-url"));
        let selection = Selection::of(&["ep000".to_owned()]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((selection.rules.len(), selection.removed().len()), (0, 1));
        let rest = Selection::default().without(&selection);
        let is_on = |rule: &&&Rule| rule.properties.is_on_by_default;
        assert_eq!(rest.rules.len(), crate::rules::RULES.iter().filter(is_on).count());
    }

    #[test]
    fn rules_are_named_by_code_name_and_family() {
        let takes = |word: &str, rule: &str| {
            let selection = Selection::of(&[word.to_owned()]).unwrap_or_else(|e| panic!("{e}"));
            Rule::find(rule).is_some_and(|rule| selection.takes(rule))
        };
        assert!(takes("vague-url", "EP203"));
        assert!(takes("ep203", "vague-url"));
        assert!(takes("risk", "vague-url"));
        assert!(!takes("channel", "vague-url"));
        assert!(takes("untested-risk", "EP234"));
        assert!(!takes("risk", "untested-risk"));
    }

    #[test]
    fn a_severity_turns_a_rule_on_that_is_off_by_default() {
        let on = |config: &str| {
            let config = Config::parse(config).unwrap_or_else(|e| panic!("{e}"));
            Rule::find("untested-risk").is_some_and(|rule| config.turns_on(rule))
        };
        assert!(on("[rules]\nuntested-risk = \"info\""));
        assert!(!on("[rules]\nuntested-risk = \"off\""));
        assert!(!on("[rules]\nrisk = \"error\""));
        assert!(!on(""));
    }
}
