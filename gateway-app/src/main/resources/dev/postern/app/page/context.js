const VERDICTS = { ok: 'as wanted', drift: 'differs', unknown: 'can’t be read', fact: '' };
let items = [];
function show() {
  const drifts = items.filter(item => item.verdict === 'drift'), unread = items.filter(item => item.verdict === 'unknown').length;
  put(by('verdict'), (drifts.length ? '✕ ' + drifts.length + ' of ' + items.length + (drifts.length === 1 ? ' items differs from what is wanted.' : ' items differ from what is wanted.')
    : '✓ All ' + items.length + ' items are as wanted.') + (unread ? ' ' + unread + ' can’t be read here, or not yet.' : ''));
  by('verdict').className = 'card ' + (drifts.length ? 'bad' : 'good');
  remake(by('drifts'), drifts, node => drifts.forEach(item => {
    const one = add(node, 'div', undefined, 'card drift');
    add(one, 'h2', item.item);
    const list = add(one, 'dl');
    for (const [name, value] of [['found', item.found], ['wanted', item.wanted], ['what to do', item.advice]]) { add(list, 'dt', name); add(list, 'dd', value); }
  }));
  const wanted = by('find').value.trim().toLowerCase();
  fill(by('items'), items.filter(item => (item.item + ' ' + item.found).toLowerCase().includes(wanted))
    .map(item => [item.item, item.found || '–', item.wanted || 'any', VERDICTS[item.verdict] ?? item.verdict, item.advice || '–']));
}
by('find').addEventListener('input', show);
repeat(async () => {
  try {
    items = await load('/context');
    show();
    state('Every ten seconds; ' + clock(new Date()));
  } catch (problem) {
    state(problem instanceof TypeError ? 'The gateway does not respond.' : problem.message, true);
  }
}, 10);
