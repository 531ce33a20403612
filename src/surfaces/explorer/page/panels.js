// What stands beside the drawing: the stranded releases, the risks with their switches, the card of a
// release, a path, what changed, and everything as a table.

class Panels {
  constructor(view) {
    this.view = view;
    this.graph = view.graph;
    this.part = view.part;
    this.tabs = this.graph.isCatalog
      ? { stranded: 'Stuck', release: 'Install', path: 'Path' }
      : { stranded: 'Stranded', risks: 'Risks', release: 'Release', path: 'Path' };
    if (this.graph.states.length > 1) this.tabs.changes = 'Changes';
    this.tabs.table = 'Table';
  }

  root() {
    const { tab } = this.view.shown;
    const chosen = this.tabs[tab] ? tab : 'stranded';
    const tabs = Object.entries(this.tabs).map(([name, text]) => button(`tab ${name}`, text, () => this.view.show({ tab: name }),
      { role: 'tab', 'aria-selected': String(name === chosen), 'aria-controls': 'panel' }));
    return element('aside', { class: 'panels', 'aria-label': 'Details' },
      element('div', { role: 'tablist', class: 'tabs', 'aria-label': 'What to show' }, tabs),
      element('div', { role: 'tabpanel', id: 'panel', class: 'panel', tabindex: '0', 'aria-label': this.tabs[chosen] }, this[chosen]()));
  }

  // A link to another state of the page.
  link(text, change) {
    return element('a', { href: this.view.address(change), 'data-key': `link ${text}` }, text);
  }

  version(at) {
    const { version } = this.part.members[at];
    const { tab } = this.view.shown;
    return this.link(version, { release: version, tab: tab === 'path' ? tab : 'release' });
  }

  riskNames(risks) {
    const { names } = this.graph.risks;
    return risks.map((risk) => this.link(names[risk], { tab: 'risks', risk: names[risk] }));
  }

  joined(parts, between = ', ') {
    return parts.flatMap((part, at) => (at > 0 ? [between, part] : [part]));
  }

