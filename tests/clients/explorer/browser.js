// Looks at explorer pages in a browser: `node browser.js EXITPATH BROWSER [REPO [REVISION…]]`. Without a
// repository, it looks at the one of the fixtures. What the page says is compared at each revision.
'use strict';
const { spawn } = require('node:child_process');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const axe = require('axe-core');
const puppeteer = require('puppeteer-core');
const { runner } = require('./page.js');

const fixtures = path.join(__dirname, '../../../fixtures');
const fixture = path.join(fixtures, 'graph-data');
const [program, executablePath, repository = fixture, ...revisions] = process.argv.slice(2);
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'explorer-'));

const run = runner(program);

let files = 0;
function written(...args) {
  files += 1;
  const file = path.join(work, `${files}.html`);
  fs.writeFileSync(file, run(...args, '--format', 'html'));
  return `file://${file}`;
}

async function opened(browser, address, { width = 1400, scheme = 'light' } = {}) {
  const page = await browser.newPage();
  page.setDefaultTimeout(30000);
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(error.message));
  page.on('console', (message) => page.faults.push(message.text()));
  page.on('dialog', (dialog) => page.faults.push(dialog.message()));
  page.on('request', (request) => {
    if (!request.isNavigationRequest() && !request.url().endsWith('/explorer-data')) page.faults.push(`asked for ${request.url()}`);
  });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.setViewport({ width, height: 900 });
  await page.goto(address);
  await page.waitForSelector('.drawing');
  return page;
}

const text = (page, selector) => page.$eval(selector, (found) => found.textContent);
const address = (page) => page.evaluate(() => location.hash);
async function go(page, hash) {
  await page.evaluate((next) => { location.hash = next; }, hash);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}
async function ended(page) {
  assert.deepStrictEqual(page.faults, []);
  await page.close();
}

const words = {
  any: 'no update at all',
  patch: 'no path to the newest patch of its minor',
  minor: 'no path to the channel’s minor',
};

// The stranded releases of a channel, each with the goals that it cannot reach, in the page's words.
function situations(channel) {
  const goals = new Map();
  for (const { version, goal } of channel.stranded) goals.set(version, [...(goals.get(version) ?? []), goal]);
  const shown = (list) => (list.includes('any') ? ['any'] : list);
  return [...goals].map(([version, list]) => [version, shown(list).map((goal) => words[goal]).join('; ')]);
}

// What the page says of each channel is what `simulate` says.
async function sameNumbers(browser, ...revision) {
  const page = await opened(browser, written('simulate', '--repo', repository, ...revision, '--supported', '*'));
  const names = await page.$$eval('select[data-key="channel"] option', (options) => options.map((option) => option.value));
  const report = JSON.parse(run('simulate', '--repo', repository, ...revision, '--supported', '*', '--channel', names.join(','), '--format', 'json'));
  for (const channel of report.channels) {
    const [arch] = channel.arches;
    await go(page, `#channel=${channel.channel}&arch=${arch}&tab=table`);
    const stranded = new Set(channel.stranded.map((one) => one.version)).size;
    const number = (count, words) => `${count.toLocaleString('en-US')} ${words}${count === 1 ? '' : 's'}`;
    const expected = `${channel.channel} for ${arch}: ${number(channel.nodes, 'release')}, ${number(channel.edges, 'open update')}, `
      + `${number(channel.conditional_edges, 'conditional update')}; ${stranded} of ${number(channel.checked, 'checked release')} stranded`;
    assert.strictEqual(await text(page, '.summary'), expected);
    const rows = await page.$$eval('#panel tbody tr', (all) => all.map((row) => [row.children[0].textContent, row.children[1].textContent]));
    const lost = rows.filter(([, situation]) => situation.startsWith('no '));
    assert.deepStrictEqual(lost.sort(), situations(channel).sort(), channel.channel);
  }
  const stranded = report.channels.reduce((sum, channel) => sum + channel.stranded.length, 0);
  console.log(`ok ${report.channels.length} channels say what simulate says, with ${stranded} stranded releases`);
  const [largest] = [...report.channels].sort((a, b) => b.edges + b.conditional_edges - a.edges - a.conditional_edges);
  await ended(page);
  return largest.channel;
}

