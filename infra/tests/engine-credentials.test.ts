import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  authorization,
  ensureNatsServer,
  findFreePort,
  NATS_PERMISSIONS,
  startPostgres,
  startProcess,
} from '@lectern/local-engines';
import { describeIf } from '@lectern/testing/skip';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { manifestsIn } from './support/manifests.ts';
import { ROOT } from './support/service-settings.ts';

const read = (path: string) => readFile(join(ROOT, path), 'utf8');
const SERVICE_ROLES = 'packages/local-engines/src/postgres/service-roles.sql';
const dev = manifestsIn(join(ROOT, 'infra/k8s/overlays/dev')).map(({ manifest }) => manifest);
const run = promisify(execFile);
const hasPsql = await run('psql', ['--version']).then(
  () => true,
  () => false,
);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-infra-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the overlay dev's ConfigMaps", () => {
  it.each([
    ['nats-config', 'nats.conf', 'infra/nats/nats.conf'],
    ['nats-config', 'users.conf', 'infra/nats/users.conf'],
    ['postgres-roles', 'roles.psql', 'infra/postgres/roles.psql'],
    ['postgres-roles', 'service-roles.sql', SERVICE_ROLES],
  ])('%s contains %s, an exact copy of %s', async (name, key, path) => {
    const map = dev.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
    expect(map.data[key]).toBe(await read(path));
  });
});

describe('infra/nats', () => {
  it('gives users the same permissions as `npm start`', async () => {
    const users = Object.entries(NATS_PERMISSIONS).map(([name, permissions]) => ({
      name,
      password: `$NATS_PASSWORD_${name.toUpperCase()}`,
      permissions,
    }));
    expect((await read('infra/nats/users.conf')).split('\n').slice(1).join('\n')).toBe(
      authorization(users, (text) => text),
    );
  });

  it('configures a server that accepts each user with any password from the environment, and rejects others', async () => {
    const passwords = { gateway: '12345', collection: '3e10aa', connector: 'true' };
    const [port, monitoring] = [await findFreePort(), await findFreePort()];
    const config = await read('infra/nats/nats.conf');
    expect(config).toContain('http: "127.0.0.1:');
    // Older servers reject this setting. Another test checks it.
    const supported = config.replace(/^\s*sync_interval.*\n/m, '');
    const adapted = supported
      .replace('127.0.0.1:8222', `127.0.0.1:${monitoring}`)
      .replace('/data', join(folder, 'nats'));
    await writeFile(join(folder, 'nats.conf'), `listen: "127.0.0.1:${port}"\n${adapted}`);
    await copyFile(join(ROOT, 'infra/nats/users.conf'), join(folder, 'users.conf'));
    const server = await startProcess({
      name: 'nats-server',
      command: await ensureNatsServer({ cacheDir: join(ROOT, 'node_modules/.cache/lectern') }),
      args: ['--config', join(folder, 'nats.conf')],
      env: Object.fromEntries(
        Object.entries(passwords).map(([name, password]) => [`NATS_PASSWORD_${name.toUpperCase()}`, `"${password}"`]),
      ),
      readiness: /Server is ready/,
    });
    try {
      const signIn = (login: object) => connect({ servers: `127.0.0.1:${port}`, reconnect: false, ...login });
      for (const [user, pass] of Object.entries(passwords)) await (await signIn({ user, pass })).close();
      for (const login of [{}, { user: 'gateway', pass: 'guess' }, { user: 'lectern', pass: '' }])
        await expect(signIn(login)).rejects.toThrow(/authorization/i);
    } finally {
      await server.stop();
    }
  });
});

describeIf(hasPsql, 'psql is not installed')('infra/postgres/roles.psql', () => {
  it('creates the roles with passwords from the environment, is idempotent, and prints no password', async () => {
    const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
    try {
      const { hostname, port, username, password, pathname } = new URL(postgres.url);
      await copyFile(join(ROOT, 'infra/postgres/roles.psql'), join(folder, 'roles.psql'));
      await copyFile(join(ROOT, SERVICE_ROLES), join(folder, 'service-roles.sql'));
      const names = ['GATEWAY', 'CHAT', 'AGENT', 'COLLECTION', 'CONNECTOR'];
      const passwordOf = (name: string) => `it's \\ of "${name}" $1 :gateway`;
      const env: NodeJS.ProcessEnv = {
        PATH: process.env.PATH,
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: username,
        PGPASSWORD: decodeURIComponent(password),
        PGDATABASE: pathname.slice(1),
        POSTGRES_DEDICATED: 'on',
        ...Object.fromEntries(names.map((name) => [`DATABASE_PASSWORD_${name}`, passwordOf(name)])),
      };
      const psql = (environment: NodeJS.ProcessEnv) =>
        run('psql', ['--no-psqlrc', '--quiet', `--file=${join(folder, 'roles.psql')}`], { env: environment, cwd: '/' });
      for (let time = 0; time < 2; time += 1) expect(await psql(env)).toEqual({ stdout: '', stderr: '' });
      for (const name of names) {
        const url = new URL(postgres.url);
        url.username = `lectern_${name.toLowerCase()}`;
        url.password = encodeURIComponent(passwordOf(name));
        const client = new pg.Client({ connectionString: url.href });
        await client.connect();
        await client.query(`CREATE TABLE ${name.toLowerCase()}.note (id int)`);
        await expect(client.query('CREATE SCHEMA mine')).rejects.toMatchObject({ code: '42501' });
        await client.end();
      }
      const { DATABASE_PASSWORD_CHAT: _, ...incomplete } = env;
      const failure = await psql(incomplete).catch((error: { stderr: string; code: number }) => error);
      expect(failure).toMatchObject({ code: 3 });
    } finally {
      await postgres.stop();
    }
  });
});
