import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Engine, ensureNatsServer, startNats, startPostgres, startQdrantLocal } from '@lectern/local-engines';
import { temporaryFolder } from '@lectern/testing';
import { NATS_CACHE } from './support/nats-cache.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const SERVICES = ['agent', 'chat', 'collection', 'connector', 'gateway', 'search'];

describe('external servers', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let engines: Engine[] = [];
  let lectern: Lectern | undefined;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const path = (name: string) => join(folder.path, 'own', name);
    engines = await Promise.all([
      startPostgres({ dataDir: path('postgres'), durable: false }),
      startNats({ binary: await ensureNatsServer({ cacheDir: NATS_CACHE }), storeDir: path('nats'), durable: false }),
      startQdrantLocal({ dataDir: path('qdrant'), apiKey: 'own key' }),
    ]);
  });

  afterAll(async () => {
    await lectern?.stop();
    await Promise.all(engines.map((engine) => engine.stop()));
    await folder.remove();
  });

  it('are used instead of local ones, and keep running when Lectern stops', async () => {
    const [postgres, nats, qdrant] = engines.map(({ url }) => url);
    const settings = { DATABASE_URL: postgres!, NATS_URL: nats!, QDRANT_URL: qdrant!, QDRANT_API_KEY: 'own key' };
    lectern = await startLectern(settings);
    expect(Object.keys((await lectern.home.state()).parts).sort()).toEqual(SERVICES);
    const collection = await lectern.api.ok('POST', '/api/v1/collections', { name: 'Own' });
    const document = { title: 'Where it lies', content: 'This text lies in the vector store of the operator.' };
    const { id } = await lectern.api.ok('POST', `/api/v1/collections/${collection.id}/documents`, document);
    await lectern.api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
    const { results } = await lectern.api.ok('POST', '/api/v1/search', { query: 'vector store of the operator' });
    expect(results[0]?.documentId).toBe(id);
    await lectern.stop();
    lectern = undefined;
    for (const engine of engines) expect(() => process.kill(engine.pid, 0)).not.toThrow();
  });
});
