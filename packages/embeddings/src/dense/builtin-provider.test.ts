import { describe, expect, it } from '@jest/globals';
import { createDenseEncoders } from '#dense/create-dense-encoders';

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

describe('the builtin encoder', () => {
  const encoder = createDenseEncoders().get('builtin-hash-512');

  it('returns one vector of unit length per text, in order', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `passage about subject ${at}`);
    const vectors = await encoder.embedDocuments(texts);
    expect(vectors).toHaveLength(40);
    for (const [at, vector] of vectors.entries()) {
      expect(vector).toHaveLength(512);
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
      expect(vector).toEqual(await encoder.embedQuery(texts[at]!));
    }
  });

  it('places texts with similar spelling closer together, typos included', async () => {
    const [parental, devices] = await encoder.embedDocuments([
      'Parental leave: sixteen weeks of paid time off for new parents',
      'Encrypt the disk of your laptop and use a password manager',
    ]);
    const query = await encoder.embedQuery('parantal leave for a new parent');
    expect(dot(query, parental!)).toBeGreaterThan(dot(query, devices!) + 0.2);
  });

  it('returns zeros if there is nothing to encode', async () => {
    expect((await encoder.embedQuery(' … ')).every((value) => value === 0)).toBe(true);
  });

  it('returns the same vector on every machine', async () => {
    const vector = await encoder.embedQuery('vacation policy');
    // Dimension and sign of each feature. The values can differ in the last bit of a logarithm.
    const used = [...vector.entries()].filter(([, value]) => value !== 0);
    expect(used.map(([at, value]) => at * Math.sign(value))).toEqual([-60, 65, -71, -164, 192, 249, 308, 403, -408]);
  });

  it('rejects with the reason of an aborted signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(encoder.embedDocuments(['text'], { signal })).rejects.toThrow('enough');
    await expect(encoder.embedQuery('text', { signal })).rejects.toThrow('enough');
  });
});
