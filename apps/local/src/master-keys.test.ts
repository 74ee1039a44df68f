import { readdir, stat, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@lectern/testing';
import { readConfig } from '#config';
import { homeAt } from '#home';
import { withMasterKeys } from '#master-keys';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const keysOf = async (env: NodeJS.ProcessEnv = {}) => {
  const config = readConfig({ ...env, LECTERN_HOME: folder.path });
  return (await withMasterKeys(config, homeAt(folder.path))).env.LECTERN_MASTER_KEYS;
};

describe('the master keys of a home', () => {
  it('are created once, readable only by this account', async () => {
    const keys = await Promise.all([keysOf(), keysOf(), keysOf()]);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^1:[A-Za-z0-9+/]{43}=$/);
    expect(await keysOf()).toBe(keys[0]);
    expect(await readdir(folder.path)).toEqual(['master-keys']);
    expect((await stat(homeAt(folder.path).masterKeys)).mode & 0o777).toBe(0o600);
  });

  it('are read from their file, so that a new key can be added', async () => {
    await writeFile(homeAt(folder.path).masterKeys, '2:new,1:old\n');
    expect(await keysOf()).toBe('2:new,1:old');
  });

  it('are overridden by the environment', async () => {
    expect(await keysOf({ LECTERN_MASTER_KEYS: '7:given' })).toBe('7:given');
    expect(await readdir(folder.path)).toEqual([]);
  });
});
