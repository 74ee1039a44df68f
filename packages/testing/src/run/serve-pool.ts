import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServicePool } from '#services/service-pool';
import { TEST_INTERNAL_KEYS } from '#services/test-internal-keys';

/**
 * Serves the settings of shared services to the tests of a run: `GET /NAME` starts the service if necessary.
 * Imports the services late, because `npm test` generates their code after it starts the engines.
 */
export async function servePool(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  // This process checks that the services are healthy.
  process.env.LECTERN_INTERNAL_KEYS ??= TEST_INTERNAL_KEYS;
  let pool: Promise<ServicePool> | undefined;
  const server = createServer(async (request, response) => {
    try {
      // The code is generated during the run, so a failed import is repeated.
      pool ??= import('#services/service-pool').then(({ createServicePool }) => createServicePool());
      pool.catch(() => {
        pool = undefined;
      });
      const settings = await (await pool).settingsFor((request.url ?? '').slice(1));
      response
        .setHeader('Connection', 'close')
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify(settings));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await (await pool)?.stop();
    },
  };
}
