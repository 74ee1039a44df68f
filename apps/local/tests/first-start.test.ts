import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@lectern/testing';
import type { KeyPair } from '#gateway-cli';
import { createApi } from './support/api.ts';
import { type Launcher, type TestHome, testHome } from './support/start-lectern.ts';

const DEADLINE_MS = 120_000;
const PARTS = [
  'PostgreSQL',
  'nats-server',
  'qdrant-local',
  'gateway',
  'search',
  'chat',
  'agent',
  'collection',
  'connector',
];

let home: TestHome;
let launcher: Launcher;
let firstKeys: KeyPair;
let otherKeys: KeyPair;
let collectionId: string;

const untilAllEnded = () =>
  waitUntil(async () => (await home.processes()).length === 0, {
    what: 'all processes to end',
    timeoutMs: DEADLINE_MS,
  });

/** Waits until the gateway and its dependencies are ready again. */
async function untilReady(): Promise<void> {
  const { baseUrl } = await home.credentials();
  const isReady = async () => (await fetch(`${baseUrl}/readyz`).catch(() => undefined))?.status === 200;
  await waitUntil(isReady, { what: 'the gateway to be ready', timeoutMs: DEADLINE_MS, intervalMs: 100 });
}

async function readCollectionName(): Promise<string> {
  return (await createApi(await home.credentials()).ok('GET', `/api/v1/collections/${collectionId}`)).name;
}

