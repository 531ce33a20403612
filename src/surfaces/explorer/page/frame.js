// What stands above and below the drawing: the choices, the summary, and the legend.

class Frame {
  constructor(view) {
    this.view = view;
    this.graph = view.graph;
    this.shown = view.shown;
  }

  header() {
    const { view, graph, shown } = this;
    const { state, part } = view;
    const channels = [...state.channels].sort((a, b) => compareMinors(b.minor, a.minor) || (a.name < b.name ? -1 : 1));
    const arches = graph.arches.filter((_, arch) => state.part(part.channel.name, arch));
    const clusters = [['all', 'all risks affect them'], ['unaffected', 'no risk affects them'], ['always', 'only risks for all clusters'],
      ...graph.clusters.map((cluster) => [cluster.name, `sample: ${cluster.name}`])];
    return element('header', {},
      element('h1', {}, graph.title),
      element('div', { class: 'fields' },
        graph.states.length > 1 && this.states(),
        select('channel', 'Channel', channels.map((channel) => [channel.name, channel.name]), part.channel.name, (channel) => this.view.show({ channel })),
        !graph.isCatalog && select('arch', 'Architecture', arches.map((arch) => [arch, arch]), graph.arches[part.arch], (arch) => this.view.show({ arch })),
        !graph.isCatalog && select('clusters', 'Clusters', clusters, shown.clusters, (kind) => this.view.show({ clusters: kind, on: [], off: [] })),
        this.search(),
        element('label', { class: 'switch' }, this.checkbox('blocked', shown.blocked, (blocked) => this.view.show({ blocked })), graph.isCatalog ? 'updates that OLM never chooses' : 'blocked updates')),
      element('p', { class: 'summary', role: 'status' }, view.summary,
        view.missing.map((words) => ` – ${words}`),
        shown.on.length + shown.off.length > 0 && ` (switched: ${listed([...shown.on.map((name) => `${name} on`), ...shown.off.map((name) => `${name} off`)])})`),
      part.channel.purpose && element('p', { class: 'purpose' }, part.channel.purpose));
  }

  checkbox(key, isOn, act) {
    const box = element('input', { type: 'checkbox', 'data-key': key, on: { change: () => act(box.checked) } });
    box.checked = isOn;
    return box;
  }

  states() {
    const { states } = this.graph;
    const at = states.indexOf(this.view.state);
    const slider = element('input', {
      type: 'range', min: 0, max: states.length - 1, step: 1, 'data-key': 'state', 'aria-valuetext': states[at].label,
      on: { input: () => this.view.show({ state: states[slider.value].label }) },
    });
    slider.value = at;
    return element('label', { class: 'states' }, element('span', {}, `State: ${states[at].label}`), slider);
  }

  search() {
    const { part } = this.view;
    const find = () => {
      const release = field.value.trim();
      const tab = this.shown.tab === 'path' ? 'path' : 'release';
      const isHere = this.view.place(release) !== null;
      const elsewhere = isHere ? undefined : this.view.channelWith(release);
      this.view.show({ release, tab, ...(elsewhere && { channel: elsewhere.name }) });
    };
    const field = element('input', { type: 'search', list: 'versions', 'data-key': 'search', value: this.shown.release, on: { change: find } });
    return element('label', {}, element('span', {}, this.graph.isCatalog ? 'Install' : 'Release'), field,
      element('datalist', { id: 'versions' }, [...part.members].reverse().map((release) => element('option', { value: release.version }))));
  }

  footer() {
    const looks = this.graph.isCatalog
      ? { open: 'chosen by OLM', blocked: 'never chosen' }
      : { open: 'open', spared: 'conditional, open for these clusters', closed: 'closed by a risk', blocked: 'blocked' };
    const legend = Object.entries(looks).filter(([look]) => look !== 'blocked' || this.shown.blocked).map(([look, words]) => {
      const line = shape('svg', { width: 34, height: 10, 'aria-hidden': 'true' });
      line.append(shape('path', { d: 'M1 5H33', class: `arrow ${look}`, 'stroke-width': 2 }));
      return element('span', { class: 'key' }, line, words);
    });
    const what = this.arrowWords();
    return element('footer', {},
      element('p', { class: 'legend' }, legend), element('p', {}, what),
      this.view.state.notes.map((note) => element('p', { class: 'note' }, note)),
      element('p', { class: 'note' }, 'Keys: / search, [ and ] tabs, arrows between boxes, u unfold, b blocked updates, Escape none.'));
  }

  arrowWords() {
    if (this.view.path) return 'The arrows are the path.';
    if (this.view.release !== null) return `The arrows are the updates from and to the chosen ${this.graph.noun}.`;
    return 'Arrows lead from each box to the newest box of each minor that its updates reach. Choose one to see all of its updates.';
  }
}
