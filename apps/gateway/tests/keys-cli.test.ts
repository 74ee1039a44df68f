import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@lectern/testing';
import { runKeysCommand } from '#cli/run-keys-command';
import { kindOfKey } from '#keys/format';

const SCRIPT = fileURLToPath(new URL('../src/cli/keys.ts', import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const run = (args: string[], url = database.url) => runKeysCommand(args, url);

const runProcess = (args: string[], url = database.url) =>
  promisify(execFile)(process.execPath, [SCRIPT, ...args], { env: { ...process.env, DATABASE_URL: url } });

const create = async (team: string) => JSON.parse(await run(['create', '--team', team, '--json']));

describe('the keys command', () => {
  it('creates a team once and a key pair each time, on an empty database', async () => {
    const first = await create('Acme');
    expect(Object.keys(first).sort()).toEqual(['publishableKey', 'secretKey', 'teamId']);
    expect(kindOfKey(first.secretKey)).toBe('secret');
    expect(kindOfKey(first.publishableKey)).toBe('publishable');
    const second = await create('Acme');
    expect(second.teamId).toBe(first.teamId);
    expect(second.secretKey).not.toBe(first.secretKey);
    expect((await create('Other')).teamId).not.toBe(first.teamId);
  });

  it('lists pairs without their keys, and revokes one once', async () => {
    const { teamId, secretKey } = await create('Listed');
    const listed = await run(['list', '--json']);
    expect(listed).not.toContain(secretKey);
    const pair = JSON.parse(listed).find((row: { teamId: string }) => row.teamId === teamId);
    expect(pair).toMatchObject({ team: 'Listed', revokedAt: null });
    await run(['revoke', pair.id]);
    expect(await run(['list'])).toMatch(new RegExp(`${pair.id}  Listed .* revoked `));
    await expect(run(['revoke', pair.id])).rejects.toThrow(pair.id);
  });

  it('rotates a pair, which keeps its id', async () => {
    const { teamId, secretKey } = await create('Rotated');
    const pairs = async () => JSON.parse(await run(['list', '--json']));
    const pairOf = async () => (await pairs()).find((row: { teamId: string }) => row.teamId === teamId);
    const before = await pairOf();
    const rotated = JSON.parse(await run(['rotate', before.id, '--overlap', '60', '--json']));
    expect(rotated.teamId).toBe(teamId);
    expect(kindOfKey(rotated.secretKey)).toBe('secret');
    expect(rotated.secretKey).not.toBe(secretKey);
    const after = await pairOf();
    expect(after.id).toBe(before.id);
    expect(after.keys).toHaveLength(2);
    expect(after.keys).toContainEqual({ kind: 'secret', lastFour: rotated.secretKey.slice(-4) });
    await expect(run(['rotate', before.id, '--overlap', 'soon'])).rejects.toThrow('overlap');
    await run(['revoke', before.id]);
    await expect(run(['rotate', before.id])).rejects.toThrow(before.id);
  });

  it('creates and lists teams', async () => {
    const created = JSON.parse(await run(['team', 'create', 'Fresh', '--json']));
    expect(created).toEqual({ teamId: expect.stringMatching(/^team_/), name: 'Fresh' });
    await expect(run(['team', 'create', 'Fresh'])).rejects.toThrow('Fresh');
    expect((await create('Fresh')).teamId).toBe(created.teamId);
    expect(await run(['team', 'list'])).toContain(`${created.teamId}  Fresh  1 active pairs`);
  });

  it.each([
    [[]],
    [['create']],
    [['revoke']],
    [['dance']],
    [['team']],
    [['team', 'create']],
    [['rotate']],
    [['list', '--loud']],
  ])('prints the usage for %j', async (args) => {
    await expect(run(args)).rejects.toThrow('Usage:');
  });

  it('rejects an empty team name', async () => {
    await expect(run(['create', '--team', ' '])).rejects.toThrow('A team name must have');
  });

  it.each(['--help', '-h'])('prints its usage for %s, even without a database', async (flag) => {
    expect(await run([flag], '')).toContain('create --team NAME');
  });

  it('reports a missing database', async () => {
    await expect(run(['list'], '')).rejects.toThrow('DATABASE_URL');
  });

  it('prints its output, or an error without a stack trace and with exit code 1', async () => {
    const { stdout } = await runProcess(['create', '--team', 'Process', '--json']);
    expect(kindOfKey(JSON.parse(stdout).secretKey)).toBe('secret');
    const failure = await runProcess(['dance']).catch((error: { code: number; stderr: string }) => error);
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('Usage') });
    expect(failure.stderr).not.toMatch(/\bat .+:\d+:\d+/);
  });
});
