// What is shown, as the part of the page's address after `#`. Each state of the page is a link.

const EMPTY = {
  channel: '', arch: '', state: '', clusters: 'all', on: [], off: [], release: '', to: '', from: '',
  tab: 'stranded', risk: '', unfold: [], blocked: false,
};

function readAddress(text) {
  const given = new URLSearchParams(text.replace(/^#/, ''));
  const shown = { ...EMPTY };
  for (const [key, usual] of Object.entries(EMPTY)) {
    const value = given.get(key);
    if (value === null) continue;
    if (Array.isArray(usual)) shown[key] = given.getAll(key);
    else shown[key] = typeof usual === 'boolean' ? value === 'yes' : value;
  }
  return shown;
}

function writeAddress(shown) {
  const given = new URLSearchParams();
  for (const [key, usual] of Object.entries(EMPTY)) {
    const value = shown[key];
    if (Array.isArray(value)) value.forEach((one) => given.append(key, one));
    else if (value !== usual) given.set(key, value === true ? 'yes' : value);
  }
  return `#${given}`;
}
