by('token-form').hidden = false;
const STATES = {
  listed: 'in use', later: 'in use from its time on', grace: 'no longer listed; accepted until its end', ended: 'no longer accepted', dropped: 'dropped here'
};
const instant = text => text ? new Date(text).toLocaleString('en-GB') : '–';
function issuer(node, it, at) {
  const section = add(node, 'section', undefined, 'card'), title = add(section, 'h2', it.issuer);
  title.id = 'issuer-' + at;
  section.setAttribute('aria-labelledby', title.id);
  if (it.problem) add(section, 'p', '✕ ' + it.problem, 'bad');
  const list = add(section, 'dl');
  const pairs = it.directory ? [['directory', it.directory], ['read', instant(it.fetched)], ['fresh until', instant(it['fresh-until'])], ['next reading', instant(it.next)]] : [['directory', 'none: the keys are in the configuration']];
  if (it.failed) pairs.push(['failed', instant(it.failed)]);
  for (const skipped of it.skipped) pairs.push(['skipped entry', skipped]);
  for (const [name, value] of pairs) { add(list, 'dt', name); add(list, 'dd', value); }
  if (!it.keys.length) { add(section, 'p', 'No keys: tokens of this issuer are refused.', 'bad'); return; }
  const wide = add(section, 'div', undefined, 'wide');
  wide.tabIndex = 0;
  wide.setAttribute('role', 'region');
  wide.setAttribute('aria-label', 'Keys of ' + it.issuer);
  const table = add(wide, 'table', undefined, 'text stack'), heads = add(add(table, 'thead'), 'tr');
  for (const name of ['key id', 'type', 'state', 'from', 'until', 'action']) add(heads, 'th', name).scope = 'col';
  add(table, 'tbody');
  roles(table);
  fill(table, it.keys.map(key => [key.id, key.type, STATES[key.state] || key.state, instant(key.from), key.until ? instant(key.until) + ' (' + key['days-left'] + ' days)' : '–', '']));
  it.keys.forEach((key, i) => {
    if (key.state === 'dropped') return;
    button(table.tBodies[0].rows[i].cells[5], 'Drop', () => drop(it.issuer, key.id)).setAttribute('aria-label', 'Drop key ' + key.id + ' of ' + it.issuer);
  });
}
function say(text) {
  by('done').hidden = false;
  put(by('done'), text + ' ' + clock(new Date()));
}
async function drop(name, id) {
  if (!window.confirm('Drop key ' + id + ' of ' + name + '? Its tokens are refused at once, until this process ends.')) return;
  await change('/keys/' + encodeURIComponent(name) + '/' + id, 'DELETE', 'Dropped ' + id + '. Put it into revoked of ' + name + ' in the configuration.');
}
async function change(path, method, done) {
  try {
    const response = await send(path, method, 'application/json');
    if (response.ok) say(done);
    else if (response.status === 429 && response.headers.get('Content-Type') === 'application/json') say('Read a moment ago; try again in some seconds.');
    else if (response.status === 502) say('Not all directories could be read; the problem is shown at its issuer.');
    else say('Not done: ' + await refusal(response));
  } catch {
    say('Not done: the gateway does not respond.');
  }
  refresh();
}
by('refresh').addEventListener('click', () => change('/keys/refresh', 'POST', 'Read.'));
const refresh = repeat(async () => {
  try {
    const issuers = await load('/keys');
    by('none').hidden = issuers.length > 0;
    by('refresh').hidden = !issuers.some(it => it.directory);
    remake(by('issuers'), issuers, node => issuers.forEach((it, at) => issuer(node, it, at)));
    state('Every five seconds; ' + clock(new Date()));
  } catch (problem) {
    state(problem instanceof TypeError ? 'The gateway does not respond.' : problem.message, true);
  }
}, 5);
