//! A service that answers only clients with its token.

use super::{Served, get, text_of};
use crate::{Scratch, exitpath};

const PATH: &str = "/api/upgrades_info/channels";

#[test]
fn only_clients_with_the_token_get_answers() {
    let scratch = Scratch::new("token");
    let file = scratch.write("token", "let-me-in\n");
    let served = Served::start(["fixtures/graph-data", "--token-file", text_of(&file)]);
    let ask = |path: &str, token: &str| {
        get(served.clients, path, &[("Authorization", &format!("Bearer {token}"))])
    };
    let refused = served.get(PATH);
    assert_eq!(refused.status, 401);
    assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
    for path in [PATH, "/api/upgrades_info/v1/graph?channel=stable-4.15", "/", "/openapi"] {
        assert_eq!(served.get(path).status, 401, "{path}");
        assert_eq!(ask(path, "let-me-out").status, 401, "{path}");
        assert_eq!(ask(path, "let-me-in").status, 200, "{path}");
    }
    for path in ["/livez", "/readyz", "/metrics"] {
        assert_eq!(served.get(path).status, 200, "{path}");
    }
    let log = served.log().join("\n");
    assert!(!log.contains("let-me"), "{log}");

    let url = format!("http://{}", served.clients);
    let channels = ["channels", "--service", &url];
    let run = exitpath(channels.into_iter().chain(["--token-file", text_of(&file)]));
    assert_eq!((run.status, run.out.contains("stable-4.15")), (0, true), "{}", run.err);
    assert_eq!(exitpath(channels).status, 2);
}

#[test]
fn an_empty_token_is_no_token() {
    let scratch = Scratch::new("no-token");
    let file = scratch.write("token", " \n");
    let run = exitpath(["serve", "fixtures/graph-data", "--token-file", text_of(&file)]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("has no token"), "{}", run.err);
}

/// A service is asked as a repository is: by `graph`, `path`, and `simulate`.
#[test]
fn commands_answer_from_a_running_service_as_from_its_repository() {
    let served =
        Served::start(["fixtures/graph-data", "--releases", "fixtures/graphs/releases.json"]);
    let url = format!("http://{}", served.clients);
    let repository =
        ["--repo", "fixtures/graph-data", "--releases", "fixtures/graphs/releases.json"];
    for command in [
        &["path", "4.14.1", "4.15.0", "--channel", "stable-4.15"][..],
        &["path", "4.14.1", "4.15", "--channel", "stable-4.15", "--accept", "EtcdSlowStart"],
        &["path", "4.14.1", "4.15.0", "--channel", "stable-4.14,stable-4.15"],
    ] {
        let of_service = exitpath(command.iter().copied().chain(["--service", &url]));
        let of_repository = exitpath(command.iter().copied().chain(repository));
        assert_eq!(of_service.status, of_repository.status, "{command:?}: {}", of_service.err);
        let first = |run: &crate::Run| run.out.lines().next().map(str::to_owned);
        assert_eq!(first(&of_service), first(&of_repository), "{command:?}");
    }
    let graph = ["graph", "--channel", "stable-4.15", "--service", &url];
    let graph: serde_json::Value = serde_json::from_str(&exitpath(graph).out).unwrap();
    assert!(!graph["nodes"].as_array().unwrap().is_empty());
    let simulate = exitpath(["simulate", "--channel", "stable-4.15", "--service", &url]);
    assert!(simulate.status < 2, "{}", simulate.err);
}
