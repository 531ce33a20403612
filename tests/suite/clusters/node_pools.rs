//! Examples of updates, event by event.

use exitpath::testing::pools::{
    Counts, Drain, HOUR, MaxUnavailable, Percentiles, Plan, PoolCondition, PoolMember, Rollout,
    Row, Run, RunEnd, Start, Status, Time, What, percentiles, table,
};

fn member(name: &str, drain: u64, reboot: u64) -> PoolMember {
    PoolMember {
        name: name.to_owned(),
        drain: Drain::Takes(Time::Fixed(drain)),
        reboot: Time::Fixed(reboot),
        ..PoolMember::default()
    }
}

fn rollout(pool: &str, max: i64, members: Vec<PoolMember>) -> Rollout {
    Rollout {
        pool: pool.to_owned(),
        from: format!("rendered-{pool}-1"),
        to: format!("rendered-{pool}-2"),
        max_unavailable: Some(MaxUnavailable::Number(max)),
        operator_node: None,
        members,
    }
}

/// Nodes without zone, from the oldest on, that only reboot.
fn workers(max: i64, times: &[u64]) -> Rollout {
    let nodes = (1..)
        .zip(times)
        .map(|(i, time)| PoolMember { created: Some(i), ..member(&i.to_string(), 0, *time) });
    rollout("worker", max, nodes.collect())
}

fn events(run: &Run<'_>) -> Vec<String> {
    let line = |event: &exitpath::testing::pools::Event| {
        let what = match event.what {
            What::Cordoned => "cordoned",
            What::Degraded => "degraded",
            What::Drained => "drained",
            What::Back => "back",
        };
        format!("{} {} {what}", event.time, run.plan.rollout().name(event.node))
    };
    run.events.iter().map(line).collect()
}

fn stuck(rollout: &Rollout) -> (u64, String) {
    let plan = Plan::of(rollout).unwrap();
    match plan.run(Time::middle).end {
        RunEnd::Stuck(stuck) => (stuck.since, stuck.explain(&plan)),
        RunEnd::Updated(time) => panic!("updated after {time}"),
    }
}

fn refusal(rollout: &Rollout) -> String {
    Plan::of(rollout).unwrap_err().to_string()
}

fn after(node: PoolMember, other: &str) -> PoolMember {
    PoolMember { drain: Drain::After(other.to_owned(), Time::Fixed(0)), ..node }
}

fn never(node: PoolMember) -> PoolMember {
    PoolMember { drain: Drain::Never, ..node }
}

#[test]
fn a_slot_is_refilled_as_soon_as_a_node_is_back() {
    let rollout = workers(3, &[2, 1, 3, 4, 2]);
    let plan = Plan::of(&rollout).unwrap();
    let run = plan.run(Time::middle);
    let expected = [
        "0 1 cordoned",
        "0 2 cordoned",
        "0 3 cordoned",
        "0 1 drained",
        "0 2 drained",
        "0 3 drained",
        "1 2 back",
        "1 4 cordoned",
        "1 4 drained",
        "2 1 back",
        "2 5 cordoned",
        "2 5 drained",
        "3 3 back",
        "4 5 back",
        "5 4 back",
    ];
    assert_eq!(events(&run), expected);
    assert_eq!(run.end, RunEnd::Updated(5));
    let away = |time| {
        let moment = run.at(time);
        let nodes = moment.nodes();
        let away: Vec<&str> = nodes
            .iter()
            .filter(|node| node.is_unavailable())
            .map(|node| node.name.as_str())
            .collect();
        (away.join(" "), moment.counts().updated, moment.counts().unavailable)
    };
    let table: Vec<(String, usize, usize)> = (0..=5).map(away).collect();
    let row = |away: &str, updated| (away.to_owned(), updated, away.split_whitespace().count());
    let expected =
        [row("1 2 3", 0), row("1 3 4", 1), row("3 4 5", 2), row("4 5", 3), row("4", 4), row("", 5)];
    assert_eq!(table, expected);
}

#[test]
fn equal_times_make_waves() {
    for (nodes, max, waves) in [(5, 3, 2), (6, 3, 2), (7, 3, 3), (9, 1, 9), (4, 9, 1)] {
        let rollout = workers(max, &vec![10; nodes]);
        let plan = Plan::of(&rollout).unwrap();
        assert_eq!(plan.run(Time::middle).end, RunEnd::Updated(waves * 10));
        let total = Some(waves * 10);
        let all = percentiles(&plan, 5, 7).unwrap();
        let (min, p50, p90, p99, max) = (total, total, total, total, total);
        assert_eq!(all, Percentiles { runs: 5, stuck: 0, min, p50, p90, p99, max });
    }
}

