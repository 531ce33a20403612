//! `exitpath risk new`: declares a risk, from flags, a template, or answers on the terminal.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crate::authoring::{Declaration, Plan, RiskRules, RiskTemplate, declare};
use crate::cli::file_text::file_text;
use crate::cli::risk_args::RiskNewArgs;
use crate::cli::{Status, Stop};
use crate::domain::Version;
use crate::graph_data::GraphData;
use crate::origins::{KnownReleases, Spec, pattern_of, specs};
use crate::text::{Failure, MAX_FILE};

use super::ask::Dialog;
use crate::cli::editing::{self, Output};

/// What the user says about a new risk.
struct Wanted {
    template: RiskTemplate,
    targets: Vec<Spec>,
    /// Origins in words, or a pattern. Empty for those of the template, or the default.
    from: Vec<String>,
    fixed_in: Vec<Version>,
    /// Whether to ask on the terminal before the files are written.
    asks: bool,
}

pub(super) fn run(args: &RiskNewArgs, mut output: Output<'_>) -> Result<Status, Stop> {
    let wanted = wanted(args, output.err)?;
    let plan = |data: &GraphData| plan(data, &wanted, args.pre_releases);
    if !wanted.asks || args.edit.diff || args.edit.dry_run {
        return editing::run(&args.edit, Some(&wanted.template.name), output, plan);
    }
    let draft = editing::draft(&args.edit, &mut output)?;
    let plan = plan(&draft.data)?;
    let proposal = draft.proposal(plan);
    let Output { common, style, out, err } = output;
    let shown = Output { common, style, out, err };
    let status = editing::finish(&args.edit, &proposal, Some(&wanted.template.name), false, shown)?;
    out.flush()?;
    let mut input = io::stdin().lock();
    if !Dialog::new(&mut input, err).agrees("Write these files?")? {
        return Ok(status);
    }
    if args.edit.commit {
        let commit = proposal.commit(args.edit.because.as_deref())?;
        writeln!(err, "exitpath: committed as {commit}")?;
    } else {
        proposal.write()?;
        writeln!(err, "exitpath: written")?;
    }
    Ok(status)
}

fn plan(data: &GraphData, wanted: &Wanted, pre_releases: bool) -> Result<Plan, Failure> {
    let known = KnownReleases::of(&data.releases);
    let from = match wanted.from.as_slice() {
        [] => None,
        words => Some(pattern_of(&known, words, pre_releases)?),
    };
    let declaration = Declaration {
        template: &wanted.template,
        targets: &wanted.targets,
        pre_releases,
        from: from.as_deref(),
        fixed_in: &wanted.fixed_in,
    };
    declare(data, &declaration)
}

/// What the flags, the template, or the answers say.
fn wanted(args: &RiskNewArgs, err: &mut dyn Write) -> Result<Wanted, Failure> {
    if let Some(file) = &args.template {
        return from_template(args, file);
    }
    let is_complete = args.name.is_some()
        && args.url.is_some()
        && args.message.is_some()
        && (args.promql.is_some() || args.always)
        && !args.to.is_empty();
    let can_ask = io::stdin().is_terminal();
    if !is_complete && !can_ask {
        return Err(missing(args));
    }
    let mut input = io::stdin().lock();
    let mut asked = Dialog::new(&mut input, err);
    let text = |given: &Option<String>, ask: &mut dyn FnMut() -> Result<String, Failure>| {
        given.clone().map_or_else(ask, Ok)
    };
    let name = text(&args.name, &mut || asked.line("Name, like SomeOperatorCrash"))?;
    let url = text(&args.url, &mut || asked.line("URL of a page about it"))?;
    let message = text(&args.message, &mut || asked.lines("Message for administrators"))?;
    let query = match (&args.promql, args.always) {
        (Some(query), _) => query.clone(),
        (None, true) => String::new(),
        (None, false) => asked.lines("Query; nothing for all clusters")?,
    };
    let rules = if query.trim().is_empty() { RiskRules::Always } else { RiskRules::PromQl(&query) };
    let mut targets = args.to.clone();
    let mut from = args.from.clone();
    if targets.is_empty() {
        let words = asked.line("Releases with the bug, like 4.18.20..4.18.22")?;
        targets = specs(&words_of(&words))?;
    }
    if !is_complete && from.is_empty() {
        let question = "Origins, like 4.17..4.18.19; nothing for the releases without the bug";
        from = asked.optional_line(question)?.map(|words| words_of(&words)).unwrap_or_default();
    }
    let template = RiskTemplate::new(&name, &url, &message, rules);
    let fixed_in = args.fixed_in.clone();
    Ok(Wanted { template, targets, from, fixed_in, asks: !is_complete })
}

fn words_of(line: &str) -> Vec<String> {
    line.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn from_template(args: &RiskNewArgs, file: &Path) -> Result<Wanted, Failure> {
    let template = RiskTemplate::parse(&file_text(file, MAX_FILE)?)?;
    if let Some(name) = args.name.as_ref().filter(|name| **name != template.name) {
        let what = format!("the template is for `{}`, and not for `{name}`", template.name);
        return Err(Failure::new(what));
    }
    if args.to.is_empty() {
        return Err(Failure::new("`--to` must name the releases with the bug"));
    }
    Ok(Wanted {
        template,
        targets: args.to.clone(),
        from: args.from.clone(),
        fixed_in: args.fixed_in.clone(),
        asks: false,
    })
}

/// Which flags are missing.
fn missing(args: &RiskNewArgs) -> Failure {
    let needed = [
        (args.name.is_some(), "NAME"),
        (args.url.is_some(), "`--url`"),
        (args.message.is_some(), "`--message`"),
        (args.promql.is_some() || args.always, "`--promql` or `--always`"),
        (!args.to.is_empty(), "`--to`"),
    ];
    let absent: Vec<&str> =
        needed.iter().filter(|(is_given, _)| !is_given).map(|(_, name)| *name).collect();
    let what = format!("a new risk needs {}", crate::text::words::listed(&absent, "and"));
    Failure::new(what).hint("on a terminal, exitpath asks; `--template -` reads a file of the risk")
}
