// Compares what the script of an explorer page answers with what the library answers:
// `node library.js EXITPATH [FLAG…]`. The flags name a graph; without any, it is that of the fixtures. Each
// channel and architecture, with many choices of risks.
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const { loaded, runner } = require('./page.js');

const [program, ...flags] = process.argv.slice(2);
const source = flags.length > 0 ? flags : ['--repo', path.join(__dirname, '../../../fixtures/graph-data')];

const run = runner(program);

// A choice of the same numbers each time.
let seed = 7;
const below = (limit) => {
  seed = (seed * 1103515245 + 12345) % 2 ** 31;
  return seed % limit;
};

function choices(names) {
  const some = () => names.filter(() => below(4) === 0);
  const all = [{ flags: [], affects: () => true }];
  all.push({ flags: ['--remove', 'always'], affects: (name, isAlways) => isAlways });
  for (let at = 0; at < 3 && names.length > 0; at += 1) {
    const kept = some();
    if (kept.length > 0) all.push({ flags: kept.flatMap((name) => ['--keep', name]), affects: (name) => !kept.includes(name) });
    const removed = some();
    if (removed.length > 0) all.push({ flags: removed.flatMap((name) => ['--remove', name]), affects: (name) => removed.includes(name) });
  }
  return all;
}

function answers(page, part, affecting) {
  const { Simulation, nearestExits } = page;
  const simulation = new Simulation(part, affecting);
  const { names } = part.state.graph.risks;
  const named = (risks) => risks.map((risk) => names[risk]);
  const version = (at) => part.members[at].version;
  return {
    nodes: part.members.length,
    edges: part.open,
    conditional_edges: part.conditional,
    checked: part.isChecked.filter(Boolean).length,
    stranded: simulation.stranded.map((one) => ({
      version: version(one.release),
      goal: one.goal,
      cause: one.byRisks ? 'risks' : 'graph',
      certain: one.isCertain,
      all_clusters: one.isForAll,
      risks: named(one.risks),
      stranding_sets: one.sets.map(named),
      unblocked_by: named(one.unblockedBy),
      nearest_exits: nearestExits(part, one, affecting).slice(0, 5).map(({ update }) =>
        ({ from: version(update.from), to: version(update.to), risks: named(update.cause.risks) })),
      exits: one.exits.slice(0, 5).map(({ to, cause }) => ({ to: version(to), risks: named(cause.risks) })),
    })),
    fixes: simulation.ranking.map(({ risk, releases, sets, allSets }) =>
      ({ risk: names[risk], releases, sets, all_sets: allSets })),
  };
}

function expected(channel) {
  const nearest = (exits) => exits.map(({ from, to, risks }) => ({ from, to, risks }));
  const stranded = channel.stranded.map(({ version, goal, cause, certain, all_clusters, risks, stranding_sets, unblocked_by, nearest_exits, exits }) =>
    ({ version, goal, cause, certain, all_clusters, risks, stranding_sets, unblocked_by, nearest_exits: nearest(nearest_exits), exits }));
  const { nodes, edges, conditional_edges, checked, fixes } = channel;
  return { nodes, edges, conditional_edges, checked, stranded, fixes };
}

// The best path between some releases, beside `exitpath path`. Of equally good paths, each may choose its
// own, so the numbers of updates and risks are compared.
function comparePaths(page) {
  const { graph, bestPath } = page;
  const affecting = graph.risks.names.map(() => true);
  let [compared, withRisks] = [0, 0];
  for (let at = 0; at < 40; at += 1) {
    const [state] = graph.states;
    const channel = state.channels[below(state.channels.length)];
    const part = state.part(channel.name, 0);
    if (!part || part.members.length < 2) continue;
    const from = below(part.members.length - 1);
    const to = from + 1 + below(part.members.length - from - 1);
    const [first, last] = [part.members[from].version, part.members[to].version];
    const report = JSON.parse(run('path', first, last, ...source, '--channel', channel.name, '--format', 'json'));
    const numbers = (hops, risks) => ({ hops: hops.length, risks: new Set(risks).size });
    const own = bestPath(part, from, (member) => member === to, affecting);
    const [best] = report.paths;
    assert.deepStrictEqual(
      own && numbers(own.hops, own.risks),
      best ? numbers(best.hops, best.hops.flatMap((hop) => hop.risks)) : null,
      `${channel.name}: ${first} to ${last}`,
    );
    compared += 1;
    withRisks += own?.risks.length > 0 ? 1 : 0;
  }
  console.log(`ok ${compared} paths are as good, ${withRisks} of them with risks`);
}

// The same part, with other releases to check.
function withChecked(part, isChecked) {
  return Object.assign(Object.create(Object.getPrototypeOf(part)), part, { isChecked });
}

// Compares all channels of a report with the page. Returns how many there are, and how many releases are
// stranded in them.
function compareReport(page, report, { affects, checksAll, words }) {
  const { graph } = page;
  const [state] = graph.states;
  const affecting = graph.risks.names.map((name, risk) => affects(name, graph.risks.isAlways[risk]));
  let [compared, stranded] = [0, 0];
  for (const channel of report.channels) {
    for (const arch of channel.arches) {
      const known = state.part(channel.channel, graph.arches.indexOf(arch));
      assert.ok(known, `${channel.channel} for ${arch} is not on the page`);
      const part = checksAll ? withChecked(known, known.members.map(() => true)) : known;
      // The page has lists of another world than this script.
      const own = JSON.parse(JSON.stringify(answers(page, part, affecting)));
      assert.deepStrictEqual(own, expected(channel), `${channel.channel} ${arch} ${words}`);
      compared += 1;
      stranded += channel.stranded.length;
    }
  }
  return [compared, stranded];
}

(async () => {
  const page = await loaded(run('graph', ...source, '--format', 'html'));
  const { graph } = page;
  const channels = graph.states[0].channels.map((channel) => channel.name).join(',');
  comparePaths(page);
  let [compared, stranded] = [0, 0];
  for (const supported of [[], ['--supported', '*']]) {
    for (const { flags: chosen, affects } of choices(graph.risks.names)) {
      const all = ['--channel', channels, ...chosen, ...supported, '--format', 'json'];
      const report = JSON.parse(run('simulate', ...source, ...all));
      const choice = { affects, checksAll: supported.length > 0, words: chosen.join(' ') };
      const found = compareReport(page, report, choice);
      compared += found[0];
      stranded += found[1];
    }
  }
  assert.ok(compared > 0 && stranded > 0, 'nothing was compared');
  console.log(`ok ${compared} channels and ${stranded} stranded releases are the same`);
})();
