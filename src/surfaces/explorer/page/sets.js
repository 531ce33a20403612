// The smallest sets of risks that close every path to a goal. A set is a sorted list. A set closes
// all paths of a release if it closes each of its updates: the update itself, or all paths of its
// target.

const MOST_SETS = 100000;

const contains = (set, other) => other.every((risk) => set.includes(risk));

// The sets that contain no other set, smallest first.
function minimal(sets) {
  const order = (a, b) => a.length - b.length || compare(a, b);
  const kept = [];
  for (const set of [...sets].sort(order)) {
    if (!kept.some((smaller) => contains(set, smaller))) kept.push(set);
  }
  return kept;
}

function compare(a, b) {
  const at = a.findIndex((risk, place) => risk !== b[place]);
  return at < 0 ? 0 : a[at] - b[at];
}

// The sets that close all updates of a list. Each item has the sets that close one update.
function allClosed(all, size) {
  let family = [[]];
  for (const closing of [...all].sort((a, b) => a.length - b.length)) {
    if (family.length * closing.length > MOST_SETS) return [];
    const isDone = (set) => closing.some((one) => contains(set, one));
    const open = family.filter((set) => !isDone(set));
    if (open.length === 0) continue;
    const larger = open.flatMap((set) => closing.map((one) => sortedNumbers([...set, ...one])));
    const small = larger.filter((set) => set.length <= size);
    family = minimal([...family.filter(isDone), ...small]);
    if (family.length === 0) break;
  }
  return family;
}

// For each release, the smallest sets of risks that close every path to the goal.
function strandingSets(part, { goal, minor }, affecting, size) {
  const alone = ({ cause }) => cause.risks.filter((risk) => affecting[risk]).map((risk) => [risk]);
  if (goal === 'any') return part.out.map((out) => allClosed(out.map(alone), size));
  const targets = targetsOf(part, goal, minor);
  // At first, no path is known. Then the empty set closes all paths.
  const sets = targets.map((isTarget) => (isTarget ? [] : [[]]));
  const own = (at) => allClosed(
    part.out[at].map((update) => minimal([...alone(update), ...sets[update.to]])), size);
  const isSame = (a, b) => a.length === b.length && a.every((set, at) => compareSets(set, b[at]));
  // From the newest release, one round is enough if all updates lead to newer releases.
  const mayChange = part.updates.some((update) => update.to <= update.from);
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (let at = targets.length - 1; at >= 0; at -= 1) {
      if (targets[at]) continue;
      const now = own(at);
      hasChanged ||= mayChange && !isSame(now, sets[at]);
      sets[at] = now;
    }
  }
  return sets;
}

function compareSets(a, b) {
  return a.length === b.length && compare(a, b) === 0;
}
