by('token-form').hidden = false;
const MODES = [
  ['open', 'Open', 'As configured: clients enter while there is room, the others wait.'],
  ['everybody-queues', 'Everybody queues', 'Each client takes a place in the queue, and enters when it is at the front and a slot is free.'],
  ['paused', 'Paused', 'No client enters. Those inside stay, those in the queue keep their places, and others may join.'],
  ['draining', 'Draining', 'No client joins the queue. Those in it enter in their order.']
];
const cards = new Map();

/** The controls of a room are made once, so that what is being typed stays. */
function card(room) {
  const known = cards.get(room.room);
  if (known) return known;
  const id = 'room-' + cards.size;
  const node = add(by('rooms'), 'section', undefined, 'card room');
  node.setAttribute('aria-labelledby', id);
  const head = add(node, 'div', undefined, 'row');
  const title = add(head, 'h2', room.room);
  title.id = id;
  const parts = { node, mode: add(head, 'span', '', 'state') };
  const numbers = add(node, 'dl', undefined, 'numbers');
  for (const [key, name] of [['waiting', 'in the queue'], ['active', 'inside']]) {
    const pair = add(numbers, 'div');
    add(pair, 'dt', name);
    parts[key] = add(pair, 'dd', '', 'big');
  }
  parts.about = add(node, 'p', '', 'soft small');
  const modes = add(node, 'div', undefined, 'row');
  modes.setAttribute('role', 'group');
  modes.setAttribute('aria-label', 'Mode of ' + room.room);
  parts.modes = MODES.map(([mode, name]) => button(modes, { open: 'Open', paused: 'Pause', draining: 'Drain' }[mode] || name, () => change(room.room, { mode })));
  const forms = add(node, 'div', undefined, 'row forms');
  setting(forms, room.room, 'At most inside', 'number', 'active-sessions', value => Number(value));
  setting(forms, room.room, 'Rate without waiting', 'text', 'rate', value => value, '20/s');
  setting(forms, room.room, 'Opens at (your time)', 'datetime-local', 'opens-at', value => new Date(value).toISOString());
  cards.set(room.room, parts);
  return parts;
}
function setting(parent, room, name, type, key, read, example) {
  const form = add(parent, 'form', undefined, 'row'), label = add(form, 'label', name + ' '), input = add(label, 'input');
  input.type = type;
  input.required = true;
  if (type === 'number') { input.min = 1; input.max = 1000000; }
  if (example) input.placeholder = example;
  add(form, 'button', 'Set').setAttribute('aria-label', 'Set: ' + name + ' of ' + room);
  button(form, 'As configured', () => change(room, { [key]: null })).setAttribute('aria-label', 'As configured: ' + name + ' of ' + room);
  form.addEventListener('submit', async event => {
    event.preventDefault();
    if (await change(room, { [key]: read(input.value) })) input.value = '';
  });
}
async function change(room, what) {
  let text, good = false;
  try {
    const response = await send('/rooms/' + encodeURIComponent(room), 'PATCH', 'application/json', JSON.stringify(what));
    good = response.ok;
    text = !good ? 'Not changed: ' + await refusal(response)
      : response.status === 202 ? 'Changed here. The store does not respond; the other gateways learn it later.' : 'Changed.';
  } catch {
    text = 'Not changed: the gateway does not respond.';
  }
  const said = room + ': ' + text;
  by('done').hidden = false;
  put(by('done'), said + ' ' + clock(new Date()));
  refresh();
  return good;
}
function show(room) {
  const parts = card(room), controls = room.controls;
  const [, name, about] = MODES.find(([mode]) => mode === controls.mode);
  put(parts.mode, name);
  parts.mode.className = 'state ' + (controls.mode === 'open' ? 'good' : 'bad');
  put(parts.waiting, whole.format(room.waiting));
  put(parts.active, whole.format(room.active) + ' of ' + whole.format(room.bound));
  const set = [controls['active-sessions'] && 'at most ' + whole.format(controls['active-sessions']) + ' inside', controls.rate && 'rate ' + controls.rate,
    controls['opens-at'] && 'opens at ' + new Date(controls['opens-at']).toLocaleString('en-GB')].filter(Boolean);
  put(parts.about, about + (set.length ? ' Set here: ' + set.join(', ') + '.' : '') + (controls.since ? ' Last change: ' + new Date(controls.since).toLocaleString('en-GB') + '.' : '')
    + ' The queue holds ' + whole.format(room['max-waiting']) + ' at most.');
  MODES.forEach(([mode], i) => parts.modes[i].setAttribute('aria-pressed', String(mode === controls.mode)));
}
const refresh = repeat(async () => {
  try {
    const rooms = await load('/rooms');
    by('none').hidden = rooms.length > 0;
    rooms.forEach(show);
    for (const [name, parts] of cards) {
      if (!rooms.some(room => room.room === name)) { parts.node.remove(); cards.delete(name); }
    }
    state('Every two seconds; ' + clock(new Date()));
  } catch (problem) {
    state(problem instanceof TypeError ? 'The gateway does not respond.' : problem.message, true);
  }
}, 2);