  // Stranded releases in the same situation, oldest first.
  stranded() {
    const groups = new Map();
    for (const one of this.view.simulation.shown()) {
      const key = JSON.stringify([one.goal, one.byRisks, one.isForAll, one.isCertain, one.sets, one.unblockedBy]);
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    const checked = this.part.isChecked.filter(Boolean).length;
    if (checked === 0) {
      return element('p', {}, `No release of ${this.part.channel.name} is supported, so none was checked.`);
    }
    if (groups.size === 0) {
      return element('p', {}, `${counted(checked, this.graph.noun)} checked: each has its paths${this.forWhom()}.`);
    }
    return [
      element('p', {}, `${counted(checked, this.graph.noun)} checked${this.forWhom()}.`),
      [...groups.values()].map((group) => this.strandedGroup(group)),
      this.ranking(),
    ];
  }

  forWhom() {
    return this.graph.isCatalog ? '' : `, for ${this.view.clusterWords()}`;
  }

  strandedGroup(group) {
    const [one] = group;
    const { level } = this.view.situations[one.release];
    const names = element('h3', {}, this.joined(group.map(({ release }) => this.version(release))));
    if (this.graph.isCatalog) return element('section', { class: `group ${level}` }, names, element('p', {}, `Stuck: ${GOAL_WORDS[one.goal]}.`));
    const why = one.byRisks
      ? this.sets(one)
      : element('p', {}, 'The graph has no path, even without risks.');
    const who = one.isForAll ? 'for all clusters' : 'for clusters that the risks affect';
    return element('section', { class: `group ${level}` }, names,
      element('p', {}, `Stranded ${one.byRisks ? who : 'for all clusters'}${one.isCertain ? '' : ', unless an uncertain update exists'}: ${GOAL_WORDS[one.goal]}.`),
      why,
      one.unblockedBy.length > 0 && element('p', {}, 'Removing one of these alone opens a path: ', this.joined(this.riskNames(one.unblockedBy)), '.'));
  }

  sets({ sets }) {
    const few = sets.slice(0, 6).map((set) => element('li', {}, this.joined(this.riskNames(set), ' and ')));
    if (few.length === 0) return element('p', {}, `Only more than ${LARGEST_SET} risks together strand it.`);
    return [element('p', {}, sets.length > 1 ? 'Each of these strands it:' : 'This strands it:'),
      element('ul', {}, few, sets.length > 6 && element('li', {}, `${sets.length - 6} more`))];
  }

  ranking() {
    const ranked = this.view.simulation.ranking.slice(0, 8);
    if (ranked.length === 0) return null;
    const rows = ranked.map(({ risk, releases, sets, allSets }) =>
      [this.riskNames([risk]), releases, `${sets} of ${allSets}`]);
    return [element('h3', {}, 'What would help'), table(['without the risk', 'unblocked', 'sets'], rows)];
  }

  risks() {
    const counts = [...this.part.riskCounts()].sort(([a], [b]) => a - b);
    if (counts.length === 0) return element('p', {}, `No update of ${this.part.channel.name} has a risk.`);
    const helps = new Map(this.view.simulation.ranking.map((one) => [one.risk, one.releases]));
    return [
      element('p', {}, 'A risk that is on closes its updates.'),
      element('p', { class: 'buttons' },
        button('all on', 'All on', () => this.view.show({ clusters: 'all', on: [], off: [] })),
        button('all off', 'All off', () => this.view.show({ clusters: 'unaffected', on: [], off: [] })),
        button('only always', 'Only risks for all clusters', () => this.view.show({ clusters: 'always', on: [], off: [] }))),
      counts.map(([risk, count]) => this.risk(risk, count, helps.get(risk))),
    ];
  }

  risk(risk, count, helps) {
    const { risks } = this.graph;
    const name = risks.names[risk];
    const isOn = this.view.affecting[risk];
    const toggle = element('input', { type: 'checkbox', 'data-key': `switch ${name}`, on: { change: () => this.view.toggle(risk) } });
    toggle.checked = isOn;
    const facts = [counted(count, 'update'), risks.isAlways[risk] && 'affects all clusters',
      this.view.sample?.isUnknown[risk] && 'this cluster cannot tell',
      helps > 0 && `removing it unblocks ${counted(helps, 'release')}`].filter(Boolean);
    const more = element('details', { open: this.view.shown.risk === name, 'data-key': `more ${name}` },
      element('summary', {}, 'what it says'), risks.of[risk].map((one) => this.definition(one)), this.life(risk));
    return element('section', { class: isOn ? 'risk on' : 'risk' },
      element('label', { class: 'switch' }, toggle, element('strong', {}, name)),
      element('p', { class: 'facts' }, facts.join(' · ')), more);
  }

  definition({ message, url, rules }) {
    return element('div', { class: 'definition' },
      element('p', {}, message), element('p', {}, link(url, url)),
      rules.map(([kind, query]) => element('div', {}, element('span', { class: 'kind' }, kind), query && element('pre', {}, query))));
  }

  // In which states of the graph a risk has updates in this channel.
  life(risk) {
    const { states } = this.graph;
    if (states.length < 2) return null;
    const has = states.map((state) => (state.part(this.part.channel.name, this.part.arch)?.riskCounts().get(risk) ?? 0));
    const rows = states.map((state, at) => [state.label, has[at]]).filter((_, at) => at === 0 || has[at] !== has[at - 1]);
    return table(['since', 'updates'], rows, 'Its updates in this channel');
  }

  release() {
    const at = this.view.release;
    if (at === null) return element('p', {}, `Choose one ${this.graph.noun} in the drawing, or search for it.`);
    const release = this.part.members[at];
    return [
      element('h2', {}, release.version, ' ', element('span', { class: `badge ${this.view.situations[at].level}` }, situationText(this.view.situations[at], 1))),
      release.url && element('p', {}, link(release.url, release.url)),
      this.channels(this.part.numbers[at]),
      this.ofRelease(at),
      this.updates('Updates from it', this.part.out[at], 'to'),
      this.updates('Updates to it', this.part.into[at], 'from'),
      this.blocked(at),
    ];
  }

  channels(number) {
    const { state } = this.view;
    const rows = state.channels.filter((channel) => channel.has(number)).map((channel) => {
      const day = channel.joined.get(number);
      return [this.link(channel.name, { channel: channel.name }),
        day ? dayText(day) : '', channel.checked.has(number) ? 'supported' : ''];
    });
    if (this.graph.isCatalog) return table(['channel'], rows.map(([name]) => [name]));
    return table(['channel', 'since', ''], rows);
  }

  ofRelease(at) {
    return this.view.simulation.stranded.filter((one) => one.release === at).map((one) => [this.strandedGroup([one]), this.exits(one)]);
  }

  exits(one) {
    const exits = nearestExits(this.part, one, this.view.affecting).slice(0, 3);
    if (exits.length === 0) return null;
    return [element('h3', {}, 'Nearest closed updates'), element('ul', {}, exits.map(({ update }) => element('li', {}, this.hop(update))))];
  }

  hop(update) {
    const { cause, kind } = update;
    const by = cause.state === BLOCKED
      ? ['blocked', cause.files.length > 0 && ` by ${listed(cause.files)}`]
      : cause.risks.length > 0 && this.joined(this.riskNames(cause.risks));
    return [this.version(update.from), ' → ', this.version(update.to), by && [': ', by], kind === UNCERTAIN && ' (uncertain)'];
  }

  // The updates from or to a release, those of the same risks together.
  updates(title, list, end) {
    if (list.length === 0) return element('p', {}, `${title}: none.`);
    const groups = new Map();
    for (const update of list) {
      const key = JSON.stringify([update.cause.risks, update.kind]);
      groups.set(key, [...(groups.get(key) ?? []), update]);
    }
    const rows = [...groups.values()].map((group) => [
      inRanges(this.part, sortedNumbers(group.map((update) => update[end]))).join(', '),
      [group[0].cause.risks.length > 0 ? this.joined(this.riskNames(group[0].cause.risks)) : 'no risk',
        group[0].kind === UNCERTAIN && ' (uncertain)'],
    ]);
    if (this.graph.isCatalog) return [element('h3', {}, title), table([end], rows.map(([versions]) => [versions]))];
    const isPredicted = list.some((update) => update.kind !== GIVEN);
    return [element('h3', {}, `${title}, ${isPredicted ? 'predicted' : 'as served'}`), table([end, 'risks'], rows)];
  }

  blocked(at) {
    const taken = [...this.part.closed[at], ...this.part.closed.flat().filter((update) => update.to === at)];
    if (taken.length === 0) return null;
    const rows = taken.slice(0, 40).map((update) => [
      [this.part.members[update.from].version, ' → ', this.part.members[update.to].version],
      stateWords[update.cause.state], listed(update.cause.files.length > 0 ? update.cause.files : [update.cause.metadataKey ?? ''])]);
    return [element('h3', {}, this.graph.isCatalog ? 'What OLM never chooses' : 'What no cluster gets'), table(['update', '', 'because of'], rows),
      taken.length > 40 && element('p', {}, `${taken.length - 40} more`)];
  }

  path() {
    const { shown } = this.view;
    const versions = this.part.members.map((release) => release.version).reverse();
    const minors = [...new Set(this.part.members.map((release) => release.minor))].reverse();
    const from = versions.map((version) => [version, version]);
    const to = [['', 'the channel’s newest release'], ...minors.map((minor) => [minor, `any ${minor}`]), ...from];
    const own = this.view.release === null ? '' : this.part.members[this.view.release].version;
    return [
      element('p', { class: 'fields' },
        select('from', 'From', [['', 'choose a release'], ...from], own, (version) => this.view.show({ release: version })),
        select('to', 'To', to, shown.to, (version) => this.view.show({ to: version }))),
      this.foundPath(),
    ];
  }

  foundPath() {
    const { path, release } = this.view;
    if (release === null) return element('p', {}, 'Choose where the path begins.');
    if (!path) return element('p', {}, `There is no path from ${this.part.members[release].version} in this channel, with or without risks.`);
    const risks = this.graph.isCatalog ? [counted(path.hops.length, 'update'), '.'] : path.risks.length > 0
      ? ['The path with the fewest risks. These must be accepted, or not affect the cluster: ', this.joined(this.riskNames(path.risks)), '.']
      : ['It has no risk for the chosen clusters.'];
    return [element('p', {}, risks), element('ol', {}, path.hops.map((hop) => element('li', {}, this.hop(hop))))];
  }

  changes() {
    const changes = this.view.changes();
    if (!changes) return element('p', {}, 'This is the oldest state. Choose a newer one to see what changed.');
    const line = (title, versions) => versions.length > 0 && element('p', {}, `${title}: `, versions.join(', '));
    const counts = Object.entries(changes.counts).map(([words, count]) => [words, count]);
    return [
      element('p', {}, `${this.part.channel.name}: ${changes.before.label} → ${this.view.state.label}`),
      line('Joined', changes.joined), line('Left', changes.left),
      line('Newly stranded', changes.stranded), line('No longer stranded', changes.unblocked),
      counts.length > 0 ? table(['updates that', 'count'], counts) : element('p', {}, 'No update changed.'),
      this.otherChanges(),
    ];
  }

  otherChanges() {
    const own = this.part.channel.name;
    const others = this.view.changedChannels().filter((channel) => channel.name !== own);
    if (others.length === 0) return element('p', {}, 'No other channel changed.');
    const names = others.map(({ name }) => this.link(name, { channel: name }));
    return element('p', {}, 'Other channels that changed: ', this.joined(names), '.');
  }

  table() {
    const rows = this.part.members.map((release, at) => [
      this.version(at), situationText(this.view.situations[at], 1),
      this.part.out[at].filter((update) => update.cause.isOpen(this.view.affecting)).length,
      this.part.out[at].filter((update) => !update.cause.isOpen(this.view.affecting)).length,
    ]);
    return table([this.graph.noun, 'situation', 'open updates', 'closed updates'], rows.reverse(), this.view.summary);
  }
}
