import { describe, expect, it } from '@jest/globals';
import { analyzeQuery } from '@lectern/text';
import { analyzePassage } from '#analyze-passage';
import { learnLsi } from '#lsi/learn-lsi';
import { lsiFromBytes, lsiToBytes } from '#lsi/lsi-bytes';
import { createLsiEncoder } from '#lsi/lsi-encoder';
import { LSI_LIMITS } from '#lsi/lsi-limits';
import { LsiSample } from '#lsi/lsi-sample';
import { startLsiTraining } from '#lsi/lsi-training';
import { subjectOf, topicPassages } from '#lsi/topic-corpus.test-support';
import { createSparseEncoder } from '#sparse/sparse-encoder';

const sparse = createSparseEncoder();
const passages = topicPassages(120).map((text) => ({ text, sparse: sparse.encodeDocument(analyzePassage({ text })) }));

const learn = () => {
  const sample = new LsiSample();
  for (const passage of passages) sample.add(passage);
  return learnLsi(sample);
};
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

describe('a space learned from a corpus', () => {
  const model = learn();
  const encoder = createLsiEncoder(model);
  const passage = (text: string) => encoder.encodePassage(sparse.encodeDocument(analyzePassage({ text })));
  const query = (text: string) => encoder.encodeQuery(analyzeQuery(text));

  it('places words of one subject close together that never occur together', () => {
    // In the corpus `doctor` and `nurse` never occur together; both occur with `hospital` and
    // `recovery`.
    const { vector } = query('doctor');
    expect(sparse.encodeDocument(analyzePassage({ text: 'nurse' })).indices).not.toEqual(
      sparse.encodeQuery(analyzeQuery('doctor')).indices,
    );
    expect(dot(vector, passage('nurse'))).toBeGreaterThan(0.3);
    expect(dot(vector, passage('engine'))).toBeLessThan(0.1);
    expect(dot(vector, passage('recovery'))).toBeGreaterThan(0.5);
  });

  it('returns vectors of unit length, or zeros if no term is known', () => {
    const known = passage('the doctor sees a recovery');
    expect(known).toHaveLength(LSI_LIMITS.dimensions);
    expect(dot(known, known)).toBeCloseTo(1, 5);
    expect(passage('zzz qqq').every((value) => value === 0)).toBe(true);
    expect(query('zzz qqq').vector.every((value) => value === 0)).toBe(true);
  });

  it('has a larger weight for a query with known terms', () => {
    expect(query('doctor recovery').known).toBeGreaterThan(query('doctor zzzyx').known);
    expect(query('zzzyx').known).toBe(0);
    expect(query('').known).toBe(0);
  });

  it('adds the synonyms of a query that the space knows, and ignores the others', () => {
    const plain = analyzeQuery('zzzyx');
    const expand = (...terms: string[]) =>
      encoder.encodeQuery({
        ...plain,
        expansions: terms.map((term) => ({ terms: [term], weight: 0.5, synonym: { from: 'zzzyx', to: term } })),
      });
    expect(dot(expand('doctor').vector, passage('nurse'))).toBeGreaterThan(0.3);
    expect(expand('doctor', 'qqqxy')).toEqual(expand('doctor'));
    expect(expand('qqqxy')).toEqual(encoder.encodeQuery(plain));
  });

  it('is the same for the same passages', () => {
    expect(Buffer.from(lsiToBytes(learn())).equals(lsiToBytes(model))).toBe(true);
  });

  it('is the same after serialization', () => {
    const bytes = lsiToBytes(model);
    // At an odd offset in a larger buffer, as drivers can return it.
    const within = new Uint8Array(bytes.length + 3);
    within.set(bytes, 3);
    expect(lsiFromBytes(within.subarray(3))).toEqual(model);
    expect(bytes.length).toBe(16 + model.terms.length * (12 + LSI_LIMITS.dimensions));
  });

  it('rejects truncated or invalid bytes', () => {
    expect(() => lsiFromBytes(lsiToBytes(model).subarray(0, -1))).toThrow('A stored space is damaged.');
    expect(() => lsiFromBytes(new Uint8Array(4))).toThrow('A stored space is damaged.');
    expect(() => lsiFromBytes(new Uint8Array(64))).toThrow('A stored space is damaged.');
  });

  it('places new passages like those of the training', () => {
    const half = new LsiSample();
    for (const [at, passage] of passages.entries()) if (at % 2 === 0) half.add(passage);
    const folding = createLsiEncoder(learnLsi(half));
    // Neighbors matter, not coordinates: the nearest neighbor of each unseen passage is of its
    // own subject.
    const seen = passages.flatMap(({ sparse }, at) =>
      at % 2 === 0 ? [{ at, vector: folding.encodePassage(sparse) }] : [],
    );
    const unseen = passages.flatMap(({ sparse }, at) =>
      at % 2 === 1 ? [{ at, vector: folding.encodePassage(sparse) }] : [],
    );
    for (const { at, vector } of unseen) {
      const nearest = seen.toSorted((a, b) => dot(vector, b.vector) - dot(vector, a.vector))[0]!;
      expect(subjectOf(nearest.at)).toBe(subjectOf(at));
    }
  });

  it('is the same when learned in a thread', async () => {
    const training = startLsiTraining();
    try {
      expect(await training.add(passages.slice(0, 50))).toBe(true);
      expect(await training.add(passages.slice(50))).toBe(true);
      const learned = await training.learn();
      expect(learned.passages).toBe(passages.length);
      expect(learned.terms).toBe(model.terms.length);
      expect(Buffer.from(learned.bytes).equals(lsiToBytes(model))).toBe(true);
    } finally {
      await training.close();
    }
  });

  it('can be aborted during the training', async () => {
    const stopping = new AbortController();
    const training = startLsiTraining({ signal: stopping.signal });
    await training.add(passages);
    const learning = training.learn();
    stopping.abort();
    await expect(learning).rejects.toMatchObject({ code: 'cancelled' });
    await training.close();
    await expect(training.learn()).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('is empty without passages', () => {
    const empty = createLsiEncoder(learnLsi(new LsiSample()));
    expect(empty.encodeQuery(analyzeQuery('doctor')).known).toBe(0);
  });
});
