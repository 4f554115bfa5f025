'use strict';
// Charts: what the page needs of uPlot, with colours of the page, the keyboard and a line of text
// for the value under the cursor.
const data = JSON.parse(document.getElementById('data').textContent);
const root = document.documentElement;
const charts = [];

function element(name, attributes = {}, ...children) {
  const svg = ['svg', 'rect', 'line', 'circle'].includes(name);
  const made = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const colour = name => getComputedStyle(root).getPropertyValue(name).trim();

function text(v) {
  if (v === null || v === undefined) return '–';
  if (Number.isInteger(v) && Math.abs(v) < 1e6) return String(v);
  return String(Number(v.toPrecision(4)));
}

const percent = v => `${Number((100 * v).toPrecision(3))} %`;
const about = v => `± ${Number(v.toPrecision(2))}`;
const date = seconds => new Date(1000 * seconds).toISOString().slice(0, 16).replace('T', ' ').replace(' 00:00', '');

// padded is a range of a scale with some room, and of one value some around it.
function padded(low, high, share = 0.04) {
  if (low === null || high === null) return [0, 1];
  const room = high > low ? (high - low) * share : Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
}

// chart draws spec into host: x with values at, axis names, series of values (lines, points or
// steps) with names and colours, bands between two series, and what to read where.
function chart(host, spec) {
  const hint = element('p', {class: 'readout', 'aria-live': 'polite'});
  const place = element('div', {class: 'plot', tabindex: '0', role: 'group', 'aria-label': spec.label});
  host.append(keys(spec), place, hint);
  const own = {host: place, spec, hint, at: -1};
  own.draw = () => {
    if (own.plot) own.plot.destroy();
    own.plot = new uPlot(options(own), [spec.x.at, ...spec.series.map(s => s.values)], place);
  };
  place.addEventListener('keydown', event => keyed(own, event));
  own.draw();
  charts.push(own);
  return own;
}

function keys(spec) {
  const list = element('ul', {class: 'keys'});
  for (const s of spec.series.filter(s => s.name)) {
    const mark = s.kind === 'points' ? element('circle', {cx: '50%', cy: '50%', r: '4'}) : element('line', {x1: '0', x2: '100%', y1: '50%', y2: '50%'});
    const sample = element('svg', {'aria-hidden': 'true'}, mark);
    mark.style.fill = mark.style.stroke = `var(${s.colour})`;
    if (s.dash) mark.style.strokeDasharray = '4 3';
    list.append(element('li', {}, sample, s.name));
  }
  return list;
}

function options(own) {
  const {spec, host} = own;
  const axis = {stroke: colour('--soft'), grid: {stroke: colour('--line'), width: 1}, font: '12px system-ui, Arial', labelFont: '12px system-ui, Arial', labelSize: 16, labelGap: 0, gap: 4, ticks: {stroke: colour('--line'), width: 1, size: 5}};
  const levels = spec.x.levels;
  return {
    width: Math.max(host.clientWidth, 200), height: spec.height || 280,
    legend: {show: false}, pxAlign: 0,
    tzDate: seconds => uPlot.tzDate(new Date(1000 * seconds), 'Etc/UTC'),
    scales: {
      x: {time: spec.x.kind === 'time', range: (u, low, high) => spec.x.range || padded(low, high, 0.02)},
      y: {range: (u, low, high) => spec.y.range || padded(low, high)},
    },
    axes: [
      {...axis, label: spec.x.name, space: 55, size: spec.x.kind === 'time' ? 38 : 24, ...levels && {splits: () => thinned(levels), values: (u, at) => at.map(k => cut(levels[k], 10))}},
      {...axis, label: spec.y.name, size: (u, values) => 10 + 7 * Math.max(2, ...(values || []).map(v => String(v).length))},
    ],
    series: [{}, ...spec.series.map(style)],
    bands: (spec.bands || []).map(b => ({series: [b.high, b.low], fill: colour(b.colour)})),
    cursor: {
      drag: {x: true, y: Boolean(spec.pick), uni: 20}, y: Boolean(spec.pick),
      dataIdx: (u, series, closest) => spec.pick ? nearest(u) : closest,
    },
    hooks: {
      setCursor: [u => read(own, u)], draw: [u => mark(own, u)],
      ready: [u => spec.pick && clicked(u, () => spec.pick(nearest(u)))],
    },
  };
}

const cut = (name, most) => name === undefined ? '' : name.length > most ? name.slice(0, most - 1) + '…' : name;

function thinned(levels) {
  const every = Math.ceil(levels.length / 8);
  return levels.map((_, k) => k).filter(k => k % every === 0);
}

function style(s) {
  const ink = s.colour ? colour(s.colour) : 'transparent';
  if (s.kind === 'points') return {stroke: ink, paths: () => null, points: {show: true, size: s.size || 6, width: 1, stroke: ink, fill: ink}};
  return {
    stroke: ink, pxAlign: 0, width: s.colour ? 2 : 0, dash: s.dash ? [5, 4] : undefined, points: {show: false},
    ...s.kind === 'steps' && {paths: uPlot.paths.stepped({align: 1})},
  };
}

// nearest is the point next to the cursor, in both directions.
function nearest(u) {
  let best = null, least = Infinity;
  for (let i = 0; i < u.data[0].length; i++) {
    for (let s = 1; s < u.data.length; s++) {
      const y = u.data[s][i];
      if (y === null || y === undefined || !u.series[s].points.show) continue;
      const across = u.valToPos(u.data[0][i], 'x') - u.cursor.left, up = u.valToPos(y, 'y') - u.cursor.top;
      if (across * across + up * up < least) [best, least] = [i, across * across + up * up];
    }
  }
  return best;
}

// clicked calls act for a click that is not the end of a drag.
function clicked(u, act) {
  let from;
  u.over.addEventListener('mousedown', event => { from = event; });
  u.over.addEventListener('click', event => {
    if (from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < 5) act();
  });
}

function read(own, u) {
  const at = own.spec.pick ? (u.cursor.left >= 0 ? nearest(u) : null) : u.cursor.idx;
  if (at === null || at === undefined || u.cursor.left < 0) return;
  own.at = at;
  own.hint.textContent = own.spec.read(at);
}

// mark draws a ring around the chosen point.
function mark(own, u) {
  if (!own.spec.chosen) return;
  const at = own.spec.chosen();
  for (let s = 1; s < u.data.length && at >= 0; s++) {
    if (u.data[s][at] === null || own.spec.series[s - 1].kind !== 'points') continue;
    const c = u.ctx;
    c.save();
    c.beginPath();
    c.arc(u.valToPos(u.data[0][at], 'x', true), u.valToPos(u.data[s][at], 'y', true), 8 * uPlot.pxRatio, 0, 2 * Math.PI);
    c.lineWidth = 2.5 * uPlot.pxRatio;
    c.strokeStyle = colour('--ink');
    c.stroke();
    c.restore();
  }
}

function keyed(own, event) {
  const step = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1}[event.key];
  const {spec, plot} = own;
  if (event.key === 'Enter' && spec.pick && own.at >= 0) return spec.pick(own.at);
  if (!step) return;
  event.preventDefault();
  const n = spec.x.at.length;
  own.at = Math.min(n - 1, Math.max(0, own.at + step));
  const shown = spec.series.find(s => s.values[own.at] !== null && (!spec.pick || s.kind === 'points'));
  plot.setCursor({left: plot.valToPos(spec.x.at[own.at], 'x'), top: shown ? plot.valToPos(shown.values[own.at], 'y') : 0});
}

function redraw() {
  for (const own of charts) own.draw();
}

function remove(own) {
  if (!own) return;
  own.plot.destroy();
  charts.splice(charts.indexOf(own), 1);
}

new ResizeObserver(() => {
  for (const own of charts) if (own.host.clientWidth > 0) own.plot.setSize({width: own.host.clientWidth, height: own.spec.height || 280});
}).observe(document.querySelector('main'));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
addEventListener('beforeprint', () => { root.classList.add('printing'); redraw(); });
addEventListener('afterprint', () => { root.classList.remove('printing'); redraw(); });
