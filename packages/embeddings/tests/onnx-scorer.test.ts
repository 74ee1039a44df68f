import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  hasModelRuntime,
  linkModelRuntime,
  NO_MODEL_RUNTIME,
  temporaryFolder,
  writeGeneratedModel,
} from '@lectern/testing';
import { describeIf } from '@lectern/testing/skip';
import { createOnnxScorer, type OnnxScorer } from '#onnx/create-onnx-scorer';

const WORDS = ['holiday', 'laptop', 'policy', 'days', 'of', 'screen'];
const never = new AbortController().signal;
let home: Awaited<ReturnType<typeof temporaryFolder>>;
const open: OnnxScorer[] = [];

beforeAll(async () => {
  home = await temporaryFolder();
  await linkModelRuntime(home.path);
  await writeGeneratedModel(join(home.path, 'acme/rerank'), { words: WORDS, head: 'pair', precisions: ['fp32', 'q8'] });
  await writeGeneratedModel(join(home.path, 'acme/embed'), { words: WORDS, layers: 1, dimensions: 64, heads: 4 });
});
afterAll(async () => {
  await Promise.all(open.map((scorer) => scorer.close()));
  await home.remove();
});

const scorerOf = (model: string, maxTokens = 64) => {
  const scorer = createOnnxScorer({ model, modelsDir: home.path, maxTokens, timeoutMs: 60_000 });
  open.push(scorer);
  return scorer;
};

describeIf(hasModelRuntime, NO_MODEL_RUNTIME)('a reranker in its process', () => {
  it('scores passages by their relevance to the query, in the order of the passages', async () => {
    const { score } = scorerOf('acme/rerank');
    const texts = ['laptop screen', 'days of holiday', 'screen', 'holiday policy'];
    const scores = await score('holiday', texts, never);
    expect(scores).toHaveLength(4);
    for (const value of scores) expect(value).toBeGreaterThan(0);
    for (const value of scores) expect(value).toBeLessThan(1);
    expect(Math.min(scores[1]!, scores[3]!)).toBeGreaterThan(Math.max(scores[0]!, scores[2]!));
    for (const [at, text] of texts.entries())
      expect((await score('holiday', [text], never))[0]).toBeCloseTo(scores[at]!, 2);
  });

  it('cuts long queries and passages', async () => {
    const { score } = scorerOf('acme/rerank', 16);
    const [long, short] = await score('holiday '.repeat(300), ['holiday '.repeat(300), 'screen'], never);
    expect(long).toBeGreaterThan(short!);
  });

  it('rejects calls at once while the model is loading for another one', async () => {
    const { score } = scorerOf('acme/rerank');
    const first = score('holiday', ['days'], never);
    const others = Array.from({ length: 5 }, () => score('holiday', ['laptop'], never));
    for (const other of others) await expect(other).rejects.toMatchObject({ code: 'unavailable' });
    expect(await first).toHaveLength(1);
    expect(await score('holiday', ['laptop'], never)).toHaveLength(1);
  });

  it('rejects a model that is not a reranker, and aborted calls', async () => {
    await expect(scorerOf('acme/embed').score('holiday', ['days'], never)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('RERANK_MODEL'),
    });
    const enough = AbortSignal.abort(new Error('enough'));
    await expect(scorerOf('acme/rerank').score('holiday', ['days'], enough)).rejects.toThrow('enough');
  });
});
