// The data of the page: states of the graph, each with channels. Releases, risks, and causes are
// numbers, the same in all states.

const OPEN = 0, CONDITIONAL = 1, BLOCKED = 2, DROPPED = 3, NEVER_CHOSEN = 4;
const GIVEN = 0, UNCERTAIN = 2, UNLIKELY = 3, KINDS = 4;

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (digit) => digit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).json();
}

function sortedNumbers(numbers) {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

// Numbers as runs: how many are omitted, and how many follow.
function unfold(runs) {
  const numbers = [];
  let next = 0;
  for (let at = 0; at < runs.length; at += 2) {
    next += runs[at];
    for (const end = next + runs[at + 1]; next < end; next += 1) numbers.push(next);
  }
  return numbers;
}

class Release {
  constructor({ v, p, u, m }) {
    this.version = v;
    this.isGeneral = !p;
    this.url = u;
    const [major, minor, patch] = (m ?? v).split(/[.+-]/).map(Number);
    Object.assign(this, { major, patch, minor: m ?? `${major}.${minor}`, minorNumber: minor });
  }

  isOfNewerMinorThan(other) {
    const byMajor = this.major - other.major;
    return (byMajor || this.minorNumber - other.minorNumber) > 0;
  }
}

class Risks {
  constructor(risks) {
    this.definitions = risks;
    this.names = [...new Set(risks.map((risk) => risk.name))].sort();
    const numbers = new Map(this.names.map((name, number) => [name, number]));
    this.nameOf = risks.map((risk) => numbers.get(risk.name));
    this.isAlways = this.names.map(() => false);
    this.of = this.names.map(() => []);
    risks.forEach((risk, number) => {
      const name = this.nameOf[number];
      this.of[name].push(risk);
      this.isAlways[name] ||= Boolean(risk.always);
    });
  }

  number(name) {
    const number = this.names.indexOf(name);
    return number < 0 ? null : number;
  }
}

// Why updates are as they are.
class Cause {
  constructor({ s, r = [], f = [], b = false, k }, number, risks, files) {
    this.number = number;
    this.state = s;
    this.definitions = r;
    // The numbers of the names of its risks. Clusters and maintainers know risks by name only.
    this.risks = s === BLOCKED ? [] : sortedNumbers(r.map((risk) => risks.nameOf[risk]));
    this.isTaken = s === OPEN || s === CONDITIONAL;
    this.files = f.map((file) => files[file]);
    this.hidesBlock = b;
    this.metadataKey = k;
  }

  isOpen(affecting) {
    return this.isTaken && !this.risks.some((risk) => affecting[risk]);
  }

  // Whether it is open for clusters that some risks affect, after one of these is removed. The
  // service ignores a block of an update that has a risk.
  isOpenWithout(removed, affecting) {
    const isBlockLeft = this.hidesBlock && this.risks.length === 1 && this.risks[0] === removed;
    return !isBlockLeft && this.risks.every((risk) => risk === removed || !affecting[risk]);
  }
}

class Graph {
  constructor(data) {
    this.title = data.title;
    this.start = data.start;
    this.isLive = data.live;
    // In a catalog, releases are installs of an operator, and no update has a risk.
    this.isCatalog = data.catalog;
    this.noun = data.catalog ? 'install' : 'release';
    this.arches = data.arches;
    this.releases = data.versions.map((version) => new Release(version));
    this.risks = new Risks(data.risks);
    this.causes = data.causes.map((cause, at) => new Cause(cause, at, this.risks, data.files));
    this.lists = data.lists;
    this.clusters = data.clusters.map((cluster) => this.cluster(cluster));
    this.states = data.states.map((state) => new State(this, state));
  }

  // For each name, whether a risk of that name affects the cluster, or might.
  cluster({ name, title, affected }) {
    const affects = this.risks.names.map(() => false);
    const isUnknown = this.risks.names.map(() => false);
    [...affected].forEach((digit, risk) => {
      affects[this.risks.nameOf[risk]] ||= digit !== '0';
      isUnknown[this.risks.nameOf[risk]] ||= digit === '2';
    });
    return { name, title, affects, isUnknown };
  }

  // The updates to a release: calls `take` with each origin, cause, and kind of knowledge.
  eachOrigin(list, take) {
    const runs = this.lists[list];
    let from = 0;
    for (let at = 0; at < runs.length; at += 3) {
      from += runs[at];
      const cause = this.causes[Math.floor(runs[at + 2] / KINDS)];
      const kind = runs[at + 2] % KINDS;
      for (const end = from + runs[at + 1]; from < end; from += 1) take(from, cause, kind);
    }
  }

  find(version) {
    return this.releases.findIndex((release) => release.version === version);
  }
}

class State {
  constructor(graph, { label, notes, updates, unknown_origins: unknown = [], channels }) {
    this.graph = graph;
    this.label = label;
    this.notes = notes;
    this.lists = updates;
    this.unknownOrigins = unknown;
    this.channels = channels.map((channel) => new Channel(channel));
    this.parts = new Map();
  }

  channel(name) {
    return this.channels.find((channel) => channel.name === name);
  }

  // The list of the updates to each release of a channel, for an architecture.
  listsFor(arch, channel = null) {
    const lists = new Map();
    for (const [arches, target, list] of channel?.lists ?? this.lists) {
      if (arches & (1 << arch)) lists.set(target, list);
    }
    return lists;
  }

  // What clusters of a channel and an architecture get. None: the channel has no release for it.
  part(name, arch) {
    const key = `${name} ${arch}`;
    if (!this.parts.has(key)) {
      const channel = this.channel(name);
      const members = channel?.membersFor(arch) ?? [];
      this.parts.set(key, members.length > 0 ? new Part(this, channel, arch, members) : null);
    }
    return this.parts.get(key);
  }
}

class Channel {
  constructor({ name, purpose, has_default_text: isDefault = false, advised = false, minor, members, checked, joined = [], heads, updates }) {
    Object.assign(this, { name, purpose: isDefault ? `${purpose} (default text)` : purpose, isAdvised: advised, minor, lists: updates });
    this.heads = heads && new Set(heads);
    this.groups = members.map(([arches, runs]) => [arches, unfold(runs)]);
    this.checked = new Set(unfold(checked));
    const all = sortedNumbers(this.groups.flatMap(([, releases]) => releases));
    let day = 0;
    this.joined = new Map(joined.map((step, at) => [all[at], (day += step)]));
  }

  membersFor(arch) {
    const group = this.groups.find(([arches]) => arches & (1 << arch));
    return group ? group[1] : [];
  }

  has(release) {
    return this.groups.some(([, releases]) => releases.includes(release));
  }
}
