// Compares the pages of catalogs with `exitpath catalog simulate`: `node catalogs.js EXITPATH CATALOG…`.
'use strict';
const assert = require('node:assert');
const { loaded, runner } = require('./page.js');

const [program, ...catalogs] = process.argv.slice(2);

const run = runner(program);

function answers({ graph, Simulation }, name) {
  const part = graph.states[0].part(name, 0);
  const names = (members) => members.map((at) => part.members[at].version).sort();
  const next = Object.fromEntries(part.members.map((release, at) => {
    return [release.version, names(part.out[at].map((update) => update.to))];
  }));
  const { stranded } = new Simulation(part, []);
  const lost = (goal) => names(stranded.filter((one) => one.goal === goal).map((one) => one.release));
  return { next, stuck: lost('any'), far: lost('head') };
}

function expected({ installs, stuck, unreachable_head: far }) {
  const next = Object.fromEntries(installs.map((install) => [install.name, [...install.next].filter((to) => to !== install.name).sort()]));
  return { next, stuck: stuck.map((one) => one.name).sort(), far: [...far].sort() };
}

(async () => {
  let [compared, stuck] = [0, 0];
  for (const catalog of catalogs) {
    const report = JSON.parse(run('catalog', 'simulate', catalog, '--format', 'json'));
    for (const { package: name, channels } of report.packages) {
      const page = await loaded(run('catalog', 'graph', catalog, '--package', name, '--format', 'html'));
      for (const channel of channels.filter(({ gone }) => !gone)) {
        const own = JSON.parse(JSON.stringify(answers(page, channel.channel)));
        assert.deepStrictEqual(own, expected(channel), `${catalog}: ${name}, ${channel.channel}`);
        compared += 1;
        stuck += channel.stuck.length;
      }
    }
  }
  assert.ok(compared > 0 && stuck > 0, 'nothing was compared');
  console.log(`ok ${compared} channels of catalogs and ${stuck} stuck installs are the same`);
})();
