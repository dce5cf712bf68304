/** The engine behind a user agent string. No DOM. */

const engines = [
  [/Firefox\/(\d+)/, 'Firefox', 'SpiderMonkey'],
  [/Edg\/(\d+)/, 'Edge', 'V8'],
  [/(?:Headless)?Chrom(?:e|ium)\/(\d+)/, 'Chromium', 'V8'],
  [/Version\/([\d.]+).*Safari/, 'Safari', 'JavaScriptCore'],
];

/**
 * @param {string} userAgent
 * @returns {string} such as `Firefox 140 (SpiderMonkey)`
 */
export function engineOf(userAgent) {
  for (const [pattern, browser, engine] of engines) {
    const match = pattern.exec(userAgent);
    if (match) return `${browser} ${match[1]} (${engine})`;
  }
  return userAgent;
}
