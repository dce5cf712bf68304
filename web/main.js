/** The frame of the page: the tabs, the panels (each loaded when it is first shown), and the address. */
// The modules that all panels share come with this file: each file of its own costs half a kilobyte of headers.
import './shared/code-card.js';
import './shared/download.js';
import './shared/elements.js';
import './shared/file-drop.js';
import { readState, writeState } from './shared/state.js';
import './shared/number-text.js';
import './shared/workers.js';

const panels = {
  image: () => import('./image/panel.js'),
  processor: () => import('./processor/panel.js'),
  audio: () => import('./audio/panel.js'),
  weights: () => import('./weights/panel.js'),
  throughput: () => import('./throughput/panel.js'),
  lens: () => import('./lens/panel.js'),
  dtype: () => import('./dtype/panel.js'),
};
const names = Object.keys(panels);

/**
 * The panels that were shown. `query` is the panel's query string as it is now; `shown` is called when the panel
 * appears and disappears.
 * @type {Record<string, { query: string, shown: (isShown: boolean) => void }>}
 */
const open = {};

const tab = (name) => document.getElementById(`tab-${name}`);
const section = (name) => document.getElementById(`panel-${name}`);

let current;

const asked = () => {
  const name = new URLSearchParams(location.search).get('panel');
  return names.includes(name) ? name : names[0];
};

async function mount(name) {
  const entry = (open[name] = { query: location.search, shown: () => {} });
  const { fields, mount: build } = await panels[name]();
  const state = readState(fields, new URLSearchParams(entry.query));
  const save = () => {
    entry.query = writeState(fields, state, name);
    if (current === name) history.replaceState(null, '', entry.query);
  };
  section(name).replaceChildren();
  entry.shown = build(section(name), state, save) ?? entry.shown;
  entry.shown(current === name);
}

function show(name) {
  current = name;
  document.title = `${tab(name).textContent} – onnx-layout`;
  for (const other of names) {
    const isShown = other === name;
    tab(other).setAttribute('aria-selected', isShown);
    tab(other).tabIndex = isShown ? 0 : -1;
    section(other).hidden = !isShown;
    if (!isShown) open[other]?.shown(false);
  }
  if (open[name]) open[name].shown(true);
  else mount(name);
}

/** Shows a panel and adds it to the history. */
function go(name) {
  if (name === current) return;
  history.pushState(null, '', open[name]?.query ?? `?panel=${name}`);
  show(name);
}

names.forEach((name, i) => {
  tab(name).addEventListener('click', () => go(name));
  tab(name).addEventListener('keydown', ({ key }) => {
    const next = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 }[key];
    if (next === undefined) return;
    const chosen = names.at(next % names.length);
    tab(chosen).focus();
    go(chosen);
  });
});
// On back and forward, the panel is built again from the address.
addEventListener('popstate', () => {
  const name = asked();
  if (open[name] && open[name].query !== location.search) {
    open[name].shown(false);
    delete open[name];
  }
  show(name);
});

show(asked());

// The documentation's site has the page as its playground.
document.getElementById('documentation').hidden = !location.pathname.includes('/playground/');

// A page that was open while a new build came asks for files that are gone. Its address says what to show.
addEventListener('vite:preloadError', () => location.reload());

// Browsers offer service workers over https and from localhost alone. Without one, the page needs a network.
navigator.serviceWorker?.register('./service-worker.js').catch(() => {});
