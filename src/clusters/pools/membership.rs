//! Which pool a node is in.

use std::fmt;

use super::cluster::Cluster;
use super::node::Node;
use super::pool::Pool;

/// More than one custom pool selects this node, so the operator ignores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TooManyRoles {
    pub node: String,
    pub roles: usize,
}

impl fmt::Display for TooManyRoles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, roles } = self;
        write!(f, "node {node} belongs to {roles} custom roles, cannot proceed with this Node")
    }
}

impl std::error::Error for TooManyRoles {}

/// The pool that a node is in. None if no pool selects it, or if it runs Windows.
pub(crate) fn pool_of<'c>(
    pools: &'c [Pool],
    node: &Node,
) -> Result<Option<&'c Pool>, TooManyRoles> {
    if node.labels.get("kubernetes.io/os").is_some_and(|os| os == "windows") {
        return Ok(None);
    }
    let named = |name: &str| pools.iter().find(|pool| pool.name == name && selects(pool, node));
    let (master, arbiter, worker) = (named("master"), named("arbiter"), named("worker"));
    let custom = custom_pools(pools, node);
    match custom.as_slice() {
        [] => Ok(master.or(arbiter).or(worker)),
        [only] => Ok(master.or(arbiter).or(Some(*only))),
        _ => Err(TooManyRoles { node: node.name.clone(), roles: custom.len() }),
    }
}

/// The custom pools that select a node. If there is more than one, the operator ignores the node.
pub(crate) fn custom_pools<'c>(pools: &'c [Pool], node: &Node) -> Vec<&'c Pool> {
    let is_custom = |pool: &&Pool| !["master", "arbiter", "worker"].contains(&pool.name.as_str());
    pools.iter().filter(is_custom).filter(|pool| selects(pool, node)).collect()
}

/// The nodes of a pool, in the order of the cluster.
pub fn nodes_of<'c>(cluster: &'c Cluster, pool: &Pool) -> Vec<&'c Node> {
    let is_in = |node: &&Node| match pool_of(&cluster.pools, node) {
        Ok(Some(its)) => its.name == pool.name,
        Ok(None) | Err(_) => false,
    };
    cluster.nodes.iter().filter(is_in).collect()
}

/// An empty selector selects nothing.
fn selects(pool: &Pool, node: &Node) -> bool {
    !pool.node_selector.is_empty()
        && pool.node_selector.iter().all(|(key, value)| node.labels.get(key) == Some(value))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::node::Node;
    use super::super::pool::Pool;
    use super::pool_of;

    fn labels(names: &str) -> BTreeMap<String, String> {
        names.split_whitespace().map(|name| (name.to_owned(), String::new())).collect()
    }

    fn of(names: &str) -> Result<Option<String>, String> {
        let pool = |name: &str, selector: &str| Pool {
            name: name.to_owned(),
            node_selector: labels(selector),
            ..Pool::default()
        };
        let pools = ["master", "arbiter", "worker", "infra", "logs"].map(|name| pool(name, name));
        let pools = [&pools[..], &[pool("empty", "")]].concat();
        let node = Node { name: "n".to_owned(), labels: labels(names), ..Node::default() };
        let found = pool_of(&pools, &node).map_err(|error| error.to_string());
        found.map(|pool| pool.map(|pool| pool.name.clone()))
    }

    #[test]
    fn the_control_plane_is_before_custom_pools_and_those_before_workers() {
        let pool = |name: &str| Ok(Some(name.to_owned()));
        assert_eq!(of("worker"), pool("worker"));
        assert_eq!(of("worker infra"), pool("infra"));
        assert_eq!(of("infra"), pool("infra"));
        assert_eq!(of("worker master infra"), pool("master"));
        assert_eq!(of("arbiter infra"), pool("arbiter"));
        assert_eq!(of("other"), Ok(None));
    }

    #[test]
    fn a_node_of_two_custom_pools_is_left_alone() {
        let error = "node n belongs to 2 custom roles, cannot proceed with this Node";
        assert_eq!(of("master infra logs"), Err(error.to_owned()));
    }
}