// How large the first screen is, and how long it takes, beside an empty page.
async function firstScreen(browser, channel) {
  const time = async (at) => {
    const page = await browser.newPage();
    const start = process.hrtime.bigint();
    await page.goto(at);
    await page.waitForSelector('body > *');
    if (!at.includes('empty')) await page.waitForSelector('.drawing');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    const took = Number(process.hrtime.bigint() - start) / 1e6;
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    await page.close();
    return { took, elements };
  };
  fs.writeFileSync(path.join(work, 'empty.html'), '<!doctype html><title>empty</title><p>empty');
  const file = written('graph', '--repo', repository);
  const [empty, own] = [[], []];
  for (let at = 0; at < 5; at += 1) {
    empty.push(await time(`file://${work}/empty.html`));
    own.push(await time(`${file}#channel=${channel}`));
  }
  const middle = (list) => [...list].sort((a, b) => a.took - b.took)[2];
  const { elements } = middle(own);
  assert.ok(elements < 1500, `${elements} elements`);
  const size = fs.statSync(new URL(file)).size;
  assert.ok(size < 1500000, `${size} bytes`);
  console.log(`ok ${channel}: ${elements} elements after ${Math.round(middle(own).took)} ms (an empty page: ${Math.round(middle(empty).took)} ms); the file has ${size} bytes`);
}

