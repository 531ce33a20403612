// Elements of the page. Texts are always set as texts, so that nothing in the data is markup.

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'on') for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

function shape(name, properties) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value);
  return made;
}

function button(key, text, act, properties = {}) {
  return element('button', { type: 'button', 'data-key': key, on: { click: act }, ...properties }, text);
}

// A link, if the address is one that a browser should open.
function link(url, text) {
  if (!/^https?:\/\//i.test(url)) return element('span', {}, text);
  return element('a', { href: url, rel: 'noopener noreferrer', target: '_blank' }, text);
}

function select(key, label, options, chosen, act) {
  const list = options.map(([value, text]) => element('option', { value, selected: value === chosen }, text));
  const chooser = element('select', { 'data-key': key, on: { change: () => act(chooser.value) } }, list);
  return element('label', {}, element('span', {}, label), chooser);
}

function table(heads, rows, caption) {
  const head = heads.map((text) => element('th', { scope: 'col' }, text));
  const cells = (row) => row.map((cell, at) => element(at === 0 ? 'th' : 'td', at === 0 ? { scope: 'row' } : {}, cell));
  return element('table', {},
    caption && element('caption', {}, caption),
    element('thead', {}, element('tr', {}, head)),
    element('tbody', {}, rows.map((row) => element('tr', {}, cells(row)))));
}

const counted = (count, one, several = `${one}s`) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`;

function listed(texts, word = 'and') {
  if (texts.length < 2) return texts.join('');
  const comma = texts.length > 2 ? ',' : '';
  return `${texts.slice(0, -1).join(', ')}${comma} ${word} ${texts.at(-1)}`;
}

// Releases in words, with neighbors joined as ranges.
function inRanges(part, members) {
  const runs = [];
  for (const at of members) {
    const last = runs.at(-1);
    const isNext = last && last.at(-1) === at - 1 && part.members[at].minor === part.members[at - 1].minor;
    if (isNext) last.push(at);
    else runs.push([at]);
  }
  const name = (at) => part.members[at].version;
  return runs.map((run) => (run.length > 1 ? `${name(run[0])}–${name(run.at(-1))}` : name(run[0])));
}

const dayText = (day) => new Date(day * 86400000).toISOString().slice(0, 10);
