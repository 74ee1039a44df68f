import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { commitOf, type HubServer, startHubServer, temporaryFolder, writeGeneratedModel } from '@lectern/testing';
import { listManifests } from '#hub/manifest';
import { type PullOptions, type PullProgress, pullModel } from '#hub/pull-model';

const NAME = 'acme/small';
let home: Awaited<ReturnType<typeof temporaryFolder>>;
let hub: HubServer;
let modelsDir: string;
let count = 0;

beforeAll(async () => {
  home = await temporaryFolder();
  const shape = { words: ['holiday'], layers: 2, dimensions: 64, heads: 4 };
  await writeGeneratedModel(join(home.path, 'hub', NAME), { ...shape, precisions: ['fp32', 'q8'] });
  await writeGeneratedModel(join(home.path, 'hub/acme/exact'), shape);
  await writeGeneratedModel(join(home.path, 'hub/acme/none'), { ...shape, precisions: [] });
  hub = await startHubServer(join(home.path, 'hub'));
});
afterAll(async () => {
  await hub.stop();
  await home.remove();
});
beforeEach(() => {
  count += 1;
  modelsDir = join(home.path, `models-${count}`);
  hub.damage(false);
  hub.cutAfter();
});

const pull = (options: Partial<PullOptions> = {}) => pullModel({ name: NAME, modelsDir, hubUrl: hub.url, ...options });
const original = (path: string, name = NAME) => readFile(join(home.path, 'hub', name, path));
const stored = (path: string, name = NAME) => readFile(join(modelsDir, name, path));

