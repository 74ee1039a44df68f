import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as contracts from '@lectern/contracts';
import {
  CALL_TOKEN_KEY,
  newId,
  onBehalfOf,
  readInternalKeys,
  signCall,
  systemCaller,
  writeCaller,
} from '@lectern/service-kit';
import { itIf } from '@lectern/testing/skip';
import pg from 'pg';
import { homeAt } from '#home';
import { openSecrets, type Secrets } from '#secrets';
import { SERVICES } from '#services';
import type { State } from '#state-file';
import { nobody, type OtherUserTask, runAsOtherUser } from './support/other-user.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const NOTHING: OtherUserTask = { grpc: [], http: [], tcp: [], files: [] };
const UNAUTHENTICATED = 16;
const UNIMPLEMENTED = 12;
const GRPC_SERVICES = SERVICES.map(({ name }) => name).filter((name) => name !== 'gateway');
const WITH_DATABASE = SERVICES.filter(({ needs }) => needs.includes('postgres')).map(({ name }) => name);

/** Every method of every contract. */
const PATHS = Object.values(contracts).flatMap((value) => {
  if (typeof value !== 'object' || !('fullName' in value) || !('methods' in value)) return [];
  return Object.values(value.methods).map(({ name }: { name: string }) => `/${value.fullName}/${name}`);
});

let lectern: Lectern;
let secrets: Secrets;
let state: State;
let masterKeys: string;
/** All command lines on the machine during startup. */
const commandLines = new Set<string>();

async function recordCommandLines(): Promise<void> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-eo', 'args='], { maxBuffer: 64 * 1024 * 1024 });
  for (const line of stdout.split('\n')) commandLines.add(line);
}

beforeAll(async () => {
  const starting = startLectern();
  let isDone = false;
  void starting
    .catch(() => undefined)
    .finally(() => {
      isDone = true;
    });
  while (!isDone) await recordCommandLines();
  lectern = await starting;
  const home = homeAt(lectern.home.path);
  secrets = await openSecrets(home);
  state = await lectern.home.state();
  masterKeys = (await readFile(home.masterKeys, 'utf8')).trim();
});

afterAll(() => lectern?.stop());

const addressOf = (part: string) => state.parts[part]?.address ?? 'none';

/** Returns the metadata of a call as it is sent over the wire. */
function headersOf(
  sign: (metadata: ReturnType<typeof onBehalfOf>['metadata']) => Uint8Array | string | undefined,
  tamper: (metadata: ReturnType<typeof onBehalfOf>['metadata']) => void = () => undefined,
): Record<string, string> {
  const caller = systemCaller(lectern.credentials.teamId);
  const { metadata } = onBehalfOf({ caller, requestId: newId('request'), signal: new AbortController().signal });
  const token = sign(metadata);
  tamper(metadata);
  const headers = Object.fromEntries(
    [...metadata].map(([name, values]) => [
      name,
      values.map((value) => (typeof value === 'string' ? value : Buffer.from(value).toString('base64'))).join(','),
    ]),
  );
  return token === undefined ? headers : { ...headers, [CALL_TOKEN_KEY]: Buffer.from(token).toString('base64') };
}

/**
 * Returns the metadata that a caller without the key can send to a method, including metadata of
 * another call.
 */
function forgeries(path: string): Record<string, string>[] {
  const keys = readInternalKeys(secrets.internalKeys);
  const others = readInternalKeys('the-key-of-another-installation-0123456789');
  const otherPath = PATHS.find((other) => other !== path) ?? '';
  return [
    {},
    headersOf(() => undefined),
    headersOf(() => new Uint8Array(40)),
    headersOf((metadata) => signCall(others, path, metadata)),
    headersOf((metadata) => signCall(keys, path, metadata, Date.now() - 60_000)),
    headersOf((metadata) => signCall(keys, otherPath, metadata)),
    headersOf(
      (metadata) => signCall(keys, path, metadata),
      (metadata) => writeCaller(metadata, systemCaller(newId('team'))),
    ),
    headersOf(
      (metadata) => signCall(keys, path, metadata),
      (metadata) => metadata.set('lectern-request-id', 'another'),
    ),
  ];
}

const itAsOther = itIf(nobody() !== undefined, 'needs root, and an account nobody that can run Node');

