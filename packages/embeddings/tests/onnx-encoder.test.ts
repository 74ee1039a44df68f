import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type GeneratedModel,
  hasModelRuntime,
  linkModelRuntime,
  NO_MODEL_RUNTIME,
  temporaryFolder,
  writeGeneratedModel,
} from '@lectern/testing';
import { describeIf } from '@lectern/testing/skip';
import { createDenseEncoders } from '#dense/create-dense-encoders';
import type { DenseEncoder } from '#dense/dense-encoder';
import type { DenseEncoderSettings } from '#dense/dense-provider';

const WORDS = ['query', 'passage', ':', 'holiday', 'laptop', 'policy', 'days', 'of', 'screen', 'a', 'b', 'c', 'd'];
/** The shape of all-MiniLM-L6-v2 takes seconds to build, so most tests use a smaller model. */
const SMALL: GeneratedModel = { words: WORDS, layers: 2, dimensions: 64, heads: 4, maxTokens: 32 };

const open: DenseEncoder[] = [];
let home: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  home = await temporaryFolder();
  await linkModelRuntime(home.path);
});
afterAll(async () => {
  await Promise.all(open.map((encoder) => encoder.close?.()));
  await home.remove();
});

const build = (name: string, model: Partial<GeneratedModel> = {}) =>
  writeGeneratedModel(join(home.path, name), { ...SMALL, ...model });
const encoderOf = (model: string, settings: DenseEncoderSettings = {}): DenseEncoder => {
  const encoder = createDenseEncoders({ provider: 'onnx', model, modelsDir: home.path, ...settings }).get();
  open.push(encoder);
  return encoder;
};
/** Threads have consecutive ids. */
const nextThreadId = async (): Promise<number> => {
  const worker = new Worker('', { eval: true });
  const { threadId } = worker;
  await worker.terminate();
  return threadId;
};
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

