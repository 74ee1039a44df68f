import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { batchByLength } from '#onnx/batch-by-length';
import { familyOf } from '#onnx/families';
import { isHubName } from '#onnx/local-models';
import { pool, shorten } from '#onnx/pooling';
import { createTokenize } from '#onnx/tokenize';

describe('batchByLength', () => {
  it('puts each text into one batch, within the limits, with texts of similar length', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 80 });
    fc.assert(
      fc.property(
        lengths,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 4_096 }),
        (all, texts, tokens) => {
          const batches = batchByLength(all, { texts, tokens });
          expect(batches.flat().sort((a, b) => a - b)).toEqual([...all.keys()]);
          for (const batch of batches) {
            const padded = batch.length * Math.max(...batch.map((at) => all[at]!));
            expect(batch.length === 1 || (batch.length <= texts && padded <= tokens)).toBe(true);
          }
          const ordered = batches.flat().map((at) => all[at]!);
          expect(ordered).toEqual(ordered.toSorted((a, b) => a - b));
        },
      ),
    );
  });
});

describe('pool', () => {
  it('ignores padding', () => {
    const value = fc.double({ min: -1, max: 1, noNaN: true });
    const text = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('mean', 'cls', 'last'),
        value,
        (texts, pooling, padding) => {
          const longest = Math.max(...texts.map(({ length }) => length));
          const data = texts.flatMap((tokens) =>
            Array.from({ length: longest }, (_, at) => tokens[at] ?? [padding, padding]).flat(),
          );
          const vectors = pool(
            { dims: [texts.length, longest, 2], data },
            texts.map(({ length }) => length),
            pooling,
          );
          for (const [at, tokens] of texts.entries()) {
            const expected = {
              cls: tokens[0]!,
              last: tokens.at(-1)!,
              mean: [0, 1].map((side) => tokens.reduce((sum, token) => sum + token[side]!, 0) / tokens.length),
            }[pooling];
            for (const side of [0, 1]) expect(vectors[at]![side]).toBeCloseTo(expected[side]!, 5);
          }
        },
      ),
    );
  });

  it('keeps the vectors of a model that pools itself', () => {
    const vectors = pool({ dims: [2, 2], data: [1, 2, 3, 4] }, [5, 9], 'mean');
    expect(vectors).toEqual([Float32Array.of(1, 2), Float32Array.of(3, 4)]);
  });
});

describe('shorten', () => {
  it('normalizes over all values before it cuts, if the model expects that', () => {
    expect(shorten(Float32Array.of(1, 2, 3, 4), 2, false)).toEqual(Float32Array.of(1, 2));
    const [first, second] = shorten(Float32Array.of(1, 2, 3, 4), 2, true);
    expect(first).toBeCloseTo(-1.3416, 3);
    expect(second).toBeCloseTo(-0.4472, 3);
  });
});

describe('createTokenize', () => {
  /** One token per word, between a start and an end token. */
  const tokenizer = {
    encode: (text: string, { text_pair, add_special_tokens = true }: Record<string, unknown>) => {
      const words = (part: unknown) =>
        `${part}`
          .split(' ')
          .filter(Boolean)
          .map((word) => 10 + word.length);
      const special = (id: number) => (add_special_tokens ? [id] : []);
      const first = [...special(1), ...words(text), ...special(2)];
      const second = text_pair ? [...words(text_pair), ...special(2)] : [];
      return { ids: [...first, ...second], token_type_ids: [...first.map(() => 0), ...second.map(() => 1)] };
    },
  };

  it('cuts to the limit, keeps the end token, and leaves half of a pair to the passage', () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => 'w'.repeat(1 + (at % 7))).join(' ');
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 64 }), fc.nat(100), fc.nat(100), (limit, first, second) => {
        const tokenize = createTokenize(tokenizer, limit);
        const single = tokenize(words(first));
        expect(single.ids.length).toBe(Math.min(limit, first + 2));
        expect(single.ids.at(-1)).toBe(2);
        const pair = tokenize(words(first), words(second));
        expect(pair.ids.length).toBeLessThanOrEqual(limit);
        expect(pair.types).toHaveLength(pair.ids.length);
        if (limit >= 16 && second > limit) expect(pair.types.filter(Boolean).length).toBeGreaterThan(limit / 2 - 8);
      }),
    );
  });
});

describe('familyOf', () => {
  it.each([
    ['intfloat/multilingual-e5-small', { queryPrefix: 'query: ', documentPrefix: 'passage: ', pooling: 'mean' }],
    ['Xenova/e5-base-v2', { queryPrefix: 'query: ' }],
    ['Xenova/bge-small-en-v1.5', { pooling: 'cls', maxTokens: 512 }],
    ['Xenova/bge-m3', { pooling: 'cls', maxTokens: 8_192 }],
    ['Xenova/gte-small', { pooling: 'mean' }],
    ['Alibaba-NLP/gte-multilingual-base', { pooling: 'cls' }],
    ['nomic-ai/nomic-embed-text-v1.5', { queryPrefix: 'search_query: ', normalizesBeforeCut: true }],
    ['Snowflake/snowflake-arctic-embed-m-v2.0', { queryPrefix: 'query: ' }],
    ['Snowflake/snowflake-arctic-embed-s', { pooling: 'cls' }],
    ['onnx-community/embeddinggemma-300m-ONNX', { documentPrefix: 'title: none | text: ', supportsFp16: false }],
    ['onnx-community/Qwen3-Embedding-0.6B-ONNX', { pooling: 'last' }],
    ['Xenova/all-MiniLM-L6-v2', { pooling: 'mean', maxTokens: 256 }],
  ])('knows %s', (name, family) => {
    expect(familyOf(name)).toMatchObject(family);
  });

  it('knows nothing about other models', () => {
    expect(familyOf('acme/some-model')).toEqual({});
  });
});

describe('isHubName', () => {
  it('accepts only names that are safe as paths', () => {
    expect(isHubName('Xenova/all-MiniLM-L6-v2')).toBe(true);
    for (const name of ['', 'a', '../b', 'a/..', 'a/b/c', '/a', 'a/.b', 'a\\b/c', 'a/b..c', 'a/b\0']) {
      expect(isHubName(name)).toBe(false);
    }
  });
});
