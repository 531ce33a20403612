// What the drawing shows: a column for each minor, boxes of neighboring releases that are in the same
// situation and whose updates have similar risks, and arrows between boxes.

// The worst situation of a release: what it cannot reach, and for whom.
function situations(part, simulation) {
  const found = part.members.map((_, at) => ({ level: part.isChecked[at] ? 'fine' : 'unchecked', goals: [], isLast: !part.isBehind(at) }));
  for (const one of simulation.shown()) {
    const known = found[one.release];
    known.goals.push(one.goal);
    const isError = one.isCertain && one.isForAll && (one.byRisks || one.goal !== 'patch');
    if (isError) known.level = 'error';
    else if (known.level !== 'error') known.level = 'warning';
  }
  return found;
}

// A column has about this many boxes, if nothing forces more.
const USUAL_BOXES = 7;
// Neighbors whose updates differ less than this always share a box.
const LEAST_DIFFERENCE = 0.15;

// How much the risks of a release's updates differ from those of the release before it.
function difference(before, own) {
  const all = new Set([...before, ...own]);
  const shared = [...own].filter((risk) => before.has(risk)).length;
  return all.size === 0 ? 0 : 1 - shared / all.size;
}

// The places where boxes begin within a minor: where the situation of releases changes, around those
// that stand alone, and where the risks of updates change most.
function beginnings(part, found, alone) {
  const heads = new Set([...new Set(part.members.map(({ minor }) => minor))].map((minor) => part.newestPatch(minor)));
  const isAlone = (at) => alone.has(at) || heads.has(at);
  const look = (at) => JSON.stringify([found[at], part.members[at].minor, part.members[at].isGeneral]);
  const risks = part.members.map((_, at) =>
    new Set([...part.out[at], ...part.into[at]].flatMap(({ cause }) => cause.risks)));
  const begins = new Set();
  const others = new Map();
  part.members.forEach(({ minor }, at) => {
    if (at === 0 || isAlone(at) || isAlone(at - 1) || look(at - 1) !== look(at)) begins.add(at);
    else others.set(minor, [...(others.get(minor) ?? []), { at, step: difference(risks[at - 1], risks[at]) }]);
  });
  for (const [minor, list] of others) {
    const room = USUAL_BOXES - [...begins].filter((at) => part.members[at].minor === minor).length;
    const clear = list.filter(({ step }) => step >= LEAST_DIFFERENCE).sort((a, b) => b.step - a.step || a.at - b.at);
    clear.slice(0, Math.max(0, room)).forEach(({ at }) => begins.add(at));
  }
  return begins;
}

// `alone` are members that get a box of their own; `unfolded` are the first members of boxes whose
// releases are shown one by one.
function boxes(part, found, alone, unfolded) {
  const begins = beginnings(part, found, alone);
  const all = [];
  part.members.forEach(({ minor }, at) => {
    if (begins.has(at)) all.push({ minor, members: [], situation: found[at], number: all.length });
    all.at(-1).members.push(at);
  });
  for (const box of all) {
    box.isUnfolded = box.members.length > 1 && (unfolded.all || unfolded.has(box.members[0]));
  }
  return all;
}

function columnsOf(all) {
  const columns = new Map();
  for (const box of all) columns.set(box.minor, [...(columns.get(box.minor) ?? []), box]);
  return [...columns].map(([minor, list]) => ({ minor, boxes: list }));
}

// What an update is for the chosen clusters.
function lookOf({ cause }, affecting) {
  if (cause.state === BLOCKED || cause.state === NEVER_CHOSEN) return 'blocked';
  if (!cause.isTaken) return 'dropped';
  if (cause.isOpen(affecting)) return cause.risks.length > 0 ? 'spared' : 'open';
  return 'closed';
}

// Updates between boxes, by look.
function arrows(part, all, affecting, updates) {
  const boxOf = [];
  for (const box of all) for (const at of box.members) boxOf[at] = box.number;
  const found = new Map();
  for (const update of updates) {
    const [from, to] = [boxOf[update.from], boxOf[update.to]];
    if (from === to) continue;
    const look = lookOf(update, affecting);
    const key = `${from} ${to} ${look}`;
    const arrow = found.get(key) ?? { from, to, look, count: 0 };
    arrow.count += 1;
    found.set(key, arrow);
  }
  return [...found.values()];
}

// Of many arrows, those that lead from each box to the newest box of each minor that it reaches.
function furthest(all, list) {
  const best = new Map();
  for (const arrow of list) {
    const key = `${arrow.from} ${arrow.look} ${all[arrow.to].minor}`;
    if (!best.has(key) || best.get(key).to < arrow.to) best.set(key, arrow);
  }
  return [...best.values()];
}
