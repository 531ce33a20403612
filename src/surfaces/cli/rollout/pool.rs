//! `exitpath rollout pool`.

use std::io::Write;

use crate::cli::node_args::MOST_WORK;
use crate::cli::rollout_args::RolloutPoolArgs;
use crate::cli::{Status, Stop};
use crate::pools::{Percentiles, Plan, Pool, Rollout, Time, nodes_of, percentiles};
use crate::report::{PoolRun, PoolsReport, Style};
use crate::rollout::{Objects, Times, made_up, of_pool, refuse_disputed};
use crate::text::Failure;
use crate::text::words::{listed, quoted};

/// More nodes than any cluster has.
const MOST_NODES: usize = 100_000;

pub(super) fn run(
    args: &RolloutPoolArgs,
    style: Style,
    out: &mut dyn Write,
) -> Result<Status, Stop> {
    let times = args.times.times();
    let Pools { mut rollouts, paused, ages } = pools(args, &times)?;
    if let Some(written) = &args.max_unavailable {
        for rollout in &mut rollouts {
            rollout.max_unavailable = Some(written.clone());
        }
    }
    let mut members =
        rollouts.iter().flat_map(|rollout| rollout.members.clone()).collect::<Vec<_>>();
    members.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(name) = times.unknown(&members) {
        let names = members.iter().map(|member| member.name.as_str());
        return Err(Failure::unknown("node", name, names).into());
    }
    let plans: Vec<Plan<'_>> = rollouts.iter().map(plan).collect::<Result<_, _>>()?;
    let runs: Vec<PoolRun<'_>> = plans
        .iter()
        .zip(ages)
        .map(|(plan, age)| pool_run(plan, age, args))
        .collect::<Result<_, _>>()?;
    let report = PoolsReport { runs, paused, times: &times, moments: &args.at, seed: args.seed };
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(report.is_stuck()))
}

struct Pools {
    rollouts: Vec<Rollout>,
    /// The names of pools that are not updated.
    paused: Vec<String>,
    /// How old each pool is, in seconds.
    ages: Vec<u64>,
}

/// The updates of the pools.
fn pools(args: &RolloutPoolArgs, times: &Times) -> Result<Pools, Failure> {
    if !args.nodes.is_empty() {
        let pool = args.pool.as_deref().unwrap_or("worker");
        let rollouts = vec![made_up(pool, &names(&args.nodes)?, times)];
        return Ok(Pools { rollouts, paused: Vec::new(), ages: vec![0] });
    }
    let objects = super::files::objects(&args.files)?;
    refuse_disputed(&objects)?;
    let pools = chosen(&objects, args.pool.as_deref())?;
    let (paused, pools): (Vec<&Pool>, Vec<&Pool>) = pools.into_iter().partition(|pool| pool.paused);
    refuse_arbiter(&objects, &pools)?;
    let ages = pools.iter().map(|pool| objects.age(&pool.name)).collect();
    let rollouts: Vec<Rollout> =
        pools.into_iter().map(|pool| of_pool(&objects, pool, times)).collect();
    let paused: Vec<String> = paused.into_iter().map(|pool| pool.name.clone()).collect();
    if rollouts.is_empty() {
        let names = listed(&quoted(&paused), "and");
        let verb = if paused.len() == 1 { "is" } else { "are" };
        return Err(Failure::new(format!("no node is updated: {names} {verb} paused")));
    }
    Ok(Pools { rollouts, paused, ages })
}

/// The operator updates the control plane and its arbiter together.
fn refuse_arbiter(objects: &Objects, pools: &[&Pool]) -> Result<(), Failure> {
    let is_joined = |pool: &&Pool| ["master", "arbiter"].contains(&pool.name.as_str());
    if !objects.has_arbiter() || !pools.iter().any(is_joined) {
        return Ok(());
    }
    let what =
        "the control plane has an arbiter, and waits for it: such an update is not simulated";
    Err(Failure::new(what).hint("name another pool with `--pool`"))
}

/// The pool that the user names, or all that have nodes.
fn chosen<'o>(objects: &'o Objects, name: Option<&str>) -> Result<Vec<&'o Pool>, Failure> {
    let cluster = &objects.cluster;
    if cluster.pools.is_empty() {
        return Err(Failure::new("the files have no MachineConfigPool"));
    }
    if let Some(name) = name {
        let names = cluster.pools.iter().map(|pool| pool.name.as_str());
        let pool = cluster.pool(name).ok_or_else(|| Failure::unknown("pool", name, names))?;
        return Ok(vec![pool]);
    }
    let has_nodes = |pool: &&Pool| !nodes_of(cluster, pool).is_empty();
    let pools: Vec<&Pool> = cluster.pools.iter().filter(has_nodes).collect();
    if pools.is_empty() {
        return Err(
            Failure::new("no pool has nodes").hint("add the nodes: `oc get mcp,nodes -o yaml`")
        );
    }
    Ok(pools)
}

/// The names of the nodes: `5` is `node-1` to `node-5`.
fn names(nodes: &[String]) -> Result<Vec<String>, Failure> {
    if nodes.iter().any(String::is_empty) {
        return Err(Failure::new("the name of a node is empty"));
    }
    let [only] = nodes else { return Ok(nodes.to_vec()) };
    if only.is_empty() || !only.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(nodes.to_vec());
    }
    // More digits than fit are too many nodes, too.
    let count = only.parse().unwrap_or(usize::MAX);
    if count > MOST_NODES {
        return Err(Failure::new(format!("more than {MOST_NODES} nodes are too many")));
    }
    Ok((1..=count).map(|number| format!("node-{number}")).collect())
}

fn plan(rollout: &Rollout) -> Result<Plan<'_>, Failure> {
    Plan::of(rollout).map_err(|refusal| Failure::new(refusal.to_string()))
}

fn pool_run<'p>(
    plan: &'p Plan<'p>,
    age: u64,
    args: &RolloutPoolArgs,
) -> Result<PoolRun<'p>, Failure> {
    let nodes = plan.rollout().members.len();
    let runs = usize::try_from(args.runs).unwrap_or(usize::MAX);
    let percentiles =
        if plan.is_random() { Some(many(plan, runs, args.seed, nodes)?) } else { None };
    Ok(PoolRun { run: plan.run(Time::middle), age, percentiles })
}

fn many(plan: &Plan<'_>, runs: usize, seed: u64, nodes: usize) -> Result<Percentiles, Failure> {
    let runs = runs.min(MOST_WORK / nodes.max(1)).max(1);
    percentiles(plan, runs, seed).map_err(|refusal| Failure::new(refusal.to_string()))
}
