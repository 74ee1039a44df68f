import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Engine, startPostgres } from '@lectern/local-engines';
import { temporaryFolder } from '@lectern/testing';
import { readConfig } from '#config';
import { homeAt } from '#home';
import type { Parts } from '#parts';
import { openSecrets, type Secrets, withSecrets } from '#secrets';
import { startEngines } from '#start-engines';
import type { StateFile } from '#state-file';

const NAMES = ['GATEWAY', 'CHAT', 'AGENT', 'COLLECTION', 'CONNECTOR'] as const;
const unused = (): never => {
  throw new Error('an engine was started');
};
const parts: Parts = { add: unused, stop: unused, kill: unused };
const state: StateFile = { update: unused, setPart: unused, remove: unused };

describe('an external PostgreSQL', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: Engine;
  let secrets: Secrets;

  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await startPostgres({ dataDir: join(folder.path, 'postgres'), durable: false, port: 0 });
    secrets = await openSecrets(homeAt(folder.path));
    await secrets.ensureRoles(server.url);
  });

  afterAll(async () => {
    await server.stop();
    await folder.remove();
  });

  const open = (env: Record<string, string>) => {
    const config = readConfig({ NATS_URL: 'nats://127.0.0.1:1', QDRANT_URL: 'http://127.0.0.1:1', ...env });
    const engines = startEngines(config, homeAt(folder.path), parts, state, secrets, AbortSignal.timeout(60_000));
    for (const engine of [engines.nats, engines.qdrant]) engine.catch(() => undefined);
    return engines.postgres;
  };
  const urlOf = (name: (typeof NAMES)[number]) =>
    secrets.databaseUrlOf(name.toLowerCase() as Lowercase<typeof name>, server.url);

  it('can have one URL for all services', async () => {
    const address = await open({ DATABASE_URL: server.url });
    expect(address('gateway')).toBe(server.url);
    expect(address('chat')).toBe(server.url);
  });

  it('can have a URL for each service, or only for some', async () => {
    const all = await open(Object.fromEntries(NAMES.map((name) => [`DATABASE_URL_${name}`, urlOf(name)])));
    expect(all('agent')).toBe(urlOf('AGENT'));
    const some = await open({ DATABASE_URL: server.url, DATABASE_URL_CHAT: urlOf('CHAT') });
    expect([some('chat'), some('gateway')]).toEqual([urlOf('CHAT'), server.url]);
  });

  it('receives no secret of this installation', () => {
    const keyOf = (env: Record<string, string>) => withSecrets(readConfig(env), secrets).QDRANT_API_KEY;
    const services = ['SEARCH', 'AGENT', 'COLLECTION'].map((name) => [`QDRANT_URL_${name}`, 'http://127.0.0.1:1']);
    expect(keyOf({})).toBe(secrets.qdrantApiKey);
    expect(keyOf({ QDRANT_URL: 'http://127.0.0.1:1' })).toBeUndefined();
    expect(keyOf(Object.fromEntries(services))).toBeUndefined();
  });

  it('is rejected with the name of the setting if a service has no address or a wrong password', async () => {
    await expect(open({ DATABASE_URL_GATEWAY: urlOf('GATEWAY') })).rejects.toThrow(
      'DATABASE_URL_CHAT is not set, but the same setting of another service is. Set DATABASE_URL_CHAT, or set DATABASE_URL for all services.',
    );
    const wrong = new URL(urlOf('CHAT'));
    wrong.password = 'guess';
    await expect(open({ DATABASE_URL: server.url, DATABASE_URL_CHAT: wrong.href })).rejects.toThrow(
      /^Lectern cannot use DATABASE_URL_CHAT: .*password authentication failed/,
    );
  });
});