describe('another user of the machine, without a key,', () => {
  itAsOther('has another user id in this test', async () => {
    expect((await runAsOtherUser(NOTHING)).uid).toBe(nobody()?.uid);
  });

  it.each(GRPC_SERVICES)('is rejected by every method of %s, regardless of the metadata', async (service) => {
    expect(PATHS.length).toBeGreaterThan(40);
    const served = new Set<string>();
    const address = addressOf(service);
    const grpc = PATHS.map((path) => ({ address, calls: forgeries(path).map((headers) => ({ path, headers })) }));
    const report = await runAsOtherUser({ ...NOTHING, grpc });
    report.grpc.forEach((statuses, index) => {
      const path = PATHS[index] ?? '';
      const [status = ''] = statuses;
      expect([path, [...new Set(statuses)]]).toEqual([path, [status]]);
      expect([UNAUTHENTICATED, UNIMPLEMENTED]).toContain(status);
      if (status === UNAUTHENTICATED) served.add(path);
    });
    expect(served.size).toBeGreaterThan(0);
  });

  it('gets responses with the key, so only the missing key causes the errors above', async () => {
    const path = '/lectern.collection.v1.CollectionService/ListCollections';
    const keys = readInternalKeys(secrets.internalKeys);
    const headers = headersOf((metadata) => signCall(keys, path, metadata));
    const { grpc } = await runAsOtherUser({
      ...NOTHING,
      grpc: [{ address: addressOf('collection'), calls: [{ path, headers }] }],
    });
    expect(grpc).toEqual([[0]]);
  });

  it('gets only the health status from a health check', async () => {
    const path = '/grpc.health.v1.Health/Check';
    const grpc = GRPC_SERVICES.map((service) => ({ address: addressOf(service), calls: [{ path, headers: {} }] }));
    expect((await runAsOtherUser({ ...NOTHING, grpc })).grpc).toEqual(GRPC_SERVICES.map(() => [0]));
  });

  it('is rejected by the vector store, which rejects web pages even with the key', async () => {
    const url = state.qdrantUrl ?? '';
    const json = { 'content-type': 'application/json' };
    const attempts = [
      ['GET', '/collections'],
      ['GET', '/collections/lectern_x'],
      ['PUT', '/collections/mine'],
      ['DELETE', '/collections/lectern_x'],
      ['POST', '/collections/lectern_x/points/scroll'],
      ['POST', '/collections/lectern_x/points/delete'],
      ['POST', '/collections/aliases'],
      ['GET', '/metrics'],
      ['GET', '/telemetry'],
      ['GET', '//collections'],
      ['GET', '/nowhere'],
    ] as const;
    const http = attempts.flatMap(([method, path]) =>
      [{}, { 'api-key': '' }, { 'api-key': 'guess' }, { authorization: 'Bearer guess' }].map((headers) => ({
        url: `${url}${path}`,
        method,
        headers: { ...headers, ...(method === 'GET' ? {} : json) },
        ...(method === 'GET' ? {} : { body: '{}' }),
      })),
    );
    expect(new Set((await runAsOtherUser({ ...NOTHING, http })).http)).toEqual(new Set([401]));
    const key = { 'api-key': secrets.qdrantApiKey };
    const asPage = [
      { url: `${url}/collections`, method: 'GET', headers: { ...key, host: 'rebound.example' } },
      { url: `${url}/collections/mine`, method: 'PUT', headers: { ...key, 'content-type': 'text/plain' }, body: '{}' },
      { url: `${url}/collections`, method: 'GET', headers: key },
    ];
    expect((await runAsOtherUser({ ...NOTHING, http: asPage })).http).toEqual([403, 415, 200]);
  });

  it('is rejected by NATS', async () => {
    const address = addressOf('nats-server');
    const logins = [{}, { user: 'lectern', pass: '' }, { user: 'connector', pass: 'guess' }, { auth_token: 'guess' }];
    const tcp = logins.map((login) => ({
      address,
      bytes: Buffer.from(`CONNECT ${JSON.stringify({ verbose: true, ...login })}\r\nSUB > 1\r\nPING\r\n`).toString(
        'base64',
      ),
      until: 'PONG|-ERR',
    }));
    for (const received of (await runAsOtherUser({ ...NOTHING, tcp })).tcp) {
      expect(received).toContain("-ERR 'Authorization Violation'");
      expect(received).not.toMatch(/PONG|\+OK|MSG/);
    }
  });

  it('needs a password for every PostgreSQL user', async () => {
    const users = ['postgres', 'lectern', 'nobody', 'root', ...WITH_DATABASE.map((name) => `lectern_${name}`)];
    const tcp = users.flatMap((user) =>
      [{ database: 'lectern' }, { database: 'postgres' }, { database: 'lectern', replication: 'true' }].map((more) => ({
        address: addressOf('PostgreSQL'),
        bytes: startupMessage({ user, ...more }).toString('base64'),
        until: '^[RE].{8}',
      })),
    );
    // Authentication: R, the length, and 10 (SASL) instead of 0 (OK).
    for (const received of (await runAsOtherUser({ ...NOTHING, tcp })).tcp)
      expect(received).toMatch(/^R.{4}\0\0\0\nSCRAM-SHA-256/s);
  });

  itAsOther('cannot read a secret in a file or in the environment of a process', async () => {
    const files = (await filesBelow(lectern.home.path)).filter((file) => !file.includes('/cache/'));
    const environments = (await lectern.home.processes()).map((pid) => `/proc/${pid}/environ`);
    expect(files.length).toBeGreaterThan(50);
    for (let at = 0; at < files.length; at += 200) {
      const { readable } = await runAsOtherUser({ ...NOTHING, files: files.slice(at, at + 200) });
      expect(readable).toEqual([]);
    }
    expect((await runAsOtherUser({ ...NOTHING, files: environments })).readable).toEqual([]);
  });
});

