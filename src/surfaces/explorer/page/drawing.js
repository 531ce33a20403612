// The drawing: boxes in columns, and arrows behind them.

const MARKS = { fine: '✓', unchecked: '·', warning: '!', error: '✕' };
const GOAL_WORDS = {
  any: 'no update at all',
  patch: 'no path to the newest patch of its minor',
  minor: 'no path to the channel’s minor',
  head: 'no path to the head of the channel',
};

function situationText({ level, goals, isLast }, count) {
  if (level === 'fine' && isLast) return 'nothing newer to reach';
  if (level === 'fine') return count > 1 ? 'each has its paths' : 'has its paths';
  if (level === 'unchecked') return 'not supported, so not checked';
  return goals.map((goal) => GOAL_WORDS[goal]).join('; ');
}

class Drawing {
  constructor(view) {
    this.view = view;
    this.lines = shape('svg', { class: 'arrows', 'aria-hidden': 'true' });
    this.lines.append(this.heads());
    this.columns = columnsOf(view.boxes);
    this.root = element('div', { class: 'drawing', role: 'group', 'aria-label': view.summary },
      this.lines, element('div', { class: 'columns' }, this.columns.map((column) => this.column(column))));
  }

  heads() {
    const definitions = shape('defs', {});
    for (const look of ['open', 'spared', 'closed', 'blocked', 'dropped', 'path']) {
      const marker = shape('marker', {
        id: `head-${look}`, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: 'userSpaceOnUse', orient: 'auto-start-reverse',
      });
      marker.append(shape('path', { d: 'M0 0L8 4L0 8z', class: `head ${look}` }));
      definitions.append(marker);
    }
    return definitions;
  }

  column({ minor, boxes: list }) {
    return element('section', { class: 'column' },
      element('h3', {}, minor), list.map((box) => this.box(box)));
  }

  box(box) {
    const { part, release } = this.view;
    const [first, last] = [box.members[0], box.members.at(-1)];
    const { level } = box.situation;
    const isChosen = box.members.includes(release);
    const kind = `box ${level}${isChosen ? ' chosen' : ''}`;
    const count = box.members.length;
    const name = inRanges(part, count > 1 ? box.members : [first]).join(', ');
    const text = [element('span', { class: 'mark', 'aria-hidden': 'true' }, MARKS[level]),
      element('strong', {}, name),
      element('span', { class: 'situation' }, count > 1 && `${counted(count, this.view.graph.noun)}: `, situationText(box.situation, count))];
    if (count === 1) {
      return button(`at ${part.members[first].version}`, text, () => this.view.choose(first),
        { class: kind, 'data-box': box.number, 'aria-pressed': String(isChosen) });
    }
    const fold = button(`box ${part.members[first].version}`, text, () => this.view.fold(box),
      { class: 'fold', 'aria-expanded': String(box.isUnfolded), title: `${part.members[first].version} to ${part.members[last].version}` });
    const each = box.isUnfolded && element('div', { class: 'each' }, box.members.map((at) => this.one(at)));
    return element('div', { class: kind, 'data-box': box.number }, fold, each);
  }

  one(at) {
    const { part, release } = this.view;
    const { version } = part.members[at];
    return button(`at ${version}`, version, () => this.view.choose(at),
      { class: at === release ? 'chosen' : null, 'aria-pressed': String(at === release) });
  }

  // Draws the arrows. The boxes must be on the page, because their places matter.
  connect() {
    this.lines.querySelectorAll('path.arrow').forEach((line) => line.remove());
    const around = this.root.getBoundingClientRect();
    const places = new Map();
    for (const box of this.root.querySelectorAll('[data-box]')) {
      const { left, top, width, height } = box.getBoundingClientRect();
      const [x, y] = [left - around.left + this.root.scrollLeft, top - around.top + this.root.scrollTop];
      places.set(Number(box.dataset.box), { x, y, width, height });
    }
    this.lines.setAttribute('width', this.root.scrollWidth);
    this.lines.setAttribute('height', this.root.scrollHeight);
    for (const arrow of this.view.arrows) this.lines.append(this.arrow(arrow, places));
  }

  arrow({ from, to, look, count, isPath }, places) {
    const [a, b] = [places.get(from), places.get(to)];
    const width = 1 + Math.min(2, Math.log10(count));
    const kind = isPath ? 'path' : look;
    return shape('path', {
      d: curve(a, b), class: `arrow ${kind}`, 'stroke-width': isPath ? 3 : width, 'marker-end': `url(#head-${kind})`,
    });
  }
}

// From the right of a box to the left of one in another column, or around the left of boxes that are
// below each other.
function curve(a, b) {
  const [startY, endY] = [a.y + Math.min(18, a.height / 2), b.y + Math.min(18, b.height / 2)];
  if (Math.abs(a.x - b.x) < 2) {
    const bend = Math.min(22, 8 + Math.abs(endY - startY) / 40);
    return `M${a.x} ${startY}C${a.x - bend} ${startY} ${b.x - bend} ${endY} ${b.x} ${endY}`;
  }
  const [startX, endX] = a.x < b.x ? [a.x + a.width, b.x] : [a.x, b.x + b.width];
  const middle = (startX + endX) / 2;
  return `M${startX} ${startY}C${middle} ${startY} ${middle} ${endY} ${endX} ${endY}`;
}