#[test]
fn the_node_of_the_operator_starts_last() {
    let masters = ["m-1", "m-2", "m-3"].map(|name| member(name, 3, 4)).to_vec();
    let operator_node = Some("m-1".to_owned());
    let rollout = Rollout { operator_node, ..rollout("master", 1, masters) };
    let plan = Plan::of(&rollout).unwrap();
    let run = plan.run(Time::middle);
    let cordoned: Vec<String> =
        events(&run).into_iter().filter(|event| event.ends_with("cordoned")).collect();
    assert_eq!(cordoned, ["0 m-2 cordoned", "7 m-3 cordoned", "14 m-1 cordoned"]);
    assert_eq!(run.end, RunEnd::Updated(21));
}

#[test]
fn a_drain_that_never_ends_takes_two_slots_after_an_hour() {
    let nodes = |slow: u64| {
        let others = ["b", "c", "d", "e"].map(|name| member(name, 0, slow));
        std::iter::once(never(member("a", 0, 0))).chain(others).collect::<Vec<PoolMember>>()
    };
    let two = rollout("worker", 2, nodes(HOUR - 1));
    let (since, why) = stuck(&two);
    assert_eq!(since, 2 * HOUR - 2, "c had started before the hour was over");
    assert_eq!(
        why,
        "a disruption budget never allows the drain of a; no slot is free for d and e: \
         maxUnavailable is 2, 1 node is unavailable, and 1 failing node takes a slot, too"
    );
    let three = rollout("worker", 3, nodes(10));
    assert_eq!(stuck(&three), (HOUR, "a disruption budget never allows the drain of a".to_owned()));
    let plan = Plan::of(&three).unwrap();
    let run = plan.run(Time::middle);
    let before = Counts { machines: 5, ready: 4, updated: 4, unavailable: 1, degraded: 0 };
    assert_eq!(run.at(HOUR - 1).counts(), before);
    let status = run.at(HOUR).status();
    assert_eq!(status.counts, Counts { degraded: 1, ..before });
    let degraded = status.conditions.iter().find(|c| c.kind == "NodeDegraded").unwrap();
    assert_eq!(degraded.reason, "1 nodes are reporting degraded status on sync");
}

#[test]
fn a_drain_that_waits_for_another_node_ends_when_that_is_back() {
    let nodes = vec![after(member("a", 0, 5), "b"), member("b", 0, 7)];
    let rollout = rollout("worker", 2, nodes);
    let plan = Plan::of(&rollout).unwrap();
    let run = plan.run(Time::middle);
    let expected =
        ["0 a cordoned", "0 b cordoned", "0 b drained", "7 b back", "7 a drained", "12 a back"];
    assert_eq!(events(&run), expected);
}

#[test]
fn a_degraded_node_that_drains_at_last_gives_its_second_slot_back() {
    let nodes = vec![after(member("a", 0, 5), "b"), member("b", 0, HOUR + 10), member("c", 0, 1)];
    let rollout = rollout("worker", 2, nodes);
    let plan = Plan::of(&rollout).unwrap();
    let run = plan.run(Time::middle);
    let (end, hour) = (2 * HOUR, HOUR);
    assert_eq!(
        events(&run),
        [
            "0 a cordoned".to_owned(),
            "0 b cordoned".to_owned(),
            "0 b drained".to_owned(),
            format!("{hour} a degraded"),
            format!("{} b back", hour + 10),
            format!("{} a drained", hour + 10),
            format!("{} c cordoned", hour + 10),
            format!("{} c drained", hour + 10),
            format!("{} c back", hour + 11),
            format!("{} a back", hour + 15),
        ]
    );
    assert!(run.end != RunEnd::Updated(end));
}

#[test]
fn a_node_that_holds_the_slot_its_blocker_needs_is_stuck() {
    let nodes = vec![after(member("a", 0, 5), "b"), member("b", 0, 7)];
    assert_eq!(
        stuck(&rollout("worker", 1, nodes)).1,
        "the drain of a waits until b is back; no slot is free for b: maxUnavailable is 1, \
         1 node is unavailable, and 1 failing node takes a slot, too"
    );
}

#[test]
fn a_node_that_is_unavailable_from_the_start_takes_a_slot_for_good() {
    let away = |name| PoolMember { is_unavailable: true, ..member(name, 0, 0) };
    let nodes = vec![away("a"), member("b", 0, 5)];
    assert_eq!(
        stuck(&rollout("worker", 1, nodes.clone())).1,
        "nobody makes a available: cordoned, or not ready; no slot is free for b: \
         maxUnavailable is 1, and 1 node is unavailable"
    );
    let (since, why) = stuck(&rollout("worker", 2, nodes));
    assert_eq!((since, why.as_str()), (5, "nobody makes a available: cordoned, or not ready"));
}

