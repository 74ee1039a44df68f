import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commitOf, type HubServer, startHubServer, temporaryFolder, writeGeneratedModel } from '@lectern/testing';

const COMMAND = fileURLToPath(new URL('models.ts', import.meta.url));
let home: Awaited<ReturnType<typeof temporaryFolder>>;
let hub: HubServer;

beforeAll(async () => {
  home = await temporaryFolder();
  await writeGeneratedModel(join(home.path, 'hub/acme/small'), {
    words: ['holiday'],
    layers: 1,
    dimensions: 64,
    heads: 4,
    precisions: ['fp32', 'q8'],
  });
  hub = await startHubServer(join(home.path, 'hub'));
});
afterAll(async () => {
  await hub.stop();
  await home.remove();
});

const run = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [COMMAND, ...args], {
    env: { ...process.env, LECTERN_HOME: home.path, MODELS_HUB_URL: hub.url },
  });

describe('the command models', () => {
  it('downloads, lists and deletes a model', async () => {
    expect((await run('list')).stdout).toContain('none');
    const { stdout } = await run('pull', 'acme/small');
    expect(stdout).toContain(`Downloaded acme/small (q8, commit ${commitOf('acme/small')})`);
    expect(stdout).toContain('onnx/acme/small');
    expect((await run('list')).stdout).toMatch(/acme\/small {2}q8, \d+\.\d MiB, commit/);
    await run('pull', 'acme/small', '--dtype', 'fp32', '--revision', commitOf('acme/small'));
    expect((await run('list')).stdout).toContain('acme/small  fp32');
    await run('remove', 'acme/small');
    expect((await run('list')).stdout).toContain('none');
  });

  it.each([
    [['pull'], 'Usage: npm run models'],
    [['pull', 'acme/none'], 'The hub has no model acme/none'],
    [['pull', 'acme/small', '--dtype', 'q4'], '--dtype must be one of q8, fp32, fp16'],
    [['remove', '../hub'], 'is not the name of a model'],
    [['remove', 'acme/none'], 'is not downloaded'],
  ])('explains the error of %j', async (args, message) => {
    await expect(run(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });
});
