// The page's sections.
const find = name => document.querySelector(`[data-chart="${name}"]`);
const deviations = (p, n) => 2 * Math.sqrt(p * (1 - p) / n);

function calibration() {
  const host = find('coverage');
  if (!host) return;
  const sets = data.calibration, fewest = Math.min(...sets.map(c => c.rows)), levels = sets[0].levels;
  const inks = ['--purple', '--blue'].slice(2 - sets.length);
  const line = (c, k) => ({name: `${c.of}, ${c.rows} rows`, colour: inks[k], dash: k < sets.length - 1});
  chart(host, {
    label: 'Share of rows inside intervals by the level of the interval', x: {name: 'level of the interval, %', at: levels.map(v => 100 * v), range: [0, 100]},
    y: {name: 'rows inside, %', range: [0, 100]},
    series: [{values: levels.map(p => 100 * (p - deviations(p, fewest)))}, {values: levels.map(p => 100 * (p + deviations(p, fewest)))},
      {name: 'calibrated', values: levels.map(v => 100 * v), colour: '--soft'}, ...sets.map((c, k) => ({...line(c, k), values: c.covered.map(v => 100 * v)}))],
    bands: [{high: 2, low: 1, colour: '--gray'}],
    read: i => `${percent(levels[i])} intervals hold ` + sets.map(c => `${percent(c.covered[i])} (${c.of})`).join(', '),
  });
  const n = sets[0].pit.length, edges = [...Array(n + 1).keys()].map(k => k / n), even = 100 / n, half = 100 * deviations(1 / n, fewest);
  const stepped = c => [...c.pit, c.pit[n - 1]].map(v => 100 * v);
  chart(find('pit'), {
    label: 'Shares of rows by quantile of the predicted distribution', x: {name: 'quantile of the prediction', at: edges, range: [0, 1]},
    y: {name: 'rows, %', range: [0, 1.1 * Math.max(even + half, ...sets.flatMap(stepped))]},
    series: [{values: edges.map(() => even - half)}, {values: edges.map(() => even + half)}, {name: 'calibrated', values: edges.map(() => even), colour: '--soft'},
      ...sets.map((c, k) => ({...line(c, k), values: stepped(c), kind: 'steps'}))],
    bands: [{high: 2, low: 1, colour: '--gray'}],
    read: i => { const b = Math.min(i, n - 1); return `quantiles ${text(b / n)} to ${text((b + 1) / n)}: ` + sets.map(c => `${percent(c.pit[b])} (${c.of})`).join(', '); },
  });
}

const order = data.rows ? data.rows.map((_, k) => k).filter(k => data.rows[k].mu !== null).sort((a, b) => data.rows[a].mu - data.rows[b].mu) : [];
let chosen = -1;

function rowText(r) {
  return `row ${r.row}: predicted ${text(r.mu)} (95 %: ${text(r.lo)} to ${text(r.hi)})` + (r.y === null ? '' : `, observed ${text(r.y)}`);
}

function scatter(name, y, diagonal) {
  const host = find(name), rows = order.map(k => data.rows[k]).filter(r => r.y !== null);
  if (!host) return;
  if (rows.length === 0) return host.append(element('p', {class: 'hint'}, 'The target is known of none of these rows.'));
  const inside = r => r.lo <= r.y && r.y <= r.hi;
  chart(host, {
    label: `${host.textContent}, ${rows.length} points. Arrow keys go from point to point, Enter chooses one.`,
    x: {name: `predicted ${data.target}`, at: rows.map(r => r.mu)}, y: {name: name === 'predicted' ? `observed ${data.target}` : 'observed − predicted'},
    series: [{name: name === 'predicted' ? 'observed = predicted' : 'no error', values: rows.map(diagonal), colour: '--soft'},
      {name: 'in its 95 % interval', values: rows.map(r => inside(r) ? y(r) : null), colour: '--blue', kind: 'points', size: 5},
      {name: 'outside', values: rows.map(r => inside(r) ? null : y(r)), colour: '--orange', kind: 'points', size: 7}],
    read: i => rowText(rows[i]), pick: i => i !== null && choose(data.rows.indexOf(rows[i]), true), chosen: () => rows.indexOf(data.rows[chosen]),
  });
}

