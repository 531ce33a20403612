//! `exitpath guide`: the examples are as right, or as wrong, as the guide says.

use serde_json::Value;

use crate::{Scratch, exitpath};

/// An example: its language, the rule that finds its mistake, and its text.
struct Example {
    language: String,
    mistake: Option<String>,
    text: String,
}

fn examples() -> Vec<Example> {
    let guide = exitpath(["guide", "risk"]);
    assert_eq!(guide.status, 0, "{}", guide.err);
    let mut mistake = None;
    let mut examples: Vec<Example> = Vec::new();
    let mut is_inside = false;
    for line in guide.out.lines() {
        if let Some(rest) = line.strip_prefix("Wrong (`") {
            mistake = rest.split('`').next().map(str::to_owned);
        }
        match line.strip_prefix("```") {
            Some("") => is_inside = false,
            Some(language) => {
                let (language, mistake) = (language.to_owned(), mistake.take());
                examples.push(Example { language, mistake, text: String::new() });
                is_inside = true;
            }
            None if is_inside => {
                let text = &mut examples.last_mut().unwrap().text;
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    examples
}

/// The rules that find something in a repository with one risk on two releases.
fn findings(file: &str) -> Vec<String> {
    let repository = Scratch::new("guide");
    repository.write("version", "1.1.0\n");
    for minor in [17, 18] {
        let versions = (0..=21).map(|patch| format!("- 4.{minor}.{patch}\n"));
        let versions: String = versions.collect();
        let name = format!("candidate-4.{minor}");
        let text = format!("name: {name}\nversions:\n{versions}");
        repository.write(&format!("channels/{name}.yaml"), text);
    }
    for to in ["4.18.20", "4.18.21"] {
        let path = format!("blocked-edges/{to}-RouterDropsConnections.yaml");
        repository.write(&path, file.replace("to: 4.18.20", &format!("to: {to}")));
    }
    let root = repository.path().to_str().unwrap();
    let check = exitpath(["check", root, "--no-graph", "--format", "json"]);
    let report: Value = serde_json::from_str(&check.out).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let own = findings.filter(|finding| finding["path"].as_str().unwrap().starts_with("blocked"));
    own.map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_examples_of_the_guide_are_checked() {
    let examples = examples();
    let whole = examples.iter().find(|example| example.language == "yaml").unwrap();
    let (head, _) = whole.text.split_once("      group by").unwrap();
    let mut checked = 0;
    for Example { language, mistake, text } in &examples {
        let file = match language.as_str() {
            "yaml" => text.clone(),
            "promql" => {
                let lines = text.lines().map(|line| format!("      {line}\n"));
                format!("{head}{}", lines.collect::<String>())
            }
            "from" => whole.text.replace("4[.](17[.][0-9]+|18[.]1?[0-9])[+].*", text.trim()),
            other => panic!("an example in {other}"),
        };
        let found = findings(&file);
        match mistake {
            Some(rule) => assert!(found.contains(rule), "{rule}: {found:?}\n{file}"),
            None => assert_eq!(found, Vec::<String>::new(), "{file}"),
        }
        if language == "promql" {
            let proof = exitpath(["promql", "check", text.trim_end()]);
            assert_eq!(proof.out.contains("\nProved\n"), mistake.is_none(), "{}", proof.out);
        }
        checked += 1;
    }
    assert!(checked >= 7);
}
