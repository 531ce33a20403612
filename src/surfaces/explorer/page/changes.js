// What differs between two states of the graph.

// The words for the state of a cause.
const stateWords = ['open', 'conditional', 'blocked', 'dropped by clusters', 'never chosen'];

// Equal updates to a release have the same list in all states.
function changedChannels(before, now) {
  const { graph } = now;
  // Nearly all channels have the lists of their state.
  const known = new Map();
  const listsOf = (state, arch, channel) => {
    if (channel.lists) return state.listsFor(arch, channel);
    const key = `${state.label} ${arch}`;
    if (!known.has(key)) known.set(key, state.listsFor(arch));
    return known.get(key);
  };
  const isSame = (channel, old, arch) => {
    const lists = [listsOf(before, arch, old), listsOf(now, arch, channel)];
    const [was, is] = [old.membersFor(arch), channel.membersFor(arch)];
    return was.length === is.length && is.every((release, at) =>
      was[at] === release && lists[0].get(release) === lists[1].get(release));
  };
  return now.channels.filter((channel) => {
    const old = before.channel(channel.name);
    return !old || !graph.arches.every((_, arch) => isSame(channel, old, arch));
  });
}

// What differs between a channel in the state before and now. The part of a channel that did not exist
// has no releases.
function changes(before, old, view) {
  const { part } = view;
  const versions = (one) => (one ? one.members.map((release) => release.version) : []);
  const [was, is] = [versions(old), versions(part)];
  const stranded = (one) => new Set(one ? view.simulate(one).stranded.map(({ release }) => one.members[release].version) : []);
  const [lost, loses] = [stranded(old), stranded(part)];
  const seen = (one) => {
    const looks = new Map();
    for (const update of one ? [...one.updates, ...one.closed.flat()] : []) {
      const [from, to] = [one.numbers[update.from], one.numbers[update.to]];
      looks.set(`${from} ${to}`, update.cause);
    }
    return looks;
  };
  const counts = {};
  const count = (words) => (counts[words] = (counts[words] ?? 0) + 1);
  const [updatesWere, updatesAre] = [seen(old), seen(part)];
  for (const [key, cause] of updatesAre) {
    const own = updatesWere.get(key);
    if (!own) count(`are new and ${stateWords[cause.state]}`);
    else if (own.state !== cause.state) count(`were ${stateWords[own.state]} and are ${stateWords[cause.state]}`);
    else if (String(own.risks) !== String(cause.risks)) count('have other risks');
  }
  for (const [key] of updatesWere) if (!updatesAre.has(key)) count('are gone');
  return {
    before,
    counts,
    joined: is.filter((version) => !was.includes(version)),
    left: was.filter((version) => !is.includes(version)),
    stranded: [...loses].filter((version) => !lost.has(version)),
    unblocked: [...lost].filter((version) => !loses.has(version) && is.includes(version)),
  };
}