let noiseChart;
function noise() {
  const select = document.getElementById('noise-column');
  if (!select || data.noise.length === 0) return;
  const show = () => {
    const host = find('noise'), column = data.noise[Number(select.value)];
    remove(noiseChart);
    host.replaceChildren(host.querySelector('figcaption'));
    const at = order.filter(k => column.at[k] !== null).sort((a, b) => column.at[a] - column.at[b]), rows = at.map(k => data.rows[k]);
    if (rows.length === 0) return host.append(element('p', {class: 'hint'}, 'No row drawn has a value.'));
    const name = k => column.levels ? column.levels[column.at[k]] : column.kind === 'time' ? date(column.at[k]) : text(column.at[k]);
    const series = [{name: 'deviation of the target', values: rows.map(r => r.sd), colour: '--blue', kind: 'points', size: 5}];
    if (rows.some(r => r.sf !== null)) series.push({name: 'deviation of the function', values: rows.map(r => r.sf), colour: '--orange', kind: 'points', size: 4});
    noiseChart = chart(host, {
      label: `Predicted deviation along ${column.column}`, x: {name: column.column, kind: column.kind, levels: column.levels, at: at.map(k => column.at[k]), ...column.levels && {range: [-0.5, column.levels.length - 0.5]}},
      y: {name: data.target, range: padded(0, Math.max(...rows.map(r => r.sd)))}, series,
      read: i => `row ${rows[i].row}, ${column.column} ${name(at[i])}: deviation ${text(rows[i].sd)}` + (rows[i].sf === null ? '' : `, of the function ${text(rows[i].sf)}`),
      pick: i => i !== null && choose(at[i], true), chosen: () => at.indexOf(chosen),
    });
    table(host, ['row', column.column, 'deviation', 'of the function'], at.map((k, i) => [String(rows[i].row), name(k), text(rows[i].sd), text(rows[i].sf)]));
  };
  select.addEventListener('change', show);
  show();
}

// choose shows what the prediction of a row is made of.
function choose(k, scroll) {
  if (chosen >= 0) document.querySelector(`[data-row="${chosen}"]`).setAttribute('aria-pressed', 'false');
  chosen = k;
  const button = document.querySelector(`[data-row="${k}"]`), r = data.rows[k], card = document.getElementById('row');
  button.setAttribute('aria-pressed', 'true');
  if (scroll) button.closest('.tall').scrollTop = button.closest('tr').offsetTop - 60;
  const head = [element('h3', {}, `Row ${r.row}`), element('p', {}, `Predicted ${text(r.mu)} ± ${text(r.sd)}, 95 % interval ${text(r.lo)} to ${text(r.hi)}` + (r.y === null ? '.' : `; observed ${text(r.y)}.`))];
  card.replaceChildren(...head, ...r.parts ? [element('div', {class: 'scroll'}, waterfall(r))] : []);
  for (const own of charts) if (own.spec.chosen) own.plot.redraw(false, false);
}

