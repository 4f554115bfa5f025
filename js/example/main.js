// A page that shows the curve of a model along one input, and moves with the others.
import { start } from '../index.js';

const file = new URLSearchParams(location.search).get('model') ?? 'model.bgp';
const [{ load }, response] = await Promise.all([start(), fetch(file)]);
const model = load(await response.arrayBuffer());
const byId = (id) => document.getElementById(id);
const numbers = model.columns.filter((c) => c.low !== undefined && c.low < c.high);

/** The place of a value in the plot. */
const scale = (v, low, high, from, to) => from + ((to - from) * (v - low)) / (high - low || 1);

for (const c of model.columns) {
  const label = document.createElement('label');
  const input = document.createElement(c.kind === 'category' ? 'select' : 'input');
  if (c.kind === 'category') input.append(...c.levels.map((level) => new Option(level)));
  else if (numbers.includes(c)) {
    Object.assign(input, { type: 'range', min: c.low, max: c.high, step: 'any' });
    input.value = (c.low + c.high) / 2;
  }
  input.name = c.name;
  label.append(c.name, input, document.createElement('output'));
  byId('inputs').append(label);
}
byId('along').append(...numbers.map((c) => new Option(c.name)));

function row() {
  const values = Object.fromEntries(new FormData(byId('inputs')));
  for (const c of model.columns) {
    if (values[c.name] === '') values[c.name] = null;
    else if (c.kind === 'numeric' || c.kind === 'boolean') values[c.name] = Number(values[c.name]);
  }
  return values;
}

function draw() {
  const along = numbers.find((c) => c.name === byId('along').value);
  const now = row();
  const points = Array.from({ length: 61 }, (_, i) => along.low + ((along.high - along.low) * i) / 60);
  const [own, ...all] = model.predict([now, ...points.map((v) => ({ ...now, [along.name]: v }))]);
  const low = Math.min(...all.map((p) => p.lower));
  const high = Math.max(...all.map((p) => p.upper));
  const x = (v) => scale(v, along.low, along.high, 10, 590).toFixed(1);
  const y = (v) => scale(v, low, high, 290, 10).toFixed(1);
  const line = (values) => values.map(([v, w]) => `${x(v)},${y(w)}`).join('L');
  const up = points.map((v, i) => [v, all[i].upper]);
  const down = points.map((v, i) => [v, all[i].lower]).reverse();
  document.querySelector('path.band').setAttribute('d', `M${line(up)}L${line(down)}Z`);
  document.querySelector('path.mean').setAttribute('d', `M${line(points.map((v, i) => [v, all[i].mean]))}`);
  for (const [name, value] of Object.entries({ x1: x(now[along.name]), x2: x(now[along.name]), y1: 0, y2: 300 })) byId('at').setAttribute(name, value);
  byId('here').value = `${own.mean.toPrecision(4)} (${own.lower.toPrecision(4)} to ${own.upper.toPrecision(4)}) ${model.target}`;
  for (const label of byId('inputs').children) label.querySelector('output').value = now[label.querySelector('[name]').name] ?? '';
}

document.addEventListener('input', draw);
draw();
document.body.dataset.ready = 'yes';
