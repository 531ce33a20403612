// All that follows from what is shown: the part of the graph, what is stranded, boxes, and arrows.

class View {
  constructor(graph, shown, act) {
    this.graph = graph;
    this.shown = shown;
    Object.assign(this, act);
    this.state = graph.states.find((state) => state.label === shown.state) ?? graph.states.at(-1);
    this.part = this.chosenPart();
    this.affecting = this.chosenRisks();
    this.simulation = this.simulate(this.part);
    this.situations = situations(this.part, this.simulation);
    this.release = this.place(shown.release);
    this.path = this.findPath();
    this.boxes = boxes(this.part, this.situations, this.alone(), this.unfolded());
    this.arrows = this.findArrows();
    this.summary = this.summarize();
    this.missing = this.findMissing();
  }

  stateBefore() {
    return this.graph.states[this.graph.states.indexOf(this.state) - 1];
  }

  // The channels in which something differs from the state before.
  changedChannels() {
    const before = this.stateBefore();
    return before ? changedChannels(before, this.state) : [];
  }

  // The chosen channel for the chosen architecture, or else one that changed, or else the newest that
  // clusters should use.
  chosenPart() {
    const { shown, state, graph } = this;
    const arches = [graph.arches.indexOf(shown.arch), ...graph.arches.keys()].filter((arch) => arch >= 0);
    const newest = (list) => [...list].sort((a, b) => compareMinors(b.minor, a.minor));
    const advised = newest(state.channels.filter((channel) => channel.isAdvised));
    const stable = advised.filter((channel) => channel.name.startsWith('stable-'));
    const changed = shown.channel === '' && shown.tab === 'changes' ? newest(this.changedChannels()) : [];
    const names = [shown.channel, ...[...changed, ...stable, ...advised, ...state.channels].map((channel) => channel.name)];
    for (const name of names) {
      for (const arch of arches) {
        const part = state.part(name, arch);
        if (part) return part;
      }
    }
    return new Part(state, new Channel({ name: shown.channel, members: [], checked: [] }), 0, []);
  }

  // What the address names, but the graph does not have.
  findMissing() {
    const { channel, state, release, clusters, on, off } = this.shown;
    const { graph, part } = this;
    const isKnown = ['all', 'unaffected', 'always'].includes(clusters) || this.sample;
    const unknownRisks = [...on, ...off].filter((name) => graph.risks.number(name) === null);
    return [
      channel && channel !== part.channel.name && `there is no channel ${channel} here`,
      state && state !== this.state.label && `there is no state ${state}`,
      release && this.release === null && `${part.channel.name} does not have ${release}`,
      !isKnown && `there is no sample cluster ${clusters}`,
      ...unknownRisks.map((name) => `there is no risk ${name}`),
    ].filter(Boolean);
  }

  // A channel with a release: one that clusters should use, if there is one.
  channelWith(version) {
    const number = this.graph.find(version);
    const channels = this.state.channels.filter((channel) => channel.has(number));
    const stable = channels.find((channel) => channel.name.startsWith('stable-'));
    return stable ?? channels.find((channel) => channel.isAdvised) ?? channels[0];
  }

  chosenRisks() {
    const { risks, clusters } = this.graph;
    const { clusters: kind, on, off } = this.shown;
    this.sample = clusters.find((cluster) => cluster.name === kind) ?? null;
    const usual = (risk) => {
      if (this.sample) return this.sample.affects[risk];
      if (kind === 'unaffected') return false;
      return kind === 'always' ? risks.isAlways[risk] : true;
    };
    return risks.names.map((name, risk) => !off.includes(name) && (on.includes(name) || usual(risk)));
  }

  simulate(part) {
    const key = this.affecting.map(Number).join('');
    part.simulations ??= new Map();
    if (!part.simulations.has(key)) part.simulations.set(key, new Simulation(part, this.affecting));
    return part.simulations.get(key);
  }

  place(version) {
    const at = this.part.members.findIndex((release) => release.version === version);
    return at < 0 ? null : at;
  }

  findPath() {
    if (this.release === null || this.shown.tab !== 'path') return null;
    const { to } = this.shown;
    const target = this.place(to);
    const isTarget = (at) => {
      if (target !== null) return at === target;
      return to ? this.part.members[at].minor === to : at === this.part.head();
    };
    return bestPath(this.part, this.release, isTarget, this.affecting);
  }

  alone() {
    const path = this.path ? this.path.hops.map((hop) => hop.to) : [];
    return new Set([...path, ...(this.release === null ? [] : [this.release])]);
  }

  unfolded() {
    const { unfold } = this.shown;
    const places = new Set(unfold.map((version) => this.place(version)));
    places.all = unfold.includes('all');
    return places;
  }

  findArrows() {
    const { part, release, shown } = this;
    const blocked = shown.blocked ? part.closed.flat() : [];
    const all = [...part.updates, ...blocked];
    const between = (updates) => arrows(part, this.boxes, this.affecting, updates);
    if (this.path) return between(this.path.hops).map((arrow) => ({ ...arrow, isPath: true }));
    if (release !== null) return between(all.filter(({ from, to }) => from === release || to === release));
    return furthest(this.boxes, between(all));
  }

  // What changed in the channel since the state before. None: there is none.
  changes() {
    const before = this.stateBefore();
    return before ? changes(before, before.part(this.part.channel.name, this.part.arch), this) : null;
  }

  clusterWords() {
    const { clusters: kind, on, off } = this.shown;
    const usual = { all: 'clusters that all risks affect', unaffected: 'clusters that no risk affects', always: 'clusters that only risks for all clusters affect' };
    const words = this.sample ? `the sample cluster ${this.sample.name}` : usual[kind] ?? usual.all;
    return words + (on.length + off.length > 0 ? ', with your switches' : '');
  }

  summarize() {
    const { part } = this;
    const stranded = new Set(this.simulation.stranded.map((one) => one.release)).size;
    const checked = part.isChecked.filter(Boolean).length;
    if (this.graph.isCatalog) {
      return `${part.channel.name}: ${counted(part.members.length, 'install')}, ${counted(part.open, 'update')}; ${stranded} stuck`;
    }
    return `${part.channel.name} for ${this.graph.arches[part.arch]}: ${counted(part.members.length, 'release')}, `
      + `${counted(part.open, 'open update')}, ${counted(part.conditional, 'conditional update')}; `
      + `${stranded} of ${counted(checked, 'checked release')} stranded`;
  }
}

function compareMinors(a = '0.0', b = '0.0') {
  const [[majorA, minorA], [majorB, minorB]] = [a, b].map((minor) => minor.split('.').map(Number));
  return majorA - majorB || minorA - minorB;
}