function waterfall(r) {
  const steps = r.parts.map(p => ({name: data.columns[p.c], cell: p.x, value: p.v}));
  if (data.columns.length > steps.length) steps.push({name: `${data.columns.length - steps.length} other columns`, cell: '', value: r.rest});
  let sum = data.base, low = sum, high = sum;
  for (const s of steps) { s.from = sum; s.to = sum += s.value; low = Math.min(low, sum); high = Math.max(high, sum); }
  const place = v => high > low ? 100 * (v - low) / (high - low) : 0;
  const body = element('tbody', {}, element('tr', {}, element('th', {scope: 'row'}, 'without any column'), element('td'), element('td'), element('td', {class: 'n'}, text(data.base))));
  for (const s of steps) {
    const [left, right] = [Math.min(place(s.from), place(s.to)), Math.max(place(s.from), place(s.to))];
    const bar = element('svg', {'aria-hidden': 'true'}, element('rect', {x: `${left}%`, width: `${Math.max(right - left, 0.5)}%`, height: '100%', class: s.value < 0 ? 'down' : 'up'}));
    body.append(element('tr', {}, element('th', {scope: 'row'}, element('bdi', {}, s.name)), element('td', {}, element('bdi', {}, s.cell)), element('td', {class: 'bar'}, bar), element('td', {class: 'n'}, (s.value < 0 ? '' : '+') + text(s.value))));
  }
  body.append(element('tr', {}, element('th', {scope: 'row'}, data.scale), element('td'), element('td'), element('td', {class: 'n'}, text(r.f))));
  const heads = ['column', 'value', '', 'adds'].map(h => element('th', {scope: 'col'}, h));
  return element('table', {}, element('caption', {}, 'What its prediction is made of'), element('thead', {}, element('tr', {}, ...heads)), body);
}

// band returns the ends of an effect's band, those of the mean where there is none.
const ends = (curve, sign) => curve.mean.map((m, i) => m + sign * 1.96 * (curve.std ? curve.std[i] || 0 : 0));
const curves = (data.effects || []).map(e => e.curves[0]);
const common = curves.length ? padded(Math.min(...curves.flatMap(c => ends(c, -1))), Math.max(...curves.flatMap(c => ends(c, 1)))) : [0, 1];

function effect(e, caption, share) {
  const host = element('figure', {}, element('figcaption', {}, caption, share === undefined || share === null ? '' : element('span', {class: 'hint'}, ` ${percent(share)} of the variance`)));
  return {host, draw: () => e.kind === 'level' && e.curves.length === 1 ? levels(host, e) : lines(host, e, caption)};
}

function lines(host, e, caption) {
  const inks = ['--blue', '--orange', '--green', '--purple'], one = e.curves.length === 1;
  const at = e.levels ? e.levels.map((_, k) => k) : e.at, series = [], bands = [];
  e.curves.forEach((c, k) => {
    if (c.std) {
      bands.push({low: series.length + 1, high: series.length + 2, colour: '--band'});
      series.push({values: ends(c, -1)}, {values: ends(c, 1)});
    }
    series.push({name: c.name, values: c.mean, colour: inks[k], dash: k === 3});
  });
  const name = i => e.levels ? e.levels[i] : e.kind === 'time' ? date(at[i]) : text(at[i]);
  const own = chart(host, {
    label: `Effect of ${caption} on ${data.scale}`, height: 210, x: {name: e.input, at, kind: e.kind, levels: e.levels}, y: {name: data.scale, ...one && {range: common}}, series, bands,
    read: i => `${name(i)}: ` + e.curves.map(c => (c.name ? `${c.name} ` : '') + text(c.mean[i]) + (c.std ? ` ${about(1.96 * c.std[i])}` : '')).join(', '),
  });
  table(host, [e.input, ...e.curves.flatMap(c => c.std ? ['mean', '±'] : [c.name || 'mean'])], at.map((_, i) => [name(i), ...e.curves.flatMap(c => c.std ? [text(c.mean[i]), text(1.96 * c.std[i])] : [text(c.mean[i])])]));
  return own;
}

// levels draws the effect of a category: a point and a band a level, those of most rows first.
function levels(host, e) {
  const c = e.curves[0], most = 12, all = e.levels.map((_, k) => k);
  if (e.share) all.sort((a, b) => e.share[b] - e.share[a]);
  const place = v => `${100 * (v - common[0]) / (common[1] - common[0])}%`, body = element('tbody');
  for (const k of all.slice(0, most)) {
    const half = c.std ? 1.96 * c.std[k] : 0;
    const drawn = element('svg', {'aria-hidden': 'true'}, element('line', {x1: place(c.mean[k] - half), x2: place(c.mean[k] + half), y1: '50%', y2: '50%'}), element('circle', {cx: place(c.mean[k]), cy: '50%', r: '5'}));
    body.append(element('tr', {}, element('th', {scope: 'row'}, element('bdi', {}, e.levels[k])), element('td', {class: 'bar'}, drawn), element('td', {class: 'n'}, `${text(c.mean[k])} ${about(half)}`)));
  }
  host.append(element('div', {class: 'scroll'}, element('table', {class: 'levels'}, body)));
  if (all.length > most) host.append(element('p', {class: 'hint'}, `and ${all.length - most} more levels`));
  table(host, ['level', 'mean', '±'], all.map(k => [e.levels[k], text(c.mean[k]), c.std ? text(1.96 * c.std[k]) : '–']));
}

