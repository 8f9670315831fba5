const by = id => document.getElementById(id);
// What is on the page changes only where something else is to be said, so that readers and listeners are not disturbed.
function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
function add(parent, name, text, kind) {
  const made = parent.appendChild(document.createElement(name));
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}
function button(parent, text, action) {
  const made = add(parent, 'button', text);
  made.type = 'button';
  made.addEventListener('click', action);
  return made;
}
/** Narrow screens show a table as a list; roles keep the table for screen readers. */
function roles(table) {
  table.setAttribute('role', 'table');
  for (const group of [table.tHead, table.tBodies[0]]) group.setAttribute('role', 'rowgroup');
  table.tHead.rows[0].setAttribute('role', 'row');
  for (const head of table.tHead.rows[0].cells) head.setAttribute('role', 'columnheader');
}
document.querySelectorAll('table').forEach(roles);
function fill(table, rows) {
  const body = table.tBodies[0], heads = table.tHead.rows[0].cells;
  while (body.rows.length > rows.length) body.deleteRow(-1);
  rows.forEach((cells, at) => {
    const line = body.rows[at] || body.insertRow();
    line.setAttribute('role', 'row');
    cells.forEach((text, i) => put(line.cells[i] || cell(line, heads[i].textContent, !i), text));
  });
}
function cell(line, name, first) {
  const made = add(line, first ? 'th' : 'td');
  made.dataset.name = name;
  made.setAttribute('role', first ? 'rowheader' : 'cell');
  if (first) made.scope = 'row';
  return made;
}
/** Builds anew what is seldom other than before. */
const made = new Map();
function remake(node, what, build) {
  const now = JSON.stringify(what);
  if (made.get(node) === now) return;
  made.set(node, now);
  node.replaceChildren();
  build(node, what);
}

// The token stays in this tab, and is sent to this address alone.
const TOKEN = 'postern-admin-token';
let token = '';
try { token = sessionStorage.getItem(TOKEN) || ''; } catch { /* storage is forbidden: the token lasts as long as the page */ }
function sayToken(text) {
  put(by('token-said'), text || (token ? 'A token is in use in this tab.' : ''));
  by('token-forget').hidden = !token;
}
function useToken(value) {
  token = value;
  by('token').value = '';
  try { if (value) sessionStorage.setItem(TOKEN, value); else sessionStorage.removeItem(TOKEN); } catch { /* as above */ }
  sayToken();
  document.dispatchEvent(new Event('token'));
}
by('token-form').addEventListener('submit', event => {
  event.preventDefault();
  if (by('token').value.trim()) useToken(by('token').value.trim()); else by('token').focus();
});
by('token-forget').addEventListener('click', () => { useToken(''); by('token').focus(); });
sayToken();

/** Sends a request with the token, if there is one. */
function send(path, method, accept, body, signal) {
  const headers = { Accept: accept };
  if (token) headers.Authorization = 'Bearer ' + token;
  return fetch(path, { method, headers, body, signal, cache: 'no-store' });
}
/** Says why a request was refused, and asks for a token where one is missing. */
async function refusal(response) {
  const text = (await response.text()).trim();
  if (response.status === 401) {
    by('token-form').hidden = false;
    const why = token ? 'The token is not known here.' : 'A token is needed.';
    sayToken(why);
    return why;
  }
  try {
    const said = JSON.parse(text);
    return [said.problem, said.expected && 'Expected: ' + said.expected, ...(said.faults || [])].filter(Boolean).join(' ') || text;
  } catch { return text || 'Status ' + response.status; }
}
async function load(path) {
  const response = await send(path, 'GET', 'application/json');
  if (!response.ok) throw new Error(await refusal(response));
  return response.json();
}
/** Runs a task now and after each pause, one at a time, while the page is visible. */
function repeat(task, seconds) {
  let timer = 0, running = false;
  async function run() {
    clearTimeout(timer);
    if (running) return;
    running = true;
    try { if (!document.hidden) await task(); } finally { running = false; }
    timer = setTimeout(run, seconds * 1000);
  }
  document.addEventListener('visibilitychange', run);
  document.addEventListener('token', run);
  run();
  return run;
}
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const clock = date => date.toTimeString().slice(0, 8);
/** Shows that the page is current, or why it is not. */
function state(text, broken) {
  put(by('state'), text);
  by('state').className = 'push small ' + (broken ? 'bad' : 'soft');
}
