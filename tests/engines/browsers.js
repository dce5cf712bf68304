/** Chromium and Firefox as Debian has them, driven by Playwright. */
import { chromium, firefox } from 'playwright-core';

/** Flags that keep the browser itself off the network. */
const quiet = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export const launch = {
  Chromium: () => chromium.launch({ executablePath: '/usr/bin/chromium', args: quiet }),
  Firefox: () => firefox.launch({ channel: 'moz-firefox', executablePath: '/usr/bin/firefox-esr' }),
};

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
  page.setDefaultTimeout(10_000);
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