// table hangs the numbers of a chart under it, made when they are asked for.
function table(host, heads, rows) {
  const details = element('details', {}, element('summary', {}, 'Table'));
  details.addEventListener('toggle', () => {
    if (details.childElementCount > 1) return;
    details.append(element('div', {class: 'scroll tall'}, element('table', {}, element('thead', {}, element('tr', {}, ...heads.map(h => element('th', {scope: 'col'}, h)))),
      element('tbody', {}, ...rows.map(r => element('tr', {}, ...r.map(v => element('td', {}, v))))))));
  });
  host.append(details);
}

function effects() {
  const panels = document.getElementById('effect-panels'), shown = 12;
  if (!panels) return;
  const show = (where, e, caption, share) => { const own = effect(e, caption, share); where.append(own.host); return own.draw(); };
  for (const e of data.effects.slice(0, shown)) show(panels, e, e.input, e.index);
  for (const p of data.pairs || []) show(document.getElementById('pair-panels'), p.effect, `${p.first}, by ${p.second}`);
  const select = document.getElementById('effect-other'), host = document.getElementById('effect-other-panel');
  if (!select) return;
  let own;
  const other = () => { remove(own); host.replaceChildren(); const e = data.effects[Number(select.value)]; own = show(host, e, e.input, e.index); };
  select.addEventListener('change', other);
  other();
}

// tables makes long ones short, and has them searched and sorted.
function tables() {
  for (const box of document.querySelectorAll('[data-all]')) {
    const own = document.getElementById(box.dataset.all);
    [...own.tBodies[0].rows].slice(20).forEach(r => r.classList.add('more'));
    const shorten = () => own.classList.toggle('short', !box.checked);
    box.addEventListener('change', shorten);
    shorten();
  }
  for (const input of document.querySelectorAll('[data-filter]')) {
    const own = document.getElementById(input.dataset.filter), box = document.querySelector(`[data-all="${input.dataset.filter}"]`);
    input.addEventListener('input', () => {
      const wanted = input.value.trim().toLowerCase();
      for (const r of own.tBodies[0].rows) r.classList.toggle('hidden', !r.cells[0].textContent.toLowerCase().includes(wanted));
      if (box) own.classList.toggle('short', !wanted && !box.checked);
    });
  }
  for (const own of document.querySelectorAll('table.sortable')) {
    [...own.tHead.rows[0].cells].forEach((head, k) => {
      if (!head.textContent) return;
      const button = element('button', {type: 'button'}, head.textContent);
      head.replaceChildren(button);
      button.addEventListener('click', () => sort(own, head, k));
    });
  }
}

function sort(own, head, k) {
  const down = head.getAttribute('aria-sort') === 'descending' ? 1 : -1;
  for (const other of own.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', down < 0 ? 'descending' : 'ascending');
  const value = r => r.cells[k].textContent, known = v => !Number.isNaN(parseFloat(v));
  const compare = (a, b) => known(a) && known(b) ? parseFloat(a) - parseFloat(b) : known(a) - known(b) || a.localeCompare(b);
  own.tBodies[0].append(...[...own.tBodies[0].rows].sort((a, b) => down * compare(value(a), value(b))));
}

tables();
calibration();
scatter('predicted', r => r.y, r => r.mu);
scatter('residual', r => r.y - r.mu, () => 0);
noise();
effects();
for (const button of document.querySelectorAll('[data-row]')) button.addEventListener('click', () => choose(Number(button.dataset.row), false));
if (order.length > 0) choose(0, false);