#[test]
fn with_a_negative_maximum_nothing_starts() {
    let (since, why) = stuck(&workers(-1, &[1, 1, 1, 1, 1]));
    let expected = "no slot is free for 1, 2, 3, 4, and 5: with maxUnavailable -1, the operator \
                    never starts a node";
    assert_eq!((since, why.as_str()), (0, expected));
}

#[test]
fn nothing_to_update_is_over_at_once() {
    let updated = PoolMember { start: Start::Updated, ..member("a", 9, 9) };
    let plan = rollout("worker", 1, vec![updated]);
    assert_eq!(Plan::of(&plan).unwrap().run(Time::middle).end, RunEnd::Updated(0));
}

#[test]
fn drains_that_wait_in_a_circle_are_refused() {
    let chain = |names: &[&str]| {
        let next = names.iter().cycle().skip(1);
        let nodes = names.iter().zip(next);
        nodes.map(|(name, other)| after(member(name, 0, 0), other)).collect::<Vec<PoolMember>>()
    };
    let start = "no drain of these nodes can end, because they wait in a circle: ";
    let of = |names: &[&str]| refusal(&rollout("worker", 1, chain(names))).replace(start, "");
    assert_eq!(of(&["a"]), "a waits for itself");
    assert_eq!(of(&["a", "b"]), "a waits for b, which waits for a");
    assert_eq!(of(&["a", "b", "c"]), "a waits for b, which waits for c, which waits for a");
    let names: Vec<String> = (1..=10).map(|i| i.to_string()).collect();
    let many: Vec<&str> = names.iter().map(String::as_str).collect();
    assert!(
        of(&many)
            .ends_with("which waits for 8, which waits for 2 more, the last of which waits for 1")
    );
    let mut led = chain(&["a", "b"]);
    led.insert(0, after(member("c", 0, 0), "a"));
    assert_eq!(refusal(&rollout("worker", 1, led)).replace(start, ""), of(&["a", "b"]));
    let mut broken = chain(&["a", "b"]);
    broken.iter_mut().take(1).for_each(|node| node.start = Start::Updated);
    assert!(Plan::of(&rollout("worker", 1, broken)).is_ok(), "an updated node does not drain");
}

