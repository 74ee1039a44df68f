import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Engine, startPostgres } from '@lectern/local-engines';
import { temporaryFolder } from '@lectern/testing';
import { requireDatabase } from '#require-database';

describe('requireDatabase', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let postgres: Engine;

  beforeAll(async () => {
    folder = await temporaryFolder();
    postgres = await startPostgres({ dataDir: join(folder.path, 'postgres'), durable: false, port: 0 });
  });

  afterAll(async () => {
    await postgres.stop();
    await folder.remove();
  });

  it('reports a wrong password or database without showing the password', async () => {
    await requireDatabase(postgres.url);
    const unknown = new URL(postgres.url);
    unknown.pathname = '/nowhere';
    await expect(requireDatabase(unknown.href)).rejects.toThrow(/reports "database "nowhere" does not exist"/);
    const wrongUrl = new URL(postgres.url);
    wrongUrl.password = 'guessed';
    const error = await requireDatabase(wrongUrl.href).catch(String);
    expect(error).toMatch(/^LauncherError: Lectern cannot use DATABASE_URL: .*password authentication failed/);
    expect(error).not.toContain('guessed');
  });
});