// Everything can be done with keys, and each state is a link.
async function keys(browser) {
  const at = written('graph', '--repo', repository);
  const page = await opened(browser, at);
  const press = async (...list) => { for (const key of list) await page.keyboard.press(key); };
  await page.focus('.column button');
  await press('ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'Enter');
  assert.match(await address(page), /unfold=|release=/);
  await press('u');
  assert.match(await address(page), /unfold=all/);
  await press('b');
  assert.match(await address(page), /blocked=yes/);
  const tab = () => text(page, '[role="tab"][aria-selected="true"]');
  const first = await tab();
  await press(']');
  assert.notStrictEqual(await tab(), first);
  await press('ArrowLeft');
  assert.strictEqual(await tab(), first);
  await press('/');
  assert.strictEqual(await page.evaluate(() => document.activeElement.type), 'search');
  const release = await page.$eval('datalist option:last-child', (option) => option.value);
  await page.keyboard.type(release);
  await press('Enter');
  assert.ok((await address(page)).includes(`release=${release}`));
  assert.ok((await text(page, '#panel')).startsWith(release));
  const [hash, shown] = [await address(page), await page.$eval('main', (main) => main.innerHTML)];
  const other = await opened(browser, at + hash);
  assert.strictEqual(await other.$eval('main', (main) => main.innerHTML), shown);
  await ended(other);
  await page.focus('.column button');
  await press('Escape');
  assert.ok(!(await address(page)).includes('release='));
  await page.goBack();
  assert.ok((await address(page)).includes(`release=${release}`));
  await ended(page);
  console.log('ok keys, links, and the way back');
}

// A switch changes what is stranded, as `simulate --keep` says.
async function switches(browser) {
  const at = written('graph', '--repo', repository);
  const report = (...flags) => JSON.parse(run('simulate', '--repo', repository, '--supported', '*', ...flags, '--format', 'json'));
  const helpful = report().channels.find((channel) => channel.fixes.some((fix) => fix.releases > 0));
  const page = await opened(browser, at);
  await go(page, `#tab=risks${helpful ? `&channel=${helpful.channel}&arch=${helpful.arches[0]}` : ''}`);
  const before = await page.$$eval('section.risk.on', (on) => on.length);
  assert.ok(before > 0, 'no risk is on');
  await page.click('section.risk.on input');
  assert.strictEqual(await page.$$eval('section.risk.on', (on) => on.length), before - 1);
  assert.match(await address(page), /off=/);
  assert.match(await text(page, '.summary'), /switched: .* off/);
  await page.select('select[data-key="clusters"]', 'unaffected');
  assert.strictEqual(await page.$$eval('section.risk.on', (on) => on.length), 0);
  await page.select('select[data-key="clusters"]', 'aws');
  assert.match(await address(page), /clusters=aws/);
  await ended(page);
  console.log('ok switches and sample clusters');
}

async function accessible(browser) {
  const at = written('diff', '--repo', repository, 'HEAD~1', 'HEAD');
  for (const scheme of ['light', 'dark']) {
    for (const width of [400, 900, 1400]) {
      const page = await opened(browser, at, { width, scheme });
      for (const tab of ['stranded', 'risks', 'release', 'path', 'changes', 'table']) {
        const release = await page.$eval('datalist option', (option) => option.value);
        await go(page, `#tab=${tab}&release=${tab === 'release' || tab === 'path' ? release : ''}`);
        await page.evaluate(axe.source.replace(/^/, 'globalThis.define = undefined;'));
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        const serious = violations.filter((one) => ['serious', 'critical'].includes(one.impact));
        assert.deepStrictEqual(serious.map((one) => [one.id, one.nodes[0].html, one.nodes[0].failureSummary]), [], `${tab}, ${scheme}, ${width}`);
      }
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      assert.ok(!isWide, `wider than a screen of ${width}`);
      await ended(page);
    }
  }
  console.log('ok axe-core has no serious findings, light and dark, at three widths');
}

// Names and messages are never markup.
async function hostile(browser) {
  const evil = '</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e{{SCRIPT}}';
  const risk = { name: evil, url: 'javascript:alert(3)', message: evil, matchingRules: [{ type: 'PromQL', promql: { promql: evil } }] };
  const node = (version) => ({ version, payload: evil, metadata: { 'io.openshift.upgrades.graph.release.channels': `stable-4.18,"${evil}`, url: 'javascript:alert(4)' } });
  const graph = {
    version: 1,
    nodes: [node('4.18.1'), node('4.18.2'), node('4.18.3-<b>')].filter(({ version }) => !version.includes('<')),
    edges: [],
    conditionalEdges: [{ edges: [{ from: '4.18.1', to: '4.18.2' }], risks: [risk] }],
  };
  const file = path.join(work, 'evil.json');
  fs.writeFileSync(file, JSON.stringify(graph));
  const page = await opened(browser, written('graph', '--graph', file));
  for (const tab of ['stranded', 'risks', 'release', 'table']) {
    await go(page, `#tab=${tab}&release=4.18.1&on=${encodeURIComponent(evil)}&channel=${encodeURIComponent(evil)}&unfold=__proto__`);
    const bad = await page.$$eval('#page script, #page img, #page [href^="javascript"]', (found) => found.length);
    assert.strictEqual(bad, 0);
  }
  await ended(page);
  console.log('ok hostile names stay texts');
}

// A catalog has installs in place of releases, and no risks.
async function catalog(browser) {
  const at = written('catalog', 'graph', path.join(fixtures, 'catalogs/skipped-twice'));
  const page = await opened(browser, at);
  assert.match(await text(page, '.summary'), /\d+ installs?, \d+ updates?; \d+ stuck/);
  const tabs = await page.$$eval('[role="tab"]', (all) => all.map((tab) => tab.textContent));
  assert.deepStrictEqual(tabs, ['Stuck', 'Install', 'Path', 'Table']);
  for (const tab of ['stranded', 'release', 'path', 'table']) await go(page, `#tab=${tab}&blocked=yes`);
  await page.click('.column button');
  assert.match(await address(page), /release=/);
  await ended(page);
  console.log('ok the page of a catalog');
}

// The page of the service follows the data and keeps what is chosen.
async function live(browser) {
  const copy = path.join(work, 'data');
  fs.cpSync(fixture, copy, { recursive: true });
  const server = spawn(program, ['serve', copy, '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const port = await new Promise((done, failed) => {
      let said = '';
      server.stderr.on('data', (bytes) => {
        said += bytes;
        const found = said.match(/127\.0\.0\.1:(\d+)/);
        if (found && said.includes('ready')) done(found[1]);
      });
      server.on('exit', () => failed(Error(said)));
    });
    const page = await opened(browser, `http://127.0.0.1:${port}/`);
    await page.waitForFunction(() => document.querySelectorAll('section.risk, .drawing').length > 0);
    await go(page, '#tab=risks');
    const risks = () => page.$$eval('section.risk strong', (names) => names.map((name) => name.textContent));
    const name = await text(page, '.summary');
    const [channel] = name.split(' ');
    const releases = await page.$$eval('datalist option', (options) => options.map((option) => option.value));
    assert.ok(!(await risks()).includes('ExplorerTest'));
    fs.writeFileSync(path.join(copy, 'blocked-edges', `${releases[0]}-ExplorerTest.yaml`),
      `to: ${releases[0]}\nfrom: .*\nurl: https://example.com\nname: ExplorerTest\nmessage: A test.\nmatchingRules:\n- type: Always\n`);
    await page.waitForFunction(() => [...document.querySelectorAll('section.risk strong')].some((one) => one.textContent === 'ExplorerTest'));
    assert.match(await address(page), /tab=risks/);
    assert.strictEqual((await text(page, '.summary')).split(' ')[0], channel);
    const answer = await page.goto(`http://127.0.0.1:${port}/channels/${channel}?arch=amd64`);
    assert.ok(answer.ok());
    assert.ok((await address(page)).includes(`channel=${channel}`));
    await ended(page);
  } finally {
    server.kill();
  }
  console.log('ok the page of the service follows the data');
}

(async () => {
  const browser = await puppeteer.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const largest = await sameNumbers(browser);
    for (const revision of revisions) await sameNumbers(browser, '--rev', revision);
    await firstScreen(browser, largest);
    await keys(browser);
    await switches(browser);
    await accessible(browser);
    await hostile(browser);
    await catalog(browser);
    await live(browser);
  } finally {
    await browser.close();
    fs.rmSync(work, { recursive: true });
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
