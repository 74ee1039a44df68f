import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { credentialsFile, readAccount, writeAccount } from '#account/credentials-file';
import { findAccount } from '#account/find-account';

const KEPT = { baseUrl: 'http://localhost:8080', secretKey: 'kept' };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the account', () => {
  it('is kept below the XDG folder for this user alone', async () => {
    const file = credentialsFile({ XDG_CONFIG_HOME: folder });
    expect(file).toBe(join(folder, 'lectern', 'credentials.json'));
    expect(credentialsFile({ HOME: '/home/ada', XDG_CONFIG_HOME: 'relative' })).toBe(
      '/home/ada/.config/lectern/credentials.json',
    );
    await writeAccount(file, { ...KEPT, secretKey: 'before' });
    await writeAccount(file, KEPT);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    expect(await readdir(dirname(file))).toEqual(['credentials.json']);
    expect(await readAccount(file)).toEqual(KEPT);
  });

  it('comes from the environment as a whole, or from the file as a whole', async () => {
    const env = { XDG_CONFIG_HOME: folder };
    expect(await findAccount(env)).toEqual(KEPT);
    const set = { ...env, LECTERN_URL: 'https://lectern.example.com', LECTERN_KEY: 'set' };
    expect(await findAccount(set)).toEqual({ baseUrl: 'https://lectern.example.com', secretKey: 'set' });
    await expect(findAccount({ ...env, LECTERN_KEY: 'set' })).rejects.toThrow('together');
    await expect(findAccount({ XDG_CONFIG_HOME: join(folder, 'none') })).rejects.toThrow('lectern login');
  });
});
