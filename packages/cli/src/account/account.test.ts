import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { credentialsFile, readAccount, writeAccount } from '#account/credentials-file';
import { findAccount } from '#account/find-account';

const SAVED = { baseUrl: 'http://localhost:8080', secretKey: 'saved' };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the account', () => {
  it('is saved in the XDG config folder, readable only by this user', async () => {
    const file = credentialsFile({ XDG_CONFIG_HOME: folder });
    expect(file).toBe(join(folder, 'lectern', 'credentials.json'));
    expect(credentialsFile({ HOME: '/home/ada', XDG_CONFIG_HOME: 'relative' })).toBe(
      '/home/ada/.config/lectern/credentials.json',
    );
    await writeAccount(file, { ...SAVED, secretKey: 'before' });
    await writeAccount(file, SAVED);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    expect(await readdir(dirname(file))).toEqual(['credentials.json']);
    expect(await readAccount(file)).toEqual(SAVED);
  });

  it('comes entirely from the environment or entirely from the file', async () => {
    const env = { XDG_CONFIG_HOME: folder };
    expect(await findAccount(env)).toEqual(SAVED);
    const set = { ...env, LECTERN_URL: 'https://lectern.example.com', LECTERN_KEY: 'set' };
    expect(await findAccount(set)).toEqual({ baseUrl: 'https://lectern.example.com', secretKey: 'set' });
    await expect(findAccount({ ...env, LECTERN_KEY: 'set' })).rejects.toThrow('both');
    await expect(findAccount({ XDG_CONFIG_HOME: join(folder, 'none') })).rejects.toThrow('lectern login');
  });
});