describeIf(hasModelRuntime, NO_MODEL_RUNTIME)('an encoder with a model in its process', () => {
  it('returns one vector of unit length per text, in order, for any mix of lengths', async () => {
    await build('acme/small');
    const encoder = encoderOf('acme/small');
    const texts = Array.from({ length: 50 }, (_, at) => `${WORDS.slice(3, 4 + (at % 9)).join(' ')} ${WORDS[at % 9]}`);
    const vectors = await encoder.embedDocuments([...texts, '  ']);
    expect(encoder).toMatchObject({ model: 'onnx/acme/small', dimensions: 64 });
    for (const [at, text] of texts.entries()) {
      expect(dot(vectors[at]!, vectors[at]!)).toBeCloseTo(1, 5);
      expect(dot(vectors[at]!, await encoder.embedQuery(text))).toBeCloseTo(1, 4);
    }
    expect(vectors[50]!.every((value) => value === 0)).toBe(true);
  });

  it('runs a model of the shape of all-MiniLM-L6-v2 with 8 bits like the one with 32', async () => {
    await build('acme/minilm', { layers: 6, dimensions: 384, heads: 12, maxTokens: 512, precisions: ['fp32', 'q8'] });
    const [exact, quantized] = (['fp32', 'q8'] as const).map((precision) => encoderOf('acme/minilm', { precision }));
    const texts = ['holiday policy', 'days of holiday', 'laptop screen'];
    const [policy, days, screen] = await exact!.embedDocuments(texts);
    const vectors = await quantized!.embedDocuments(texts);
    expect(policy).toHaveLength(384);
    expect(dot(policy!, days!)).toBeGreaterThan(dot(policy!, screen!));
    for (const [at, vector] of [policy, days, screen].entries())
      expect(dot(vector!, vectors[at]!)).toBeGreaterThan(0.97);
    // q8 is the default.
    expect(await encoderOf('acme/minilm').embedQuery('holiday')).toEqual(await quantized!.embedQuery('holiday'));
  });

  it('applies the prefixes of the family, which settings replace', async () => {
    await build('acme/e5-small');
    await build('acme/plain');
    const plain = encoderOf('acme/plain');
    const e5 = encoderOf('acme/e5-small');
    expect(await e5.embedQuery('holiday')).toEqual(await plain.embedQuery('query: holiday'));
    expect(await e5.embedDocuments(['holiday'])).toEqual(await plain.embedDocuments(['passage: holiday']));
    const none = encoderOf('acme/e5-small', { queryPrefix: '' });
    expect(await none.embedQuery('holiday')).toEqual(await plain.embedQuery('holiday'));
  });

  it('uses the prompts of the model before those of the family', async () => {
    await build('acme/e5-prompts', {
      files: { 'config_sentence_transformers.json': { prompts: { query: 'screen : ', document: '' } } },
    });
    const encoder = encoderOf('acme/e5-prompts');
    expect(await encoder.embedQuery('holiday')).toEqual(await encoderOf('acme/plain').embedQuery('screen : holiday'));
  });

  it('pools as the model or the setting requires', async () => {
    const pooling = (mode: string) => ({ files: { '1_Pooling/config.json': { [`pooling_mode_${mode}`]: true } } });
    await build('acme/cls', pooling('cls_token'));
    await build('acme/last', pooling('lasttoken'));
    await build('acme/mean', pooling('mean_tokens'));
    const vectors = await Promise.all(
      ['cls', 'last', 'mean'].map((name) => encoderOf(`acme/${name}`).embedQuery('holiday policy')),
    );
    expect(dot(vectors[0]!, vectors[2]!)).toBeLessThan(0.95);
    expect(dot(vectors[0]!, vectors[1]!)).toBeLessThan(0.95);
    for (const [at, mode] of (['cls', 'last', 'mean'] as const).entries()) {
      expect(await encoderOf('acme/mean', { pooling: mode }).embedQuery('holiday policy')).toEqual(vectors[at]);
    }
  });

  it('shortens vectors on request and rejects longer ones than the model has', async () => {
    const full = await encoderOf('acme/plain').embedQuery('holiday');
    const encoder = encoderOf('acme/plain', { dimensions: 16 });
    const short = await encoder.embedQuery('holiday');
    expect(encoder.model).toBe('onnx/acme/plain@16');
    expect(short).toHaveLength(16);
    expect(dot(short, short)).toBeCloseTo(1, 5);
    const length = Math.hypot(...full.slice(0, 16));
    for (const [at, value] of short.entries()) expect(value * length).toBeCloseTo(full[at]!, 5);
    await expect(encoderOf('acme/plain', { dimensions: 65 }).embedQuery('holiday')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('EMBEDDING_DIMENSIONS'),
    });
  });

  it('cuts texts to the limit of the model and keeps its last special token', async () => {
    const long = Array.from({ length: 400 }, (_, at) => WORDS[3 + (at % 9)]).join(' ');
    const encoder = encoderOf('acme/last');
    const cut = await encoder.embedQuery(long);
    expect(await encoder.embedQuery(`${long} screen`)).toEqual(cut);
    const shorter = encoderOf('acme/last', { maxTokens: 8 });
    expect(await shorter.embedQuery(long)).toEqual(await shorter.embedQuery(long.split(' ').slice(0, 6).join(' ')));
  });

  it('keeps the event loop free and answers queries between the batches of documents', async () => {
    const encoder = encoderOf('acme/minilm', { precision: 'fp32', threads: 1 });
    await encoder.embedQuery('laptop');
    const texts = Array.from(
      { length: 64 },
      (_, at) => `${'holiday policy days of screen '.repeat(20)}${WORDS[at % 13]}`,
    );
    let turns = 0;
    let isDone = false;
    const documents = encoder.embedDocuments(texts.map((text, at) => `${text}${at}`)).then(() => {
      isDone = true;
    });
    const turn = () => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    turn();
    await encoder.embedQuery('screen');
    expect(isDone).toBe(false);
    await documents;
    expect(turns).toBeGreaterThan(100);
  });

  it('stops the work of an aborted call and continues with the next one', async () => {
    const encoder = encoderOf('acme/minilm', { precision: 'fp32', threads: 1 });
    const stop = new AbortController();
    const texts = Array.from({ length: 200 }, (_, at) => `${'holiday policy days of '.repeat(20)}${at}`);
    const aborted = encoder.embedDocuments(texts, { signal: stop.signal });
    await encoder.embedQuery('screen policy');
    stop.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    expect(await encoder.embedDocuments(['holiday'])).toHaveLength(1);
  });

  it('reports an incomplete folder, and loads it once it is complete', async () => {
    const encoder = encoderOf('acme/later');
    await expect(encoder.embedQuery('text')).rejects.toMatchObject({ code: 'unavailable' });
    await build('acme/later');
    await rm(join(home.path, 'acme/later/tokenizer.json'));
    await expect(encoder.embedQuery('text')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('tokenizer.json'),
    });
    await build('acme/later');
    expect(await encoder.embedQuery('holiday')).toHaveLength(64);
  });

  it('rejects invalid files without ending the process', async () => {
    await build('acme/broken');
    const weights = join(home.path, 'acme/broken/onnx/model.onnx');
    const bytes = await readFile(weights);
    await writeFile(weights, bytes.subarray(0, 1_000));
    await expect(encoderOf('acme/broken').embedQuery('text')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('loads a model once for all lengths of its vectors', async () => {
    const before = await nextThreadId();
    const encoders = createDenseEncoders({ modelsDir: home.path });
    const sizes = [8, 16, 24, 32, 40, 48, 56, 64];
    const named = sizes.map((dimensions) => encoders.get(`onnx/acme/plain@${dimensions}`));
    open.push(...named);
    const vectors = await Promise.all(named.map((encoder) => encoder.embedQuery('holiday')));
    expect(vectors.map(({ length }) => length)).toEqual(sizes);
    expect(await nextThreadId()).toBe(before + 2);
  });

  it('serves downloaded models by their full names, with the built-in provider too', async () => {
    const encoders = createDenseEncoders({ modelsDir: home.path });
    const encoder = encoders.get('onnx/acme/plain@32');
    open.push(encoder);
    expect(encoders.get().model).toBe('builtin-lsi-192');
    expect(await encoder.embedQuery('holiday')).toHaveLength(32);
    for (const unknown of ['onnx/acme/none', 'onnx/../acme', 'onnx/acme/..', 'acme/plain']) {
      expect(() => encoders.get(unknown)).toThrow(/Unknown embedding model/);
    }
  });
});

describe('a name with a number of dimensions', () => {
  it('is rejected before the model is loaded if the model has fewer', async () => {
    await build('acme/wide');
    const encoders = createDenseEncoders({ modelsDir: home.path });
    expect(encoders.get('onnx/acme/wide@64').dimensions).toBe(64);
    for (const dimensions of [65, 99_999]) {
      expect(() => encoders.get(`onnx/acme/wide@${dimensions}`)).toThrow(
        `the model has 64 dimensions, not ${dimensions}`,
      );
    }
  });
});

describe('without the packages that run models', () => {
  it('reports the command that installs them', async () => {
    await build('bare/acme/small');
    const encoder = encoderOf('acme/small', { modelsDir: join(home.path, 'bare') });
    await expect(encoder.embedQuery('text')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('npm run models -- install'),
    });
  });
});
