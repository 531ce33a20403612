// Which releases are stranded for clusters that some risks affect: what `exitpath simulate` answers.

const GOALS = ['any', 'patch', 'minor', 'head'];
const LARGEST_SET = 3;

// A goal and the minor that it is about.
function targetsOf(part, goal, minor) {
  if (goal === 'patch') {
    const newest = part.newestPatch(minor);
    return part.members.map((_, at) => at === newest);
  }
  if (goal === 'head') return part.numbers.map((number) => part.channel.heads.has(number));
  return part.members.map((release) => release.minor === minor);
}

// For each release, whether it has an open update.
function leaving(part, isOpen, withUnlikely) {
  const leaves = part.out.map((out) => out.some(isOpen));
  if (withUnlikely) {
    part.unlikely.forEach((out, from) => (leaves[from] ||= out.length > 0));
    const newest = part.unknownOrigins.at(-1) ?? 0;
    leaves.fill(true, 0, newest);
  }
  return leaves;
}

// For each release, whether it can get to a target over open updates.
function reaching(part, targets, isOpen, withUnlikely) {
  const reaches = [...targets];
  const next = reaches.flatMap((isTarget, at) => (isTarget ? [at] : []));
  const unlikelyInto = withUnlikely ? part.unlikely.flat() : [];
  const reach = (at) => {
    if (reaches[at]) return;
    reaches[at] = true;
    next.push(at);
  };
  while (next.length > 0) {
    const at = next.pop();
    if (withUnlikely && part.unknownOrigins.includes(at)) {
      for (let older = 0; older < at; older += 1) reach(older);
    }
    for (const update of part.into[at]) if (isOpen(update)) reach(update.from);
    for (const update of unlikelyInto) if (update.to === at) reach(update.from);
  }
  return reaches;
}

// The goals of a channel, each with the checked releases that must reach it.
function aims(part) {
  const checked = part.members.flatMap((_, at) =>
    part.isChecked[at] && part.isBehind(at) ? [at] : []);
  const all = [{ goal: 'any', minor: null, origins: checked }];
  if (part.channel.heads) return [...all, { goal: 'head', minor: null, origins: checked }];
  const minorOf = (at) => part.members[at].minor;
  for (const minor of new Set(checked.map(minorOf))) {
    const origins = checked.filter((at) =>
      minorOf(at) === minor && at !== part.newestPatch(minor) && part.hasNewerPatch(at));
    all.push({ goal: 'patch', minor, origins });
  }
  const { minor } = part.channel;
  if (minor) {
    all.push({ goal: 'minor', minor, origins: checked.filter((at) => minorOf(at) !== minor) });
  }
  return all;
}

class Simulation {
  // `affecting` says for each name of a risk whether it affects the clusters.
  constructor(part, affecting) {
    this.part = part;
    this.affecting = affecting;
    const { isAlways } = part.state.graph.risks;
    this.always = affecting.map((affects, risk) => affects && isAlways[risk]);
    this.stranded = aims(part).flatMap((aim) => this.strandedFor(aim));
    const byGoal = (one) => GOALS.indexOf(one.goal);
    this.stranded.sort((a, b) => a.release - b.release || byGoal(a) - byGoal(b));
    this.ranking = this.rank();
  }

  reaching({ goal, minor }, isOpen, withUnlikely = false) {
    if (goal === 'any') return leaving(this.part, isOpen, withUnlikely);
    return reaching(this.part, targetsOf(this.part, goal, minor), isOpen, withUnlikely);
  }

  strandedFor(aim) {
    const isOpen = ({ cause }) => cause.isOpen(this.affecting);
    const reaches = this.reaching(aim, isOpen);
    const lost = aim.origins.filter((at) => !reaches[at]);
    if (lost.length === 0) return [];
    const ever = this.reaching(aim, () => true);
    const least = this.reaching(aim, ({ cause }) => cause.isOpen(this.always));
    const possibly = (isUsed) => (this.part.hasDoubts ? this.reaching(aim, isUsed, true) : null);
    const [mayReach, mayEver] = [possibly(isOpen), possibly(() => true)];
    const sets = strandingSets(this.part, aim, this.affecting, LARGEST_SET);
    const helpful = this.lastRisks(aim, reaches);
    const without = new Map();
    const reachesWithout = (risk) => {
      const isOpenNow = ({ cause }) => cause.isOpenWithout(risk, this.affecting);
      if (!without.has(risk)) without.set(risk, this.reaching(aim, isOpenNow));
      return without.get(risk);
    };
    return lost.map((at) => {
      const byRisks = ever[at];
      const doubt = byRisks ? mayReach : mayEver;
      const own = byRisks ? sets[at] : [[]];
      const candidates = helpful.filter((risk) => own.every((set) => set.includes(risk)));
      const exits = this.part.out[at].filter((update) => !isOpen(update));
      return {
        release: at,
        goal: aim.goal,
        byRisks,
        isForAll: !least[at],
        isCertain: !doubt || !doubt[at],
        sets: own,
        exits,
        risks: byRisks ? sortedNumbers(exits.flatMap(({ cause }) => cause.risks)) : [],
        unblockedBy: candidates.filter((risk) => reachesWithout(risk)[at]),
      };
    });
  }

  // The risks that alone close an update to a release that reaches the goal.
  lastRisks({ goal }, reaches) {
    const last = new Set();
    for (const { to, cause } of this.part.updates) {
      if (goal !== 'any' && !reaches[to]) continue;
      const closing = cause.risks.filter((risk) => this.affecting[risk]);
      if (closing.length === 1) last.add(closing[0]);
    }
    return sortedNumbers(last);
  }

  // The risks that strand releases, sorted by what the removal of each alone unblocks.
  rank() {
    const helped = new Map();
    const inSets = new Map();
    let allSets = 0;
    for (const { release, unblockedBy, sets } of this.stranded) {
      const known = helped.get(release) ?? unblockedBy;
      helped.set(release, known.filter((risk) => unblockedBy.includes(risk)));
      for (const set of sets.filter((one) => one.length > 0)) {
        allSets += 1;
        for (const risk of set) inSets.set(risk, (inSets.get(risk) ?? 0) + 1);
      }
    }
    const releases = (risk) => [...helped.values()].filter((by) => by.includes(risk)).length;
    const ranked = [...inSets].map(([risk, sets]) =>
      ({ risk, releases: releases(risk), sets, allSets }));
    return ranked.sort((a, b) => b.releases - a.releases || b.sets - a.sets || a.risk - b.risk);
  }

  // The stranded releases to show. A release without any exit is shown only for the goal `any`.
  shown() {
    const without = new Set(this.stranded.filter((one) => one.goal === 'any').map((one) => one.release));
    return this.stranded.filter((one) => one.goal === 'any' || !without.has(one.release));
  }
}
