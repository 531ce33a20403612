// Paths of a release in its channel: what `exitpath path` answers for one channel.

// The path with the fewest updates to one of the targets. None if there is none.
function shortestPath(part, from, isTarget, isUsed) {
  const last = new Map([[from, null]]);
  const next = [from];
  for (let at = 0; at < next.length; at += 1) {
    const here = next[at];
    if (here !== from && isTarget(here)) return traceBack(last, here);
    for (const update of part.out[here]) {
      if (isUsed(update) && !last.has(update.to)) {
        last.set(update.to, update);
        next.push(update.to);
      }
    }
  }
  return null;
}

function traceBack(last, end) {
  const hops = [];
  for (let hop = last.get(end); hop; hop = last.get(hop.from)) hops.unshift(hop);
  return hops;
}

const MOST_PARTIAL_PATHS = 50000;

// The path with the fewest different risks, and of those one with the fewest updates. `closing`
// returns the risks that close an update. Undefined if there are too many paths.
function safestPath(part, from, isTarget, isUsed, closing) {
  const bits = new Map();
  const bit = (risk) => {
    if (!bits.has(risk)) bits.set(risk, 1n << BigInt(bits.size));
    return bits.get(risk);
  };
  const count = (mask) => mask.toString(2).replaceAll('0', '').length;
  const best = new Map();
  const queues = [[{ at: from, mask: 0n, hops: 0, hop: null, before: null }]];
  const isWorse = (path) => (best.get(path.at) ?? []).some((known) =>
    (known.mask & path.mask) === known.mask && known.hops <= path.hops);
  let partial = 0;
  for (let risks = 0; risks < queues.length; risks += 1) {
    const queue = queues[risks] ?? [];
    for (let at = 0; at < queue.length; at += 1) {
      const path = queue[at];
      if (isWorse(path)) continue;
      best.set(path.at, [...(best.get(path.at) ?? []), path]);
      if (path.hop && isTarget(path.at)) return hopsOf(path);
      partial += 1;
      if (partial > MOST_PARTIAL_PATHS) return undefined;
      for (const hop of part.out[path.at].filter(isUsed)) {
        const mask = closing(hop).reduce((all, risk) => all | bit(risk), path.mask);
        const longer = { at: hop.to, mask, hops: path.hops + 1, hop, before: path };
        if (!isWorse(longer)) (queues[count(mask)] ??= []).push(longer);
      }
      // Paths with as many risks are tried in order of their length.
      queue.splice(at + 1, queue.length, ...queue.slice(at + 1).sort((a, b) => a.hops - b.hops));
    }
  }
  return null;
}

function hopsOf(path) {
  const hops = [];
  for (let here = path; here.hop; here = here.before) hops.unshift(here.hop);
  return hops;
}

// The best path of a release to one of the targets, and the risks that it takes. Pre-releases are
// used only if there is no other path.
function bestPath(part, from, isTarget, affecting) {
  const closing = ({ cause }) => cause.risks.filter((risk) => affecting[risk]);
  const isUsual = ({ to }) => part.members[to].isGeneral || isTarget(to);
  const hasPath = (isUsed) => shortestPath(part, from, isTarget, isUsed) !== null;
  const isUsed = hasPath(isUsual) ? isUsual : () => true;
  const isFree = (update) => isUsed(update) && closing(update).length === 0;
  const hops = shortestPath(part, from, isTarget, isFree)
    ?? safestPath(part, from, isTarget, isUsed, closing)
    ?? shortestPath(part, from, isTarget, isUsed);
  return hops && { hops, risks: sortedNumbers(hops.flatMap(closing)) };
}

// The closed updates that a stranded release can get to, with a path from their target to the goal if
// risks are ignored. Those with an open path come first, then those that are the fewest updates away,
// then those with the newest targets.
function nearestExits(part, one, affecting) {
  const isOpen = ({ cause }) => cause.isOpen(affecting);
  const own = part.members[one.release].minor;
  const minor = one.goal === 'patch' ? own : part.channel.minor;
  const targets = one.goal === 'any' ? part.members.map(() => true) : targetsOf(part, one.goal, minor);
  const reaches = reaching(part, targets, isOpen);
  const ever = reaching(part, targets, () => true);
  const away = new Map([[one.release, 0]]);
  const next = [one.release];
  const exits = [];
  for (let at = 0; at < next.length; at += 1) {
    const from = next[at];
    for (const update of [...part.out[from], ...part.closed[from]]) {
      if (part.out[from].includes(update) && isOpen(update)) {
        if (!away.has(update.to)) {
          away.set(update.to, away.get(from) + 1);
          next.push(update.to);
        }
      } else if (ever[update.to] && update.cause.state !== DROPPED) {
        exits.push({ update, leadsOn: reaches[update.to], hops: away.get(from) });
      }
    }
  }
  return exits.sort((a, b) => b.leadsOn - a.leadsOn || a.hops - b.hops
    || b.update.to - a.update.to || a.update.from - b.update.from);
}
