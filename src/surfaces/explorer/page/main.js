// The page: shows what its address says, and writes there what is chosen.

class Page {
  constructor(root, graph) {
    this.root = root;
    this.graph = graph;
    this.read();
    window.addEventListener('hashchange', () => this.read());
    window.addEventListener('resize', () => this.drawing.connect());
    document.addEventListener('keydown', (event) => this.press(event));
  }

  read() {
    this.shown = readAddress(location.hash || this.graph.start);
    this.render();
  }

  show(change) {
    const next = this.with(change);
    this.shown = next;
    const address = writeAddress(next);
    if (address !== location.hash) history.pushState(null, '', address);
    this.render();
  }

  // The first choice keeps the channel that the page chose.
  with(change) {
    return { ...this.shown, channel: this.shown.channel || this.view.part.channel.name, ...change };
  }

  use(graph) {
    this.graph = graph;
    this.render();
  }

  actions() {
    return {
      show: (change) => this.show(change),
      address: (change) => writeAddress(this.with(change)),
      choose: (at) => this.choose(at),
      fold: (box) => this.fold(box),
      toggle: (risk) => this.toggle(risk),
    };
  }

  choose(at) {
    const { version } = this.view.part.members[at];
    const isChosen = this.view.release === at;
    const tab = this.shown.tab === 'path' ? 'path' : 'release';
    this.show(isChosen ? { release: '' } : { release: version, tab });
  }

  fold(box) {
    const { version } = this.view.part.members[box.members[0]];
    const others = this.shown.unfold.filter((one) => one !== version && one !== 'all');
    this.show({ unfold: box.isUnfolded ? others : [...others, version] });
  }

  toggle(risk) {
    const name = this.graph.risks.names[risk];
    const without = (list) => list.filter((one) => one !== name);
    const [on, off] = [without(this.shown.on), without(this.shown.off)];
    const isOn = this.view.affecting[risk];
    this.show(isOn ? { on, off: [...off, name] } : { on: [...on, name], off });
  }

  render() {
    const focused = document.activeElement?.dataset?.key;
    const scrolled = this.root.querySelector('.panel')?.scrollTop ?? 0;
    const hasSameTab = this.view?.shown.tab === this.shown.tab;
    this.view = new View(this.graph, this.shown, this.actions());
    this.drawing = new Drawing(this.view);
    document.title = `${this.view.part.channel.name} – ${this.graph.title}`;
    this.root.replaceChildren(this.header(), element('main', {}, this.drawing.root, new Panels(this.view).root()), this.footer());
    this.drawing.connect();
    if (hasSameTab) this.root.querySelector('.panel').scrollTop = scrolled;
    if (focused) this.root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: hasSameTab });
  }

  header() {
    const { view, graph, shown } = this;
    const { state, part } = view;
    const channels = [...state.channels].sort((a, b) => compareMinors(b.minor, a.minor) || (a.name < b.name ? -1 : 1));
    const arches = graph.arches.filter((_, arch) => state.part(part.channel.name, arch));
    const clusters = [['all', 'all risks affect them'], ['unaffected', 'no risk affects them'], ['always', 'only risks of all clusters'],
      ...graph.clusters.map((cluster) => [cluster.name, `sample: ${cluster.name}`])];
    return element('header', {},
      element('h1', {}, graph.title),
      element('div', { class: 'fields' },
        graph.states.length > 1 && this.states(),
        select('channel', 'Channel', channels.map((channel) => [channel.name, channel.name]), part.channel.name, (channel) => this.show({ channel })),
        !graph.isCatalog && select('arch', 'Architecture', arches.map((arch) => [arch, arch]), graph.arches[part.arch], (arch) => this.show({ arch })),
        !graph.isCatalog && select('clusters', 'Clusters', clusters, shown.clusters, (kind) => this.show({ clusters: kind, on: [], off: [] })),
        this.search(),
        element('label', { class: 'switch' }, this.checkbox('blocked', shown.blocked, (blocked) => this.show({ blocked })), graph.isCatalog ? 'updates that OLM never chooses' : 'blocked updates')),
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
      on: { input: () => this.show({ state: states[slider.value].label }) },
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
      this.show({ release, tab, ...(elsewhere && { channel: elsewhere.name }) });
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

  press(event) {
    const isWriting = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'checkbox';
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') this.show({ release: '' });
    if (isWriting) return;
    const act = {
      '/': () => this.root.querySelector('[data-key="search"]').select(),
      '[': () => this.turn(-1),
      ']': () => this.turn(1),
      u: () => this.show({ unfold: this.shown.unfold.includes('all') ? [] : ['all'] }),
      b: () => this.show({ blocked: !this.shown.blocked }),
      ArrowDown: () => this.move(event, 0, 1),
      ArrowUp: () => this.move(event, 0, -1),
      ArrowRight: () => this.move(event, 1, 0),
      ArrowLeft: () => this.move(event, -1, 0),
    }[event.key];
    if (!act || act() === false) return;
    event.preventDefault();
  }

  turn(step) {
    const tabs = [...this.root.querySelectorAll('[role="tab"]')];
    const at = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
    const next = tabs[(at + step + tabs.length) % tabs.length];
    next.click();
    this.root.querySelector('[role="tab"][aria-selected="true"]').focus();
  }

  // Moves the focus to the next box. In tabs, arrows turn to the next tab.
  move(event, across, down) {
    if (event.target.getAttribute('role') === 'tab') return this.turn(across || down);
    const columns = [...this.root.querySelectorAll('.column')].map((column) => [...column.querySelectorAll('button')]);
    const place = columns.findIndex((column) => column.includes(event.target));
    if (place < 0) return false;
    const row = columns[place].indexOf(event.target);
    const column = columns[place + across] ?? columns[place];
    const next = column[Math.min(row + down, column.length - 1)];
    next?.focus();
    return true;
  }
}

// Asks the service for newer data, and shows it without losing what is chosen.
async function follow(page) {
  let known = null;
  for (;;) {
    await new Promise((done) => setTimeout(done, document.hidden ? 10000 : 2000));
    const answer = await fetch('explorer-data', { cache: 'no-cache' }).catch(() => null);
    const tag = answer?.ok ? answer.headers.get('etag') : null;
    if (!tag || tag === known) continue;
    const text = await answer.text();
    if (known !== null) page.use(new Graph(await unpack(text)));
    known = tag;
  }
}

async function start() {
  const root = document.getElementById('page');
  try {
    const graph = new Graph(await unpack(document.getElementById('data').textContent));
    const page = new Page(root, graph);
    if (graph.isLive) follow(page);
  } catch (error) {
    root.replaceChildren(element('p', { class: 'wait' }, `This browser cannot show the page: ${error.message}`));
  }
}

start();
