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
    this.shown = this.changed(change);
    const address = writeAddress(this.shown);
    if (address !== location.hash) history.pushState(null, '', address);
    this.render();
  }

  // The first choice keeps the channel that the page chose.
  changed(change) {
    return { ...this.shown, channel: this.shown.channel || this.view.part.channel.name, ...change };
  }

  use(graph) {
    this.graph = graph;
    this.render();
  }

  actions() {
    return {
      show: (change) => this.show(change),
      address: (change) => writeAddress(this.changed(change)),
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
    const frame = new Frame(this.view);
    const main = element('main', {}, this.drawing.root, new Panels(this.view).root());
    this.root.replaceChildren(frame.header(), main, frame.footer());
    this.drawing.connect();
    if (hasSameTab) this.root.querySelector('.panel').scrollTop = scrolled;
    if (focused) this.root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: hasSameTab });
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

// Asks the service for newer data, and shows it without losing what is chosen. `shown` is the data that
// the page shows.
async function follow(page, shown) {
  let known = null;
  for (let last = shown; ;) {
    await new Promise((done) => setTimeout(done, document.hidden ? 10000 : 2000));
    const answer = await fetch('explorer-data', { cache: 'no-cache' }).catch(() => null);
    const tag = answer?.ok ? answer.headers.get('etag') : null;
    if (!tag || tag === known) continue;
    known = tag;
    const text = await answer.text();
    if (text !== last) page.use(new Graph(await unpack(text)));
    last = text;
  }
}

async function start() {
  const root = document.getElementById('page');
  try {
    const data = document.getElementById('data').textContent;
    const graph = new Graph(await unpack(data));
    const page = new Page(root, graph);
    if (graph.isLive) follow(page, data);
  } catch (error) {
    root.replaceChildren(element('p', { class: 'wait' }, `This browser cannot show the page: ${error.message}`));
  }
}

start();
