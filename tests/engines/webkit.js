/** Drives Debian's WebKitGTK by the WebDriver protocol, on a display that exists in memory alone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const driver = '/usr/bin/WebKitWebDriver';

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/**
 * Opens a page and runs a function's body in it.
 * @param {string} url
 * @param {string} body may return a promise
 * @returns {Promise<{ version: string, value: any }>}
 */
export async function evaluateInWebKit(url, body) {
  const port = await freePort();
  const command = spawn('xvfb-run', ['-a', driver, `--port=${port}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const post = async (path, parameters) => {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method: 'POST',
      body: JSON.stringify(parameters),
    });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`WebKitWebDriver: ${value.message}`);
    return value;
  };
  try {
    const { sessionId, capabilities } = await connected(() => post('', { capabilities: { alwaysMatch: {} } }));
    await post(`/${sessionId}/timeouts`, { script: 300_000 });
    await post(`/${sessionId}/url`, { url });
    // The driver would wait for ever for a promise that is rejected.
    const script = `const [done] = arguments;
      (async () => { ${body} })().then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = await post(`/${sessionId}/execute/async`, { script, args: [] });
    if (error) throw new Error(error);
    return { version: capabilities.browserVersion, value };
  } finally {
    process.kill(-command.pid);
  }
}

/** Repeats a request until the driver listens: for two minutes, as a busy machine may take ten seconds. */
async function connected(request) {
  for (let turn = 0; ; turn++) {
    try {
      return await request();
    } catch (error) {
      if (turn === 600 || error.cause?.code !== 'ECONNREFUSED') throw error;
      await sleep(200);
    }
  }
}
