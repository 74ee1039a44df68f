import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, ensureNatsServer, startNats, startPostgres, startQdrantLocal } from '@lectern/local-engines';
import { TEST_INTERNAL_KEYS } from '@lectern/testing';
import { type Config, readConfig } from '#config';
import { type Home, homeAt } from '#home';
import { REPOSITORY } from '#home-folder';
import type { EngineName } from '#services';
import { NATS_CACHE } from '../../tests/support/nats-cache.ts';
import { nextPort } from './ports.ts';
import { logFolder } from './report-folder.ts';

/** Creates a home with temporary data and permanent logs. All systems share the compiled code. */
export async function makeHome(root: string, name: string): Promise<Home> {
  const logs = logFolder(name);
  await mkdir(logs, { recursive: true });
  const cache = join(REPOSITORY, 'node_modules/.cache/lectern/faults-code');
  return { ...homeAt(join(root, 'home')), cache, logs, log: (part) => join(logs, `${part}.log`) };
}

/** Returns the settings of the services, without addresses. */
export function stackConfig(home: Home, env: Readonly<Record<string, string>>): Config {
  return readConfig({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LECTERN_HOME: home.root,
    LECTERN_MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    LECTERN_INTERNAL_KEYS: TEST_INTERNAL_KEYS,
    LOG_LEVEL: 'info',
    RATE_LIMIT_SECRET_PER_MINUTE: '1000000',
    ...env,
  });
}

/** Starts PostgreSQL, NATS and the vector store, and calls `onStart` with each. */
export async function startEngines(
  home: Home,
  onStart: <T extends Engine>(engine: T) => T,
): Promise<Record<EngineName, Engine>> {
  const binary = await ensureNatsServer({ cacheDir: NATS_CACHE });
  const log = (part: string) => ({ logFile: home.log(part) });
  return {
    postgres: onStart(await startPostgres({ dataDir: home.postgres, ...log('postgres'), port: await nextPort() })),
    nats: onStart(await startNats({ binary, storeDir: home.nats, ...log('nats'), port: await nextPort() })),
    qdrant: onStart(await startQdrantLocal({ dataDir: home.qdrant, ...log('qdrant'), port: await nextPort() })),
  };
}
