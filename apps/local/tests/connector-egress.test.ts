import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from './support/api.ts';
import { startCanary, startRedirector } from './support/canary.ts';
import { ssrfHosts } from './support/ssrf-hosts.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const AT_ONCE = 6;
const JOB_TIMEOUT_MS = 5_000;

let canary: Awaited<ReturnType<typeof startCanary>>;
let redirector: Awaited<ReturnType<typeof startRedirector>>;
let lectern: Lectern;
let collection: string;

beforeAll(async () => {
  [canary, redirector] = await Promise.all([startCanary(), startRedirector()]);
  lectern = await startLectern({ EGRESS_ALLOW: new URL(redirector.origin).host, LOG_LEVEL: 'error' });
  collection = (await lectern.api.ok('POST', '/api/v1/collections', { name: 'Egress' })).id;
});
afterAll(async () => {
  await lectern?.stop();
  await Promise.all([canary?.stop(), redirector?.stop()]);
});

interface Attempt {
  readonly type: string;
  readonly config: object;
  readonly credentials: object;
}

const s3 = (endpoint: string): Attempt => ({
  type: 's3',
  config: { bucket: 'bucket', region: 'us-east-1', endpoint },
  credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
});
const confluence = (instanceUrl: string): Attempt => ({
  type: 'confluence',
  config: { instanceUrl },
  credentials: { token: 'token' },
});
const jira = (baseUrl: string): Attempt => ({
  type: 'jira',
  config: { baseUrl },
  credentials: { token: 'token' },
});
const gitlab = (instanceUrl: string): Attempt => ({
  type: 'gitlab',
  config: { instanceUrl, groups: ['acme'] },
  credentials: { token: 'token' },
});
const microsoft365 = (endpoint: string): Attempt => ({
  type: 'microsoft_365',
  config: { sites: ['all'], endpoint },
  credentials: {
    tenantId: '72f988bf-86f1-41af-91ab-2d7cd011db47',
    clientId: '6731de76-14a6-49ae-97bc-6eba6914391e',
    clientSecret: 'secret',
  },
});
const salesforce = (instanceUrl: string): Attempt => ({
  type: 'salesforce',
  config: { objects: ['Account'] },
  credentials: { accessToken: 'token', instanceUrl },
});
const imap = (host: string): Attempt => ({
  type: 'imap',
  config: { host, port: canary.port, security: 'none' },
  credentials: { user: 'u', password: 'secret' },
});
const postgresql = (host: string): Attempt => ({
  type: 'postgresql',
  config: { host, port: canary.port, database: 'postgres', schema: 'public' },
  credentials: { user: 'postgres', password: 'postgres' },
});

const web = (startUrl: string): Attempt => ({
  type: 'web',
  config: { startUrls: [startUrl] },
  credentials: {},
});

const urlTypes = [s3, confluence, jira, gitlab, microsoft365, salesforce, web];
const attemptsOf = (host: string): Attempt[] => [
  ...urlTypes.map((type) => type(`http://${host}:${canary.port}`)),
  imap(host),
  postgresql(host.replace(/^\[(.*)\]$/, '$1')),
];

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

/**
 * Tests the settings, then creates a connector and syncs it. Steps can be rejected, and none must
 * reach the address.
 */
async function tryAll(attempt: Attempt, isSynced: boolean): Promise<void> {
  const { api } = lectern;
  const tested = await api.call('POST', '/api/v1/connectors/test', attempt);
  expect([200, 400]).toContain(tested.status);
  if (tested.status === 200)
    expect({ ...attempt, success: tested.data.success }).toEqual({ ...attempt, success: false });
  const created = await api.call('POST', '/api/v1/connectors', { ...attempt, name: 'Inside', collection });
  expect([201, 400]).toContain(created.status);
  if (created.status === 400) return;
  const path = `/api/v1/connectors/${created.data.id}`;
  expect((await api.ok('POST', `${path}/test`)).success).toBe(false);
  if (isSynced) expect((await sync(path)).progress.collected).toBe(0);
}

async function sync(path: string): Promise<Json> {
  const { api } = lectern;
  const { jobId } = await api.ok('POST', `${path}/sync`);
  for (const started = Date.now(); Date.now() - started < JOB_TIMEOUT_MS; await delay(100)) {
    const job = await api.ok('GET', `${path}/sync/${jobId}`);
    if (!['queued', 'running'].includes(job.status)) return job;
  }
  // An unresolvable name is retried later.
  return (await api.call('DELETE', `${path}/sync/${jobId}`)).data;
}

describe('an internal address', () => {
  it('is not accessed by a test, a connector or a sync, in any notation', async () => {
    const hosts = ssrfHosts();
    expect(hosts.length).toBeGreaterThanOrEqual(60);
    // Every notation is tested with every type, and synced with one type in turn.
    const attempts = hosts.flatMap((host, n) =>
      attemptsOf(host).map((attempt, at, all) => ({ attempt, isSynced: n % all.length === at })),
    );
    await inParallel(attempts, ({ attempt, isSynced }) => tryAll(attempt, isSynced));
    expect(canary.connections).toEqual([]);
  }, 240_000);

  it('is not accessed through a redirect', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      for (const host of ['127.0.0.1', '[::1]', 'localhost', '2130706433', '[::ffff:127.0.0.1]']) {
        redirector.sendTo(`http://${host}:${canary.port}/`, status);
        await inParallel(urlTypes, (type) => tryAll(type(redirector.origin), host === '127.0.0.1'));
      }
    }
    expect(canary.connections).toEqual([]);
  }, 120_000);

  it('is not accessed through a Unix socket', async () => {
    const hosts = [canary.folder, `${canary.folder}/`, `${canary.folder}/.s.PGSQL.${canary.port}`];
    const disguised = [
      encodeURIComponent(canary.folder),
      `localhost?host=${canary.folder}`,
      `@${canary.folder}`,
      '',
      ' ',
    ];
    await inParallel([...hosts, ...disguised], (host) => tryAll(postgresql(host), true));
    expect(canary.connections).toEqual([]);
  }, 60_000);
});
