/** The page of web/, built and served by its command. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { root } from '../../support/packed.js';

export async function startServer() {
  const socket = createServer().listen(0, 'localhost');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  const command = spawn(process.execPath, ['web/run.mjs', '--port', String(port)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(command.stdout)) {
    const url = /^The page: (\S+)/.exec(line)?.[1];
    if (url)
      return {
        url,
        stop: () => {
          command.kill('SIGKILL');
          return once(command, 'exit');
        },
      };
  }
  throw new Error('web/run.mjs ended');
}
