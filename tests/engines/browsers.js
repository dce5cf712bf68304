/** Chromium and Firefox as Debian has them, driven by Playwright. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium, firefox } from 'playwright-core';

/** Flags that keep the browser itself off the network. */
const quiet = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** In milliseconds, for a step that takes a second on a quiet machine. */
const mostTime = 120_000;

const debianFirefox = { channel: 'moz-firefox', executablePath: '/usr/bin/firefox-esr', timeout: mostTime };

export const launch = {
  Chromium: (/** @type {string[]} */ flags = []) =>
    chromium.launch({ executablePath: '/usr/bin/chromium', args: [...quiet, ...flags], timeout: mostTime }),
  Firefox: () => firefox.launch(debianFirefox),
};

/**
 * Launches Firefox on a display that exists in memory alone. Without a display it has no WebGL.
 * @returns {Promise<import('playwright-core').Browser>} its display ends with it
 */
export async function launchFirefoxOnDisplay() {
  // It chooses a number that is free, and writes it to file 3.
  const display = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  try {
    const [number] = await once(createInterface(display.stdio[3]), 'line');
    const env = { ...process.env, DISPLAY: `:${number}` };
    const browser = await firefox.launch({ ...debianFirefox, headless: false, env });
    browser.on('disconnected', () => display.kill());
    return browser;
  } catch (error) {
    display.kill();
    throw error;
  }
}

/**
 * Opens a page in a context of its own.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @returns {Promise<{ page: import('playwright-core').Page, complaints: string[] }>} `complaints` grows with what
 *   goes to the console, errors that nobody catches, and requests that fail
 */
export async function open(browser, url, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(mostTime);
  const complaints = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}
