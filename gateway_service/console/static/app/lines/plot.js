// The lanes of a session drawn by uPlot: its axis and zoom, our bars. The table beside it says the same in words.

import { html, useEffect, useRef } from '../../vendor/preact.js';
import { LANES } from './reading.js';

const LANE_PX = 34;
const AXIS_PX = 50;
const BAR_PX = 14;
const LEAST_PX = 3;
const LABELS_PX = 96;
const SECOND = 1000;

/** The colour of a span, as the sheet has it. */
function colourOf(styles, span) {
  const names = {
    turns: 'accent', calls: 'info', monitor: 'violet', failures: 'bad', runs: 'warn', threads: 'warn',
    advice: { used: 'accent', waiting: 'info', gone: 'ink-soft' }[span.tone] ?? 'ink-soft',
  };
  return styles.getPropertyValue(`--${span.isBad ? 'bad' : names[span.lane]}`);
}

function drawBars(u, spans) {
  const styles = getComputedStyle(u.root);
  const ratio = devicePixelRatio || 1;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  u.ctx.clip();
  for (const span of spans) {
    const left = u.valToPos(span.from / SECOND, 'x', true);
    const right = u.valToPos(span.to / SECOND, 'x', true);
    if (right < u.bbox.left || left > u.bbox.left + u.bbox.width) continue;
    const middle = u.valToPos(LANES.indexOf(span.lane), 'y', true);
    u.ctx.fillStyle = colourOf(styles, span);
    u.ctx.fillRect(left, middle - (BAR_PX * ratio) / 2, Math.max(LEAST_PX * ratio, right - left), BAR_PX * ratio);
  }
  u.ctx.restore();
}

/** Options of the plot: time along, lanes down; a range drawn with the mouse is told to `onRange`. */
function optionsOf({ width, lanes, language, current }) {
  const styles = getComputedStyle(document.documentElement);
  const [ink, line] = ['--ink-soft', '--line'].map((name) => styles.getPropertyValue(name));
  const font = `12px ${styles.getPropertyValue('--sans')}`;
  const axis = { stroke: ink, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const times = (u, splits) => splits.map((at) => timeOf(at * SECOND, u.scales.x, language));
  return {
    width, height: LANES.length * LANE_PX + AXIS_PX, legend: { show: false }, padding: [4, 16, 0, 0],
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
    scales: {
      x: { time: true, range: (u, min, max) => [min, max] }, y: { dir: -1, range: [-0.5, LANES.length - 0.5] },
    },
    series: [{}, { paths: () => null, points: { show: false } }],
    axes: [
      { ...axis, values: times, space: 80 },
      { ...axis, size: LABELS_PX, splits: () => LANES.map((_, i) => i), values: () => lanes, grid: { show: false } },
    ],
    hooks: {
      draw: [(u) => drawBars(u, current().spans)],
      setSelect: [(u) => {
        const { left, width: size } = u.select;
        if (size < 4) return;
        current().onRange([left, left + size].map((px) => u.posToVal(px, 'x') * SECOND));
        u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      }],
    },
  };
}

/** A time on the axis: with its date where more than a day is shown, with seconds where less than ten minutes are. */
function timeOf(time, { min, max }, language) {
  const seconds = max - min;
  /** @type {Intl.DateTimeFormatOptions} */
  const shape = seconds > 86400 ? { month: 'numeric', day: 'numeric', hour: '2-digit', minute: '2-digit' }
    : { hour: '2-digit', minute: '2-digit', ...(seconds < 600 && { second: '2-digit' }),
      ...(seconds < 10 && { fractionalSecondDigits: 1 }) };
  return new Date(time).toLocaleString(language, { hour12: false, ...shape });
}

const SHEET = 'vendor/uplot.css';

/** uPlot, with its sheet, when it is needed first. */
async function load() {
  if (!document.querySelector(`link[href="${SHEET}"]`)) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: SHEET }));
  }
  return (await import('../../vendor/uplot.js')).uPlot;
}

/** The drawing. `lanes` are the names of the lanes; a range that is drawn with the mouse is told to `onRange`. */
export function Plot({ spans, range, lanes, language, label, onRange }) {
  const box = useRef(null);
  const plot = useRef(null);
  const told = useRef({});
  told.current = { spans, range, onRange };
  useEffect(() => {
    let wanted = true;
    const sizes = new ResizeObserver(([entry]) => {
      plot.current?.setSize({ width: Math.floor(entry.contentRect.width), height: LANES.length * LANE_PX + AXIS_PX });
    });
    load().then((uPlot) => {
      if (!wanted) return;
      const options = optionsOf({ width: box.current.clientWidth, lanes, language, current: () => told.current });
      plot.current = new uPlot(options, [told.current.range.map((at) => at / SECOND), [0, 0]], box.current);
      sizes.observe(box.current);
    });
    return () => {
      wanted = false;
      sizes.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [language]);
  useEffect(() => {
    const [min, max] = range.map((at) => at / SECOND);
    plot.current?.setData([[min, max], [0, 0]], false);
    plot.current?.setScale('x', { min, max });
  }, [spans, range[0], range[1]]);
  return html`<div class="plot" ref=${box} role="img" aria-label=${label}></div>`;
}
