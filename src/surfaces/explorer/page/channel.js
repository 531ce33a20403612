// The part of a graph that clusters of one channel and architecture get. A member is the place of a
// release in the channel, oldest first.

class Part {
  constructor(state, channel, arch, members) {
    this.state = state;
    this.channel = channel;
    this.arch = arch;
    this.numbers = members;
    this.members = members.map((number) => state.graph.releases[number]);
    this.places = new Map(members.map((number, place) => [number, place]));
    this.isChecked = members.map((number) => channel.checked.has(number));
    const unknown = state.unknownOrigins.filter(([arches]) => arches & (1 << arch));
    const places = unknown.map(([, number]) => this.places.get(number));
    this.unknownOrigins = sortedNumbers(places.filter((place) => place !== undefined));
    this.readUpdates(state.listsFor(arch, channel));
  }

  readUpdates(lists) {
    const { graph } = this.state;
    // The updates that clusters may take, those that they never take, and those that probably do
    // not exist: by origin, newest target first.
    [this.out, this.closed, this.unlikely] = [1, 2, 3].map(() => this.members.map(() => []));
    this.into = this.members.map(() => []);
    for (let to = this.members.length - 1; to >= 0; to -= 1) {
      const list = lists.get(this.numbers[to]);
      if (list === undefined) continue;
      graph.eachOrigin(list, (number, cause, kind) => {
        const from = this.places.get(number);
        if (from === undefined) return;
        const update = { from, to, cause, kind };
        if (kind === UNLIKELY) this.unlikely[from].push(update);
        else if (cause.isTaken) {
          this.out[from].push(update);
          this.into[to].push(update);
        } else this.closed[from].push(update);
      });
    }
    this.updates = this.out.flat();
    this.hasDoubts = this.unknownOrigins.length > 0 || this.unlikely.some((of) => of.length > 0)
      || this.updates.some((update) => update.kind === UNCERTAIN);
    const conditional = this.updates.filter((update) => update.cause.risks.length > 0);
    this.conditional = conditional.length;
    this.open = this.updates.length - this.conditional;
  }

  // The risks of its updates, with how many have each.
  riskCounts() {
    const counts = new Map();
    for (const { cause } of this.updates) {
      for (const risk of cause.risks) counts.set(risk, (counts.get(risk) ?? 0) + 1);
    }
    return counts;
  }

  // The newest of some releases. A pre-release counts only if none is generally available.
  newest(isWanted) {
    let newest = null;
    for (let at = this.members.length - 1; at >= 0; at -= 1) {
      if (!isWanted(this.members[at])) continue;
      if (this.members[at].isGeneral) return at;
      newest ??= at;
    }
    return newest;
  }

  head() {
    return this.newest(() => true);
  }

  newestPatch(minor) {
    return this.newest((release) => release.minor === minor);
  }

  hasNewerPatch(at) {
    const own = this.members[at];
    const place = this.newestPatch(own.minor);
    const newest = this.members[place];
    const steps = [newest.patch - own.patch, newest.isGeneral - own.isGeneral, place - at];
    return (steps.find((step) => step !== 0) ?? 0) > 0;
  }

  // Whether the channel has something newer for a release to reach.
  isBehind(at) {
    if (this.channel.heads) return !this.channel.heads.has(this.numbers[at]);
    const head = this.head();
    return head !== null && at !== head
      && !this.members[at].isOfNewerMinorThan(this.members[head]);
  }
}