#[test]
fn a_control_plane_keeps_its_quorum() {
    let of = |nodes: usize, max: i64| {
        let masters = (0..nodes).map(|i| member(&i.to_string(), 1, 1)).collect();
        Plan::of(&rollout("master", max, masters)).map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(
        of(3, 3).unwrap_err(),
        "maxUnavailable lets 3 of 3 control-plane nodes be away at once, and etcd loses its \
         quorum with fewer than 2: use 1 or less"
    );
    for (nodes, max) in [(3, 2), (3, 9), (2, 2), (4, 2), (5, 3)] {
        assert!(of(nodes, max).is_err(), "{max} of {nodes}");
    }
    for (nodes, max) in [(1, 1), (2, 1), (3, 1), (5, 2), (1, 4)] {
        assert!(of(nodes, max).is_ok(), "{max} of {nodes}");
    }
}

#[test]
fn other_rollouts_that_make_no_sense_are_refused() {
    let with_max = |text: &str| {
        let max_unavailable = Some(MaxUnavailable::Text(text.to_owned()));
        refusal(&Rollout { max_unavailable, ..workers(1, &[1, 1]) })
    };
    assert_eq!(with_max("101%"), "maxUnavailable 101% is more than all nodes: use 100% or less");
    assert!(with_max("x").ends_with("string is not a percentage"));
    let empty = refusal(&workers(1, &[]));
    assert_eq!(empty, "the pool worker has no nodes, so there is nothing to update");
    let of = |nodes: Vec<PoolMember>| refusal(&rollout("worker", 1, nodes));
    assert_eq!(of(vec![member("a", 1, 1), member("a", 1, 1)]), "two nodes have the name a");
    assert_eq!(
        of(vec![after(member("a", 1, 1), "b")]),
        "the drain of a waits for b, which is not in the pool"
    );
    let backwards = PoolMember { reboot: Time::Between(9, 3), ..member("a", 1, 1) };
    assert_eq!(
        of(vec![backwards]),
        "a time of a is from 9 to 3 seconds: put the smaller number first"
    );
    let rollout = workers(1, &[1]);
    let error = percentiles(&Plan::of(&rollout).unwrap(), 0, 1).unwrap_err();
    assert_eq!(error.to_string(), "percentiles need at least one run");
}

#[test]
fn percentiles_of_one_node_are_the_quantiles_of_its_time() {
    let node = PoolMember { reboot: Time::Between(1_000, 11_000), ..member("a", 0, 0) };
    let rollout = rollout("worker", 1, vec![node]);
    let plan = Plan::of(&rollout).unwrap();
    let found = percentiles(&plan, 20_000, 42).unwrap();
    assert_eq!(found, percentiles(&plan, 20_000, 42).unwrap());
    assert_ne!(found, percentiles(&plan, 20_000, 43).unwrap());
    let quantiles = [
        (found.min, 1_000),
        (found.p50, 6_000),
        (found.p90, 10_000),
        (found.p99, 10_900),
        (found.max, 11_000),
    ];
    for (found, exact) in quantiles {
        assert!(found.unwrap().abs_diff(exact) < 150, "{found:?} and {exact}");
    }
}

#[test]
fn percentiles_of_an_update_that_gets_stuck_are_unknown() {
    let rollout = rollout("worker", 1, vec![never(member("a", 0, 0))]);
    let found = percentiles(&Plan::of(&rollout).unwrap(), 3, 1).unwrap();
    assert_eq!((found.runs, found.stuck, found.min, found.max), (3, 3, None, None));
}

#[test]
fn five_thousand_nodes_have_three_events_each() {
    for max in [MaxUnavailable::Number(1), MaxUnavailable::Text("30%".to_owned())] {
        let times: Vec<u64> = (0..5_000).map(|i| 300 + i * 7_919 % 601).collect();
        let rollout = Rollout { max_unavailable: Some(max), ..workers(1, &times) };
        let plan = Plan::of(&rollout).unwrap();
        let run = plan.run(Time::middle);
        assert_eq!(run.events.len(), 15_000);
    }
}

#[test]
fn the_table_is_that_of_oc() {
    let condition = |kind: &str, is: bool| PoolCondition {
        kind: kind.to_owned(),
        status: if is { "True" } else { "False" }.to_owned(),
        ..PoolCondition::default()
    };
    let row = |name: &str, config: &str, is_updated: bool, counts: Counts| Row {
        name: name.to_owned(),
        status: Status {
            counts,
            completed: config.to_owned(),
            conditions: vec![
                condition("Updated", is_updated),
                condition("Updating", !is_updated),
                condition("Degraded", false),
            ],
        },
        age: 22 * HOUR + 17,
    };
    let counts = |machines, ready, updated| Counts {
        machines,
        ready,
        updated,
        unavailable: machines - ready,
        degraded: 0,
    };
    let master = "rendered-master-acd1358917e9f98cbdb599aea622d78b";
    let worker = "rendered-worker-1d871ac76e1951d32b2fe92369879826";
    let longest = "rendered-worker-cnf-1d871ac76e1951d32b2fe92369879826";
    let printed = table(&[
        row("master", master, true, counts(3, 3, 3)),
        row("worker", worker, false, counts(2, 1, 1)),
        row("worker-cnf", longest, true, counts(1, 1, 1)),
    ]);
    // The documents omit the third pool, which makes two columns wider.
    let expected = "\
NAME         CONFIG                                                 UPDATED   UPDATING   DEGRADED   MACHINECOUNT   READYMACHINECOUNT   UPDATEDMACHINECOUNT   DEGRADEDMACHINECOUNT   AGE
master       rendered-master-acd1358917e9f98cbdb599aea622d78b       True      False      False      3              3                   3                     0                      22h
worker       rendered-worker-1d871ac76e1951d32b2fe92369879826       False     True       False      2              1                   1                     0                      22h
";
    assert!(printed.starts_with(expected), "{printed}");
}

#[test]
fn a_pool_midway_is_updating_in_the_table() {
    let rollout = workers(1, &[10, 10]);
    let plan = Plan::of(&rollout).unwrap();
    let run = plan.run(Time::middle);
    let line = |time: u64| {
        let status = run.at(time).status();
        let printed = table(&[Row { name: "worker".to_owned(), status, age: 90 * 60 }]);
        let cells: Vec<&str> = printed.lines().nth(1).unwrap().split_whitespace().collect();
        cells.join(" ")
    };
    assert_eq!(line(0), "worker rendered-worker-1 False True False 2 0 0 0 90m");
    assert_eq!(line(10), "worker rendered-worker-1 False True False 2 1 1 0 90m");
    assert_eq!(line(20), "worker rendered-worker-2 True False False 2 2 2 0 90m");
}

#[test]
fn the_tallies_are_the_counts_of_each_moment() {
    let nodes = vec![
        after(member("a", 0, 5), "b"),
        member("b", 0, HOUR + 10),
        member("c", 0, 1),
        PoolMember { is_unavailable: true, start: Start::Updated, ..member("d", 0, 1) },
        never(member("e", 0, 0)),
    ];
    let rollout = rollout("worker", 4, nodes);
    let plan = Plan::of(&rollout).unwrap();
    let run = plan.run(Time::middle);
    let tallies = run.tallies();
    let times: Vec<u64> = tallies.iter().map(|tally| tally.time).collect();
    assert_eq!(times, [0, 1, HOUR, HOUR + 1, HOUR + 10, HOUR + 15]);
    for tally in tallies {
        assert_eq!(tally.counts, run.at(tally.time).counts(), "{}", tally.time);
    }
}