describe('npm start', () => {
  beforeAll(async () => {
    home = await testHome({ isFirstStart: true });
  });

  afterAll(() => home.remove());

  it('prints its address and the first keys, and stores them readable only by this account', async () => {
    launcher = await home.launch();
    const address = await launcher.ready;
    const credentials = await home.credentials();
    expect(credentials.baseUrl).toBe(address);
    expect(credentials.teamId).toMatch(/^team_/);
    expect(credentials.secretKey).toMatch(/^lectern_sk_[0-9A-Za-z]{49}$/);
    expect(credentials.publishableKey).toMatch(/^lectern_pk_[0-9A-Za-z]{49}$/);
    await waitUntil(() => launcher.output().includes('Ctrl-C'), {
      what: 'the complete output',
      timeoutMs: DEADLINE_MS,
    });
    for (const key of [credentials.secretKey, credentials.publishableKey]) expect(launcher.output()).toContain(key);
    for (const file of ['credentials.json', 'state.json'])
      expect((await stat(join(home.path, file))).mode & 0o777).toBe(0o600);
    firstKeys = credentials;
    const created = await createApi(credentials).ok('POST', '/api/v1/collections', { name: 'Kept' });
    collectionId = created.id;
  });

  it('prints a link that makes the owner, once', async () => {
    const link = /Create owner +(\S+)\/console\/join#(\w+)/.exec(launcher.output());
    const { baseUrl } = await home.credentials();
    expect(link?.[1]).toBe(baseUrl);
    const use = () =>
      fetch(`${baseUrl}/api/v1/account-links/use`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Lectern-CSRF': '1' },
        body: JSON.stringify({
          token: link?.[2],
          name: 'Ada',
          email: 'ada@example.com',
          password: 'a long enough sentence',
        }),
      });
    const first = await use();
    expect(await first.json()).toMatchObject({ data: { person: { role: 'owner' } } });
    expect((await use()).status).toBe(400);
  });

  it('rejects a second launcher on the same home', async () => {
    const second = await home.launch();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`Lectern is already running with the data in ${home.path}`);
    expect(await readCollectionName()).toBe('Kept');
  });

  it.each(PARTS)('restarts %s at its old address after kill -9', async (part) => {
    const before = (await home.state()).parts[part];
    await home.killPart(part);
    await waitUntil(async () => (await home.state()).parts[part]?.pid !== before?.pid, {
      what: `${part} to run again`,
      timeoutMs: DEADLINE_MS,
    });
    expect((await home.state()).parts[part]?.address).toBe(before?.address);
    await untilReady();
    await waitUntil(async () => (await readCollectionName().catch(() => '')) === 'Kept', {
      what: 'the collection to be readable again',
      timeoutMs: DEADLINE_MS,
    });
  });

  it('lists the keys while it runs', async () => {
    const [pair] = JSON.parse(await home.keys('list', '--json'));
    expect(pair).toMatchObject({ teamId: firstKeys.teamId, revokedAt: null });
  });

  it('stops all processes at Ctrl-C', async () => {
    launcher.signal('SIGINT');
    expect(await launcher.ended).toBe(0);
    expect(await home.processes()).toEqual([]);
    expect(existsSync(join(home.path, 'state.json'))).toBe(false);
  });

  it('creates keys for another team while it is stopped', async () => {
    otherKeys = JSON.parse(await home.keys('create', '--team', 'Other', '--json'));
    expect(otherKeys.teamId).not.toBe(firstKeys.teamId);
    expect(await home.processes()).toEqual([]);
  });

  it('keeps the keys and the data at the next start, and does not print the keys again', async () => {
    launcher = await home.launch();
    await launcher.ready;
    expect(await home.credentials()).toMatchObject({ teamId: firstKeys.teamId, secretKey: firstKeys.secretKey });
    expect(await readCollectionName()).toBe('Kept');
    expect(launcher.output()).not.toContain('_sk_');
    const other = createApi({ ...(await home.credentials()), ...otherKeys });
    expect(await other.ok('GET', '/api/v1/collections')).toEqual([]);
  });

  it('leaves no process behind when the launcher is killed, and starts again with all data', async () => {
    launcher.signal('SIGKILL');
    expect(await launcher.ended).toBe('SIGKILL');
    launcher = await home.launch();
    await launcher.ready;
    expect(await readCollectionName()).toBe('Kept');
    launcher.signal('SIGKILL');
    await launcher.ended;
    await untilAllEnded();
  });

  it('ends immediately when it is interrupted during the start, and starts again afterwards', async () => {
    launcher = await home.launch();
    await waitUntil(() => launcher.output().includes('Starting'), { what: 'the start', timeoutMs: DEADLINE_MS });
    launcher.signal('SIGTERM');
    expect(await launcher.ended).toBe(0);
    expect(launcher.output()).not.toContain('ready at');
    expect(await home.processes()).toEqual([]);
  });

  it('treats the two signals of one Ctrl-C through npm as one, and stops in order', async () => {
    launcher = await home.launch();
    await launcher.ready;
    launcher.signal('SIGINT');
    await waitUntil(() => launcher.output().includes('Stopping'), { what: 'the stop', timeoutMs: DEADLINE_MS });
    launcher.signal('SIGINT');
    expect(await launcher.ended).toBe(0);
    expect(launcher.output()).toContain('Stopped.');
    expect(existsSync(join(home.path, 'state.json'))).toBe(false);
  });

  it('ends immediately at a second Ctrl-C, and starts again afterwards', async () => {
    launcher = await home.launch();
    await launcher.ready;
    launcher.signal('SIGINT');
    // Two signals within half a second count as one.
    const again = performance.now() + 600;
    await waitUntil(() => performance.now() > again, { what: 'the second Ctrl-C', timeoutMs: DEADLINE_MS });
    launcher.signal('SIGINT');
    // 0 if the first Ctrl-C was faster.
    expect([0, 130]).toContain(await launcher.ended);
    await untilAllEnded();
  });

  describe('with its port in use and its credentials lost', () => {
    let other: Server;
    let port: number;

    beforeAll(async () => {
      other = createServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const address = other.address();
      port = typeof address === 'object' && address ? address.port : 0;
      await rm(join(home.path, 'credentials.json'));
    });

    afterAll(() => new Promise((resolve) => other.close(resolve)));

    it('chooses and prints another port, and creates new keys for the same team', async () => {
      launcher = await home.launch({ PORT: String(port) });
      const address = await launcher.ready;
      expect(new URL(address).port).not.toBe(String(port));
      expect(launcher.output()).toContain(`Port ${port} is in use`);
      const credentials = await home.credentials();
      expect(credentials.teamId).toBe(firstKeys.teamId);
      expect(credentials.secretKey).not.toBe(firstKeys.secretKey);
      expect(await readCollectionName()).toBe('Kept');
      launcher.signal('SIGINT');
      expect(await launcher.ended).toBe(0);
    });
  });

  it('names the setting if an external server is not listening', async () => {
    launcher = await home.launch({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
    expect(await launcher.ended).toBe(1);
    expect(launcher.output()).toContain('DATABASE_URL is set, but no server is listening at 127.0.0.1:1');
    expect(launcher.output()).not.toMatch(/^\s+at /m);
    await untilAllEnded();
  });
});