describe('pullModel', () => {
  it('downloads the files of one commit with 8-bit weights, and records their SHA-256', async () => {
    const manifest = await pull();
    expect(manifest).toMatchObject({ name: NAME, revision: commitOf(NAME), precision: 'q8' });
    expect(manifest.files.map(({ path }) => path).sort()).toEqual([
      '1_Pooling/config.json',
      'config.json',
      'onnx/model_quantized.onnx',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
    for (const { path, sha256, sizeBytes } of manifest.files) {
      const bytes = await stored(path);
      expect(bytes.equals(await original(path))).toBe(true);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
      expect(bytes.length).toBe(sizeBytes);
    }
    expect(await listManifests(modelsDir)).toEqual([manifest]);
    expect(await readdir(join(modelsDir, '.downloads'))).toEqual([]);
  });

  it('downloads the requested precision, and full precision if there are no 8-bit weights', async () => {
    expect(await pull({ precision: 'fp32' })).toMatchObject({ precision: 'fp32' });
    expect(await pull({ name: 'acme/exact' })).toMatchObject({ precision: 'fp32' });
    expect((await listManifests(modelsDir)).map(({ name }) => name)).toEqual(['acme/exact', NAME]);
  });

  it('accepts only the pinned version of an offered model, unless a revision is chosen', async () => {
    const sha256 = createHash('sha256')
      .update(await original('onnx/model_quantized.onnx'))
      .digest('hex');
    const pin = { revision: commitOf(NAME), weightsSha256: sha256 };
    const damaged = { ...pin, weightsSha256: sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) };
    await expect(pull({ pin: damaged })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('serves other files'),
    });
    expect(await listManifests(modelsDir)).toEqual([]);
    await expect(pull({ pin: { ...pin, revision: 'f'.repeat(40) } })).rejects.toMatchObject({ code: 'not_found' });
    expect(await pull({ pin })).toMatchObject({ revision: pin.revision });
    expect(await pull({ pin: damaged, revision: 'main' })).toMatchObject({ revision: pin.revision });
  });

  it('continues after lost connections without downloading any byte twice', async () => {
    const before = hub.sentBytes;
    hub.cutAfter(10_000, 20_000);
    const { files } = await pull();
    const weights = files.find(({ path }) => path.endsWith('.onnx'))!;
    expect(hub.sentBytes - before).toBe(weights.sizeBytes);
    expect(hub.ranges.slice(-3)).toEqual([undefined, 'bytes=10000-', 'bytes=30000-']);
  });

  it('continues an interrupted download in the next call', async () => {
    const stop = new AbortController();
    const weights = await original('onnx/model_quantized.onnx');
    hub.cutAfter(10_000);
    const first = pull({
      signal: stop.signal,
      onProgress: ({ storedBytes, totalBytes }) => {
        if (storedBytes === totalBytes - weights.length + 10_000) stop.abort(new Error('enough'));
      },
    });
    await expect(first).rejects.toThrow('enough');
    expect(await listManifests(modelsDir)).toEqual([]);
    await pull();
    expect(hub.ranges.at(-1)).toBe('bytes=10000-');
    expect((await stored('onnx/model_quantized.onnx')).equals(weights)).toBe(true);
  });

  it('is not disturbed by other downloads of the same model', async () => {
    const manifests = await Promise.all([pull(), pull(), pull()]);
    expect(await listManifests(modelsDir)).toEqual([manifests[0]]);
    for (const { path } of manifests[0]!.files) expect((await stored(path)).equals(await original(path))).toBe(true);
    expect(await readdir(join(modelsDir, '.downloads'))).toEqual([]);
  });

  it('continues the download of a process that ended, and deletes files that no download continues', async () => {
    const { revision } = await pull();
    const key = `acme--small@${revision.slice(0, 12)}-q8`;
    const downloads = join(modelsDir, '.downloads');
    const ago = async (folder: string, seconds: number) => {
      const time = new Date(Date.now() - seconds * 1_000);
      await utimes(join(downloads, folder), time, time);
    };
    const weights = await original('onnx/model_quantized.onnx');
    await mkdir(join(downloads, `${key}.ended/onnx`), { recursive: true });
    await writeFile(join(downloads, `${key}.ended/onnx/model_quantized.onnx.part`), weights.subarray(0, 5_000));
    await ago(`${key}.ended`, 60);
    await mkdir(join(downloads, `${key}.running`));
    await ago(`${key}.running`, 10);
    await mkdir(join(downloads, 'acme--other@0-q8'));
    await ago('acme--other@0-q8', 8 * 24 * 3_600);
    await pull();
    expect(hub.ranges.at(-1)).toBe('bytes=5000-');
    expect(await readdir(downloads)).toEqual([`${key}.running`]);
  });

  it('reports progress that grows to the total', async () => {
    const progress: PullProgress[] = [];
    await pull({ onProgress: (now) => progress.push(now) });
    const stored = progress.map(({ storedBytes }) => storedBytes);
    expect(stored).toEqual(stored.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toEqual({ storedBytes: progress[0]!.totalBytes, totalBytes: progress[0]!.totalBytes });
  });

  it('deletes a file with a wrong checksum, and keeps the model that is there', async () => {
    await pull();
    hub.damage(true);
    await expect(pull({ precision: 'fp32' })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('onnx/model.onnx is damaged'),
    });
    expect(await listManifests(modelsDir)).toMatchObject([{ precision: 'q8' }]);
    hub.damage(false);
    expect(await pull({ precision: 'fp32' })).toMatchObject({ precision: 'fp32' });
  });

  it('replaces a damaged file of an interrupted download', async () => {
    await pull();
    const { revision } = (await listManifests(modelsDir))[0]!;
    expect(await pull({ revision })).toMatchObject({ revision });
    await writeFile(join(modelsDir, NAME, 'lectern.json'), 'broken');
    expect(await listManifests(modelsDir)).toEqual([]);
    expect(await pull()).toMatchObject({ revision });
  });

  it.each([
    [{ name: 'acme/unknown' }, 'not_found', 'The hub has no model acme/unknown'],
    [{ revision: 'v2' }, 'not_found', 'at v2'],
    [{ name: 'acme/none' }, 'not_found', 'has no onnx/model.onnx'],
    [{ precision: 'fp16' as const }, 'not_found', 'has no onnx/model_fp16.onnx'],
    [{ name: '../etc' }, 'invalid_request', 'OWNER/NAME'],
    [{ hubUrl: 'http://127.0.0.1:2' }, 'upstream_error', 'Could not read http://127.0.0.1:2/'],
  ])('rejects %j', async (options, code, message) => {
    await expect(pull(options)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});