describe('the processes of a running system', () => {
  it('store secrets in files that only their account can read', async () => {
    expect((await stat(lectern.home.path)).mode & 0o066).toBe(0);
    for (const name of [
      'credentials.json',
      'state.json',
      'master-keys',
      'installation-key',
      'nats.conf',
      'postgres.password',
    ])
      expect([name, (await stat(join(lectern.home.path, name))).mode & 0o777]).toEqual([name, 0o600]);
    for (const name of ['postgres', 'nats', 'qdrant', 'blobs', 'logs'])
      expect([name, (await stat(join(lectern.home.path, name))).mode & 0o077]).toEqual([name, 0]);
  });

  it('show no secret in their arguments, including processes that ran during the first start', async () => {
    const passwordIn = (url: string) => decodeURIComponent(new URL(url).password);
    const { secretKey, publishableKey } = lectern.credentials;
    const found = [
      secretKey,
      publishableKey,
      masterKeys,
      secrets.internalKeys,
      secrets.qdrantApiKey,
      passwordIn(state.databaseUrl ?? ''),
      ...secrets.natsUsers.map(({ password }) => password),
      ...WITH_DATABASE.map((name) => passwordIn(secrets.databaseUrlOf(name, state.databaseUrl ?? ''))),
    ];
    expect(found.every((secret) => secret.length >= 20)).toBe(true);
    await recordCommandLines();
    const seen = [...commandLines].join('\n');
    expect(seen).toContain('initdb');
    expect(seen).toContain('qdrant-local');
    for (const secret of found) {
      expect(seen.includes(secret)).toBe(false);
      expect(seen.includes(encodeURIComponent(secret))).toBe(false);
    }
  });

  itIf(process.platform === 'linux', 'needs /proc')('listen only on this machine, each at its own port', async () => {
    const listening = await listeningSockets(await lectern.home.processes());
    const known = [...Object.values(state.parts).map(({ address }) => Number(address.split(':').at(-1)))];
    expect(listening.map(({ port }) => port).sort()).toEqual(known.sort());
    for (const { host } of listening) expect(host).toBe('127.0.0.1');
  });

  it.each(WITH_DATABASE)('cannot access another schema with the database role of %s', async (own) => {
    const administrator = new pg.Client({ connectionString: state.databaseUrl });
    const client = new pg.Client({ connectionString: secrets.databaseUrlOf(own, state.databaseUrl ?? '') });
    await Promise.all([administrator.connect(), client.connect()]);
    try {
      const { rows } = await administrator.query<{ schema: string; name: string }>(
        `SELECT schemaname AS schema, tablename AS name FROM pg_tables WHERE schemaname = ANY($1)`,
        [WITH_DATABASE],
      );
      expect(new Set(rows.map(({ schema }) => schema))).toEqual(new Set(WITH_DATABASE));
      for (const { schema, name } of rows) {
        const read = client.query(`SELECT * FROM ${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)} LIMIT 1`);
        if (schema === own) await read;
        else await expect(read).rejects.toMatchObject({ code: '42501' });
      }
      for (const statement of [`SELECT pg_read_file('PG_VERSION')`, 'CREATE SCHEMA mine', 'SET ROLE postgres'])
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await Promise.all([administrator.end(), client.end()]);
    }
  });
});

/** Returns the startup message of PostgreSQL's protocol 3.0. */
function startupMessage(parameters: Readonly<Record<string, string>>): Buffer {
  const text = Object.entries(parameters).map(([name, value]) => `${name}\0${value}\0`);
  const body = Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from(`${text.join('')}\0`)]);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Returns the TCP sockets in the state LISTEN that belong to the processes. */
async function listeningSockets(pids: readonly number[]): Promise<{ host: string; port: number }[]> {
  const own = new Set<string>();
  for (const pid of pids) {
    const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const links = await Promise.all(names.map((name) => stat(`/proc/${pid}/fd/${name}`).catch(() => undefined)));
    for (const link of links) if (link?.isSocket()) own.add(String(link.ino));
  }
  const read = async (file: string) => (await readFile(file, 'utf8').catch(() => '')).trim().split('\n').slice(1);
  const lines = [...(await read('/proc/net/tcp')), ...(await read('/proc/net/tcp6'))].map((line) =>
    line.trim().split(/\s+/),
  );
  return lines
    .filter(([, , , status, , , , , , inode = '']) => status === '0A' && own.has(inode))
    .map(([, local = '']) => {
      const [host = '', port = ''] = local.split(':');
      const bytes = (host.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).reverse();
      return { host: bytes.join('.'), port: Number.parseInt(port, 16) };
    });
}
