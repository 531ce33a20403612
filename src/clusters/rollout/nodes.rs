//! Makes the update of a pool, from the objects of a cluster or from a number of nodes.

use std::collections::BTreeMap;

use super::objects::Objects;
use super::pool_view::disputed;
use crate::pools::{Drain, Node, Pool, PoolMember, Rollout, Start, Time, ZONE, nodes_of};
use crate::text::Failure;

/// How long nodes of a pool take.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    pub drain: Drain,
    pub reboot: Time,
    /// The drains of single nodes, by name.
    pub drains: BTreeMap<String, Drain>,
    pub reboots: BTreeMap<String, Time>,
}

impl Times {
    fn of(&self, member: PoolMember) -> PoolMember {
        let drain = self.drains.get(&member.name).unwrap_or(&self.drain).clone();
        let reboot = self.reboots.get(&member.name).copied().unwrap_or(self.reboot);
        PoolMember { drain, reboot, ..member }
    }

    /// A node with a time of its own that is not one of these nodes.
    pub(crate) fn unknown<'t>(&'t self, members: &[PoolMember]) -> Option<&'t str> {
        let mut named = self.drains.keys().chain(self.reboots.keys());
        named.find(|name| members.iter().all(|member| member.name != **name)).map(String::as_str)
    }
}

/// The update of a made-up pool. Its nodes are in the order in which the operator chooses them.
pub(crate) fn made_up(pool: &str, names: &[String], times: &Times) -> Rollout {
    let member = |(created, name): (i64, &String)| {
        times.of(PoolMember { name: name.clone(), created: Some(created), ..PoolMember::default() })
    };
    Rollout {
        pool: pool.to_owned(),
        from: format!("rendered-{pool}-old"),
        to: format!("rendered-{pool}-new"),
        max_unavailable: None,
        operator_node: None,
        members: (0..).zip(names).map(member).collect(),
    }
}

/// Refuses objects with a node that the operator ignores because it is in two pools.
pub(crate) fn refuse_disputed(objects: &Objects) -> Result<(), Failure> {
    match disputed(objects).first().map(|(node, pools)| (node, pools.as_slice())) {
        Some((node, [one, other, ..])) => Err(Failure::new(format!(
            "the node `{}` is in two pools, `{}` and `{}`, so the operator leaves it alone",
            node.name, one.name, other.name
        ))),
        _ => Ok(()),
    }
}

/// The rest of the update of a pool.
pub(crate) fn of_pool(objects: &Objects, pool: &Pool, times: &Times) -> Rollout {
    let nodes = nodes_of(&objects.cluster, pool);
    let members = nodes.into_iter().map(|node| times.of(member(pool, node)));
    Rollout {
        pool: pool.name.clone(),
        from: pool.completed.clone(),
        to: pool.target.clone(),
        max_unavailable: pool.max_unavailable.clone(),
        operator_node: objects.cluster.operator_node.clone(),
        members: members.collect(),
    }
}

fn member(pool: &Pool, node: &Node) -> PoolMember {
    let is_told = node.is_told(&pool.target);
    let start = if node.is_updated_to(&pool.target) {
        Start::Updated
    } else if is_told && node.is_failing() {
        Start::Failing
    } else if is_told {
        Start::Begun
    } else if node.is_ready() && node.is_unavailable() {
        Start::Unfinished
    } else {
        Start::Waiting
    };
    PoolMember {
        name: node.name.clone(),
        zone: node.labels.get(ZONE).cloned(),
        created: node.created,
        start,
        is_unavailable: !node.is_ready() && start != Start::Begun,
        ..PoolMember::default()
    }
}
