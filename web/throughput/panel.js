/** The throughput panel: live times of one workload by several contenders, in a worker of their own. */
import { card, element, facts, lead, note, row, select, stack, setChildren } from '../shared/elements.js';
import { oneOf } from '../shared/state.js';
import { startWorker } from '../shared/workers.js';
import { createChart } from './chart.js';
import { engineOf } from './engine.js';
import { barsOf, contendersTable, rowsOf, tableRows } from './results.js';
import { short, showBytes } from '../shared/number-text.js';
import { bytesMoved, describe, workloads } from './workloads.js';

export const fields = { workload: oneOf('photo', Object.keys(workloads)) };

/** After this many rounds the numbers hardly change. */
const mostRounds = 150;

export function mount(root, state, save) {
  const panel = new ThroughputPanel(state, save);
  root.append(panel.node);
  panel.drawChart = createChart(panel.plot);
  return (isShown) => {
    if (!isShown) panel.hide();
  };
}

const introduction = [
  'Each contender works in turn, from a JavaScript typed array to a typed array. ',
  'Before anything is timed, every result is compared with ours byte for byte.',
];

const notes = [
  'GB/s counts the bytes read and written. memcpy is TypedArray.prototype.set of as many bytes, ',
  'which is what the memory allows. “into out” writes to memory that the caller keeps; ',
  'the system has to clear new memory first. ',
  'The JavaScript loop is the fastest of two or three: plain, blocked, unrolled, with a table. ',
  'onnxruntime-web takes part in the transposes alone. ',
  'The browser’s canvas resizes in its own way: it is timed, although its pixels are others.',
];

/** @param {number} [tick] of the worker's clock, in milliseconds */
const machineFacts = (tick) =>
  facts({
    Engine: engineOf(navigator.userAgent),
    Cores: String(navigator.hardwareConcurrency ?? 'unknown'),
    Clock: tick === undefined ? 'measured with the first run' : `ticks of ${short(tick * 1000)} µs`,
    'Cross-origin isolated': crossOriginIsolated ? 'yes' : 'no, so the clock is coarse and samples are longer',
  });

class ThroughputPanel {
  #save;
  #state;
  #worker;
  #withOnnxruntime = false;
  /** Counts starts and stops. A run that is no longer the latest one ends. */
  #run = 0;
  #isRunning = false;

  #status = element(
    'p',
    { class: 'status', role: 'status', id: 'throughput-status' },
    'Nothing has been measured yet.',
  );
  #button = element(
    'button',
    {
      class: 'primary',
      id: 'throughput-start',
      click: () => (this.#isRunning ? this.#stop('Stopped.') : this.#start()),
    },
    'Measure',
  );
  #peer = element(
    'button',
    { id: 'throughput-onnxruntime', click: () => this.#addOnnxruntime() },
    `Add onnxruntime-web (loads ${showBytes(__ONNXRUNTIME_BYTES__)})`,
  );
  #body = element('tbody', {});
  plot = element('div', { class: 'chart', role: 'img', 'aria-label': 'Bar chart of the GB/s in the table' });
  #machine = element('div', {}, machineFacts());

  constructor(state, save) {
    this.#state = state;
    this.#save = save;
    this.node = stack(
      card(
        'Throughput',
        lead(...introduction),
        row(this.#workloadChoice(), this.#button, this.#peer),
        this.#status,
        this.plot,
        contendersTable(this.#body),
        note(...notes),
      ),
      card('Where', this.#machine),
    );
    this.#offerPeer();
  }

  hide() {
    if (this.#isRunning) this.#stop('Stopped.');
  }

  #workloadChoice() {
    const options = Object.entries(workloads).map(([key, workload]) => [describe(workload), key]);
    return select('Workload', options, this.#state.workload, (name) => {
      this.#state.workload = name;
      this.#save();
      if (this.#isRunning) this.#start();
      else this.#stop('Nothing has been measured of this yet.');
      this.#show([], {});
      this.#offerPeer();
    });
  }

  /**
   * @param {{ name: string, isEqual: boolean | undefined, isOther: boolean }[]} contenders
   * @param {Record<string, number[]>} samples
   */
  #show(contenders, samples) {
    const rows = rowsOf(contenders, samples, bytesMoved(workloads[this.#state.workload]));
    setChildren(this.#body, tableRows(rows));
    this.drawChart(barsOf(rows));
  }

  #stop(why) {
    this.#run++;
    this.#isRunning = false;
    this.#button.textContent = 'Measure';
    this.#status.textContent = why;
  }

  async #start() {
    const mine = ++this.#run;
    this.#isRunning = true;
    this.#button.textContent = 'Stop';
    this.#status.textContent = 'Comparing results …';
    this.#worker ??= startWorker();
    try {
      await this.#measure(mine);
    } catch ({ message }) {
      if (mine !== this.#run) return;
      this.#stop(`Failed: ${message}`);
      this.#withOnnxruntime = false;
      this.#offerPeer();
    }
  }

  async #measure(mine) {
    const { contenders, tick } = await this.#worker.prepare(this.#state.workload, this.#withOnnxruntime);
    if (mine !== this.#run) return;
    if (contenders.some(({ name }) => name === 'onnxruntime-web'))
      this.#peer.textContent = 'onnxruntime-web takes part';
    this.#machine.replaceChildren(machineFacts(tick));
    const samples = Object.fromEntries(contenders.map(({ name }) => [name, []]));
    for (let rounds = 1; rounds <= mostRounds; rounds++) {
      if (document.hidden) {
        this.#status.textContent = 'Paused while the tab is hidden.';
        await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
        if (mine !== this.#run) return;
      }
      const round = await this.#worker.round();
      if (mine !== this.#run) return;
      // Browsers may slow a hidden tab down, so its times do not count.
      if (document.hidden) continue;
      for (const [name, ms] of Object.entries(round)) samples[name].push(ms);
      this.#status.textContent = `Round ${rounds} of ${mostRounds}.`;
      this.#show(contenders, samples);
    }
    this.#stop(`Done: ${mostRounds} rounds.`);
  }

  /** onnxruntime may be added once, and to transposes only. */
  #offerPeer() {
    this.#peer.disabled = this.#withOnnxruntime || !workloads[this.#state.workload].perm;
  }

  #addOnnxruntime() {
    this.#withOnnxruntime = true;
    this.#offerPeer();
    this.#start();
  }
}
