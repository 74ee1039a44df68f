import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobStatus } from '@lectern/contracts';
import { htmlPage, startWebServer, type WebServer, waitUntil } from '@lectern/testing';
import { newCollection } from './support/connector-client.ts';
import { startSystem, type TestSystem } from './support/start-system.ts';

let web: WebServer;
let system: TestSystem;

beforeAll(async () => {
  web = await startWebServer();
  system = await startSystem({ env: { EGRESS_ALLOW: '127.0.0.1' } });
});
afterAll(async () => {
  await system.stop();
  await web.stop();
});

const page = (path: string, etag: string, body: string) =>
  web.page(path, { headers: { 'content-type': 'text/html', etag }, body });
const tags = () => web.requests.map(({ url, headers }) => [url, headers['if-none-match']]);

const createSite = () =>
  system.client.connectors.createConnector(
    {
      ...{ name: 'Site', type: 'web', config: { startUrls: [web.origin], delayMs: 0 }, credentials: {} },
      collectionId: newCollection(system.collection.collections),
    },
    system.client.as(),
  );

describe('the crawled pages of a website', () => {
  it('are not sent again after a restart, unless they changed', async () => {
    page('/', '"1"', htmlPage('Home', 'home', { links: ['/a'] }));
    page('/a', '"1"', htmlPage('A\0', 'old'));
    const { client } = system;
    const { id } = await createSite();
    const sync = async () => client.ended(id, (await client.sync(id)).id);
    expect(await sync()).toMatchObject({ status: JobStatus.COMPLETED, progress: { indexed: 2 } });

    await system.startReplica();
    web.forget();
    expect(await sync()).toMatchObject({ status: JobStatus.COMPLETED, progress: { total: 2, indexed: 0, deleted: 0 } });
    expect(tags()).toEqual([
      ['/robots.txt', undefined],
      ['/', '"1"'],
      ['/a', '"1"'],
    ]);

    page('/a', '"2"', htmlPage('A', 'new'));
    expect(await sync()).toMatchObject({ status: JobStatus.COMPLETED, progress: { indexed: 1, deleted: 0 } });

    await client.connectors.deleteConnector({ id, keepDocuments: false }, client.as());
    await waitUntil(async () => (await system.rows('SELECT 1 FROM crawled_pages')).length === 0, {
      ...{ timeoutMs: 10_000, what: 'the pages to be deleted' },
    });
  });

  it('are at most 20,000, even if the URLs of a site change with each crawl', async () => {
    const { client } = system;
    page('/', '"1"', htmlPage('Home', 'home'));
    const { id } = await createSite();
    await system.rows(
      `INSERT INTO crawled_pages (connector_id, url_hash, page, stored_at)
       SELECT $1, 'earlier ' || n, '{}', now() - interval '1 hour' FROM generate_series(1, 20100) AS n`,
      id,
    );
    expect(await client.ended(id, (await client.sync(id)).id)).toMatchObject({ status: JobStatus.COMPLETED });
    const [kept] = await system.rows('SELECT count(*)::int AS rows FROM crawled_pages WHERE connector_id = $1', id);
    expect(kept).toEqual({ rows: 20_000 });
    const latest = `SELECT url_hash FROM crawled_pages WHERE connector_id = $1 AND url_hash NOT LIKE 'earlier %'`;
    expect(await system.rows(latest, id)).toHaveLength(1);
    await client.connectors.deleteConnector({ id, keepDocuments: false }, client.as());
  });
});
