import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres } from '@lectern/local-engines';
import pg from 'pg';
import { homeAt } from '#home';
import { SERVICES } from '#services';
import { type Api, createApi } from './support/api.ts';
import { type Launcher, type TestHome, testHome } from './support/start-lectern.ts';

const ROLES = SERVICES.filter(({ needs }) => needs.includes('postgres')).map(({ name }) => `lectern_${name}`);

let home: TestHome;
let launcher: Launcher;
let api: Api;

async function start() {
  launcher = await home.launch();
  await launcher.ready;
  api = createApi(await home.credentials());
}

async function stop() {
  launcher.signal('SIGINT');
  expect(await launcher.ended).toBe(0);
}

/**
 * Changes the data folder to the state of versions before service credentials: one superuser owns
 * everything.
 */
async function removeCredentials() {
  const paths = homeAt(home.path);
  const postgres = await startPostgres({ dataDir: paths.postgres, durable: false });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  for (const role of ROLES) {
    await client.query(`REASSIGN OWNED BY ${role} TO postgres`);
    await client.query(`DROP OWNED BY ${role}`);
    await client.query(`DROP ROLE ${role}`);
  }
  for (const database of ['lectern', 'postgres', 'template1'])
    await client.query(`GRANT CONNECT, TEMPORARY ON DATABASE ${database} TO PUBLIC`);
  await client.query('GRANT USAGE ON SCHEMA public TO PUBLIC');
  await client.end();
  await postgres.stop();
  await rm(paths.installationKey);
  await rm(`${paths.nats}.conf`);
}

beforeAll(async () => {
  home = await testHome();
  await start();
});

afterAll(() => home.remove());

describe('the data folder of a version without credentials between services', () => {
  it('opens with all its data, first for a command and then for the whole system', async () => {
    const { id: collection } = await api.ok('POST', '/api/v1/collections', { name: 'Kept' });
    const document = { title: 'Tides', content: 'The tide gauge is at the northern pier.' };
    const { id } = await api.ok('POST', `/api/v1/collections/${collection}/documents`, document);
    await api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
    const { id: agent } = await api.ok('POST', '/api/v1/agents', { name: 'Guide', systemPrompt: 'Answer shortly.' });
    await stop();
    await removeCredentials();

    expect(await home.keys('list')).toContain('default');
    await start();
    expect(await api.ok('GET', `/api/v1/agents/${agent}`)).toMatchObject({ name: 'Guide' });
    const { results } = await api.ok('POST', '/api/v1/search', { query: 'northern pier' });
    expect(results[0]?.documentId).toBe(id);
    const next = await api.ok('POST', `/api/v1/collections/${collection}/documents`, { ...document, title: 'Gauges' });
    await api.until(`/api/v1/documents/${next.id}`, ({ status }) => status === 'indexed');
    expect(await home.keys('list')).toContain('default');
    await stop();
  });

  it('opens with new credentials if the stored ones are lost', async () => {
    await rm(homeAt(home.path).installationKey);
    await start();
    const { results } = await api.ok('POST', '/api/v1/search', { query: 'northern pier' });
    expect(results.length).toBeGreaterThan(0);
    await stop();
  });
});
