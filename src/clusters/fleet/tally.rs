//! Counts clusters by what they are offered.

use crate::analysis::Goal;
use crate::domain::HashMap;
use crate::text::Failure;

use super::class::{ClusterClass, ClusterRow, MinorRefusal};
use super::goal::GoalAnswer;
use super::outlook::{ClassOutlook, FleetGraph};
use super::rows::RowFault;

/// All clusters of a fleet, by class.
#[derive(Debug)]
pub(crate) struct Fleet<'g> {
    graph: FleetGraph<'g>,
    /// The graph before a change. None without one.
    before: Option<FleetGraph<'g>>,
    keeps: KeptNames,
    numbers: HashMap<ClusterClass, usize>,
    pub classes: Vec<CountedClass>,
    pub clusters: u64,
    /// The first rows that cannot be used, and the number of all of them.
    pub faults: Vec<RowFault>,
    pub all_faults: u64,
    /// The first clusters that report a different number of updates than their class has, and the
    /// number of all of them.
    pub differences: Vec<Difference>,
    pub all_differences: u64,
    /// The first clusters of each class that refuse updates to another minor version.
    pub refusals: Vec<Refusing>,
    /// The clusters that lose something, if names are kept.
    pub losses: Vec<Loss>,
    /// The names of all clusters and the numbers of their classes, if they are kept.
    pub names: Vec<(Option<String>, usize)>,
}

/// Which clusters are remembered by name. There may be very many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptNames {
    pub all: bool,
    /// The clusters that lose something.
    pub losses: bool,
}

#[derive(Debug)]
pub(crate) struct CountedClass {
    pub class: ClusterClass,
    pub clusters: u64,
    /// How many of them refuse updates to another minor version.
    pub refusing: u64,
    pub outlook: ClassOutlook,
    /// What they were offered before the change. None without one.
    pub before: Option<ClassOutlook>,
}

/// A cluster that reports a different number of recommended updates than its class has.
#[derive(Debug)]
pub(crate) struct Difference {
    pub name: Option<String>,
    pub class: usize,
    pub said: u64,
}

/// A cluster that refuses updates to another minor version.
#[derive(Debug)]
pub(crate) struct Refusing {
    pub name: Option<String>,
    pub class: usize,
    pub refusal: MinorRefusal,
}

/// A cluster that loses all recommended updates, or a path.
#[derive(Debug)]
pub(crate) struct Loss {
    pub name: Option<String>,
    pub class: usize,
}

/// How many classes there may be. Real fleets have hundreds.
const MOST_CLASSES: usize = 200_000;
/// How many examples are kept.
const MOST_EXAMPLES: usize = 100;

impl<'g> Fleet<'g> {
    pub(crate) fn new(
        graph: FleetGraph<'g>,
        before: Option<FleetGraph<'g>>,
        keeps: KeptNames,
    ) -> Self {
        Self {
            graph,
            before,
            keeps,
            numbers: HashMap::default(),
            classes: Vec::new(),
            clusters: 0,
            faults: Vec::new(),
            all_faults: 0,
            differences: Vec::new(),
            all_differences: 0,
            refusals: Vec::new(),
            losses: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Counts a row.
    pub(crate) fn take(&mut self, row: Result<ClusterRow, RowFault>) -> Result<(), Failure> {
        let row = match row {
            Ok(row) => row,
            Err(fault) => {
                self.all_faults += 1;
                if self.faults.len() < MOST_EXAMPLES {
                    self.faults.push(fault);
                }
                return Ok(());
            }
        };
        let ClusterRow { name, count, available, refusal, class } = row;
        let at = self.number(class)?;
        let counted = &mut self.classes[at];
        counted.clusters = counted.clusters.saturating_add(count);
        let all = self.clusters.checked_add(count);
        self.clusters = all.ok_or_else(|| Failure::new("there are too many clusters to count"))?;
        if let Some(said) = available
            && said != counted.outlook.available as u64
        {
            self.all_differences = self.all_differences.saturating_add(count);
            if self.differences.len() < MOST_EXAMPLES {
                self.differences.push(Difference { name: name.clone(), class: at, said });
            }
        }
        if let Some(refusal) = refusal {
            if counted.refusing < MOST_EXAMPLES as u64 && self.refusals.len() < MOST_CLASSES {
                self.refusals.push(Refusing { name: name.clone(), class: at, refusal });
            }
            counted.refusing = counted.refusing.saturating_add(count);
        }
        if self.keeps.losses && counted.loses() {
            self.losses.push(Loss { name: name.clone(), class: at });
        }
        if self.keeps.all {
            self.names.push((name, at));
        }
        Ok(())
    }

    fn number(&mut self, class: ClusterClass) -> Result<usize, Failure> {
        if let Some(number) = self.numbers.get(&class) {
            return Ok(*number);
        }
        if self.classes.len() == MOST_CLASSES {
            let what = format!("the clusters are of more than {MOST_CLASSES} different kinds");
            return Err(Failure::new(what).hint("omit what is different for each cluster"));
        }
        for risk in class.facts.answers.keys() {
            self.refuse_unknown_risk(risk)?;
        }
        let outlook = self.graph.outlook(&class)?;
        let before = self.before.as_mut().map(|before| before.outlook(&class)).transpose()?;
        self.classes.push(CountedClass {
            class: class.clone(),
            clusters: 0,
            refusing: 0,
            outlook,
            before,
        });
        self.numbers.insert(class, self.classes.len() - 1);
        Ok(self.classes.len() - 1)
    }

    /// The place of a class.
    pub(crate) fn position(&self, class: &ClusterClass) -> Option<usize> {
        self.numbers.get(class).copied()
    }

    /// A change may add or remove a risk, so either graph may know it.
    fn refuse_unknown_risk(&self, name: &str) -> Result<(), Failure> {
        let graphs = || [Some(&self.graph), self.before.as_ref()].into_iter().flatten();
        if graphs().any(|graph| graph.knows(name)) {
            return Ok(());
        }
        Err(Failure::unknown("risk", name, graphs().flat_map(FleetGraph::risk_names)))
    }

    /// Whether there is a change to compare with.
    pub(crate) fn is_compared(&self) -> bool {
        self.before.is_some()
    }
}

impl CountedClass {
    /// Whether the clusters lose their last recommended update with the change.
    pub(crate) fn loses_updates(&self) -> bool {
        self.before.as_ref().is_some_and(|before| before.available > 0)
            && self.outlook.available == 0
    }

    /// The goals to which the clusters lose their path with the change.
    pub(crate) fn lost_paths(&self) -> Vec<Goal> {
        let Some(before) = &self.before else { return Vec::new() };
        let own = self.outlook.stranded.iter().copied();
        own.filter(|goal| !before.stranded.contains(goal)).collect()
    }

    /// Whether the clusters no longer get to the goal of the fleet by recommended updates.
    pub(crate) fn loses_goal(&self) -> bool {
        let is_recommended =
            |outlook: &ClassOutlook| outlook.goal.as_ref().is_some_and(GoalAnswer::is_recommended);
        self.before.as_ref().is_some_and(is_recommended) && !is_recommended(&self.outlook)
    }

    pub(crate) fn loses(&self) -> bool {
        self.loses_updates() || self.loses_goal() || !self.lost_paths().is_empty()
    }
}
