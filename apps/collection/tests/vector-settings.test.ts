import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { testQdrant } from '@lectern/testing';
import { createVectorStore } from '@lectern/vector-store';

const CLI = fileURLToPath(new URL('../src/cli/vector-settings.ts', import.meta.url));
const run = promisify(execFile);

describe('the command vector-settings', () => {
  it('changes every collection of the installation and reports what cannot change', async () => {
    const qdrant = await testQdrant();
    const prefix = `test_${crypto.randomUUID()}_`;
    const store = createVectorStore({ url: qdrant.url, apiKey: process.env.QDRANT_API_KEY, prefix });
    await store.ensureModel({ model: 'one', dimensions: 4 });
    await store.ensureModel({ model: 'two', dimensions: 768 });
    const env = {
      ...process.env,
      QDRANT_URL: qdrant.url,
      QDRANT_PREFIX: prefix,
      QDRANT_SHARD_NUMBER: '4',
      QDRANT_VECTORS_ON_DISK: 'true',
    };
    const { stdout } = await run(process.execPath, [CLI], { env });
    expect(stdout).toContain(`${prefix}one: changed`);
    expect(stdout).toContain(`${prefix}two: has 1 shards instead of 4. Qdrant cannot change this.`);
    expect(stdout).toContain('2 collections changed');
    const described = await fetch(`${qdrant.url}/collections/${prefix}two`, {
      headers: { 'api-key': process.env.QDRANT_API_KEY ?? '' },
    });
    expect(await described.json()).toMatchObject({
      result: { config: { params: { vectors: { dense: { on_disk: true } } } } },
    });
    await store.dropModel('one');
    await store.dropModel('two');
    await qdrant.stop();
  });

  it('lists every invalid setting', async () => {
    const env = { ...process.env, QDRANT_URL: 'here', QDRANT_SHARD_NUMBER: '-1' };
    await expect(run(process.execPath, [CLI], { env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /QDRANT_URL: must be the address[\s\S]*QDRANT_SHARD_NUMBER: must be a whole number/,
      ),
    });
  });
});
