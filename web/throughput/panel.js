/** The throughput panel: live times of one workload by several contenders, in a worker of their own. */
import { element, facts, card, select } from '../elements.js';
import { oneOf } from '../state.js';
import { startWorker } from '../workers.js';
import { createChart } from './chart.js';
import { engineOf } from './engine.js';
import { short, showBytes, summarize } from './statistics.js';
import { bytesMoved, describe, workloads } from './workloads.js';

export const fields = { workload: oneOf('photo', Object.keys(workloads)) };

/** After this many rounds the numbers hardly change. */
const mostRounds = 150;
const isOurs = (name) => name.startsWith('onnx-layout');

export function mount(root, state, save) {
  let worker;
  let withOnnxruntime = false;
  /** Counts starts and stops. A run that is no longer the latest one ends. */
  let run = 0;
  let isRunning = false;

  const status = element(
    'p',
    { class: 'status', role: 'status', id: 'throughput-status' },
    'Nothing has been measured yet.',
  );
  const button = element(
    'button',
    { class: 'primary', id: 'throughput-start', click: () => (isRunning ? stop('Stopped.') : start()) },
    'Measure',
  );
  const peer = element(
    'button',
    { id: 'throughput-onnxruntime', click: addOnnxruntime },
    `Add onnxruntime-web (loads ${showBytes(__ONNXRUNTIME_BYTES__)})`,
  );
  const body = element('tbody', {});
  const plot = element('div', { class: 'chart', role: 'img', 'aria-label': 'Bar chart of the GB/s in the table' });
  const machine = element('div', {});

  root.append(
    element(
      'div',
      { class: 'stack' },
      card(
        'Throughput',
        element(
          'p',
          { class: 'lead' },
          'Each contender works in turn, from a JavaScript typed array to a typed array. ',
          'Before anything is timed, every result is compared with ours byte for byte.',
        ),
        element(
          'div',
          { class: 'row' },
          select(
            'Workload',
            Object.entries(workloads).map(([key, workload]) => [describe(workload), key]),
            state.workload,
            (name) => {
              state.workload = name;
              save();
              if (isRunning) start();
              else stop('Nothing has been measured of this yet.');
              show([], {});
              offerPeer();
            },
          ),
          button,
          peer,
        ),
        status,
        plot,
        element(
          'div',
          { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Times' },
          element(
            'table',
            { class: 'numbers', id: 'throughput-table' },
            element(
              'thead',
              {},
              element(
                'tr',
                {},
                ['Contender', 'median ms', 'p95 ms', 'GB/s', 'ours is', 'result'].map((title) =>
                  element('th', { scope: 'col' }, title),
                ),
              ),
            ),
            body,
          ),
        ),
        element(
          'p',
          { class: 'note' },
          'GB/s counts the bytes read and written. memcpy is TypedArray.prototype.set of as many bytes, ',
          'which is what the memory allows. “into out” writes to memory that the caller keeps; ',
          'the system has to clear new memory first. ',
          'The JavaScript loop is the fastest of two or three: plain, blocked, unrolled, with a table. ',
          'onnxruntime-web takes part in the transposes alone. ',
          'The browser’s canvas resizes in its own way: it is timed, although its pixels are others.',
        ),
      ),
      card('Where', machine),
    ),
  );
  const drawChart = createChart(plot);
  showMachine(undefined);
  offerPeer();

  function showMachine(tick) {
    machine.replaceChildren(
      facts({
        Engine: engineOf(navigator.userAgent),
        Cores: String(navigator.hardwareConcurrency ?? 'unknown'),
        Clock: tick === undefined ? 'measured with the first run' : `ticks of ${short(tick * 1000)} µs`,
        'Cross-origin isolated': crossOriginIsolated ? 'yes' : 'no, so the clock is coarse and samples are longer',
      }),
    );
  }

  /**
   * @param {{ name: string, isEqual: boolean | undefined, isOther: boolean }[]} contenders
   * @param {Record<string, number[]>} samples
   */
  function show(contenders, samples) {
    const moved = bytesMoved(workloads[state.workload]);
    const rows = contenders.map(({ name, isEqual, isOther }) => ({
      name,
      outcome: isOther ? 'other pixels' : isEqual === undefined ? 'a copy' : isEqual ? 'equal' : 'differs, not timed',
      ...(samples[name]?.length ? summarize(samples[name], moved) : {}),
    }));
    const ours = rows.find(({ name }) => isOurs(name))?.median;
    body.replaceChildren(
      ...rows.map(({ name, outcome, median, p95, gigabytes }) =>
        element(
          'tr',
          { class: isOurs(name) ? 'ours' : undefined },
          element('th', { scope: 'row' }, name),
          [median, p95, gigabytes].map((value) => element('td', {}, value === undefined ? '–' : short(value))),
          element('td', {}, ours === undefined || median === undefined || isOurs(name) ? '' : ratio(median / ours)),
          element('td', {}, outcome),
        ),
      ),
    );
    drawChart(
      rows.map(({ name, gigabytes }) => ({
        name,
        value: gigabytes ?? 0,
        text: gigabytes === undefined ? '' : short(gigabytes),
        isOurs: isOurs(name),
      })),
    );
  }

  const ratio = (times) => (times >= 1 ? `${short(times)}× faster` : `${short(1 / times)}× slower`);

  function stop(why) {
    run++;
    isRunning = false;
    button.textContent = 'Measure';
    status.textContent = why;
  }

  async function start() {
    const mine = ++run;
    isRunning = true;
    button.textContent = 'Stop';
    status.textContent = 'Comparing results …';
    worker ??= startWorker();
    try {
      await measure(mine);
    } catch ({ message }) {
      if (mine !== run) return;
      stop(`Failed: ${message}`);
      withOnnxruntime = false;
      offerPeer();
    }
  }

  async function measure(mine) {
    const { contenders, tick } = await worker.prepare(state.workload, withOnnxruntime);
    if (mine !== run) return;
    if (contenders.some(({ name }) => name === 'onnxruntime-web')) peer.textContent = 'onnxruntime-web takes part';
    showMachine(tick);
    const samples = Object.fromEntries(contenders.map(({ name }) => [name, []]));
    for (let rounds = 1; rounds <= mostRounds; rounds++) {
      if (document.hidden) {
        status.textContent = 'Paused while the tab is hidden.';
        await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
        if (mine !== run) return;
      }
      const round = await worker.round();
      if (mine !== run) return;
      // Browsers may slow a hidden tab down, so what it measured does not count.
      if (document.hidden) continue;
      for (const [name, ms] of Object.entries(round)) samples[name].push(ms);
      status.textContent = `Round ${rounds} of ${mostRounds}.`;
      show(contenders, samples);
    }
    stop(`Done: ${mostRounds} rounds.`);
  }

  /** onnxruntime may be added once, and to transposes only. */
  function offerPeer() {
    peer.disabled = withOnnxruntime || !workloads[state.workload].perm;
  }

  function addOnnxruntime() {
    withOnnxruntime = true;
    offerPeer();
    start();
  }

  return (isShown) => {
    if (!isShown && isRunning) stop('Stopped.');
  };
}
