import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findFreePort, startProcess, untilOk } from '@lectern/local-engines';
import type { Home } from '#home';
import { REPOSITORY } from '#home-folder';
import type { Parts } from '#parts';

const CONSOLE = join(REPOSITORY, 'apps/console');
const PREFERRED_PORT = 5173;

/**
 * Starts Vite's development server for the console, which reloads changed modules in the browser and proxies API
 * requests to the gateway. Returns the console's URL.
 */
export async function startConsoleDevServer(parts: Parts, home: Home, gatewayUrl: string): Promise<string> {
  const vite = dirname(createRequire(join(CONSOLE, 'package.json')).resolve('vite/package.json'));
  const port = await findFreePort(PREFERRED_PORT);
  const url = `http://localhost:${port}/console/`;
  await parts.add({
    name: 'console',
    stopRound: 1,
    start: (_previous, signal) =>
      startProcess({
        name: 'console',
        command: process.execPath,
        args: [
          join(vite, 'bin/vite.js'),
          '--host',
          '127.0.0.1',
          '--port',
          String(port),
          '--strictPort',
          '--clearScreen',
          'false',
        ],
        cwd: CONSOLE,
        env: { PATH: process.env.PATH, LECTERN_URL: gatewayUrl },
        logFile: home.log('console'),
        pidFile: home.pidFile('console'),
        readiness: (over) => untilOk(url.replace('localhost', '127.0.0.1'), over),
        signal,
      }),
    addressOf: () => `127.0.0.1:${port}`,
  });
  return url;
}
