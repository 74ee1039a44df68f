import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTextSketcher, parseSketch, sketchSimilarity } from '#sketch/text-sketch';

function sketchOf(...passages: readonly string[]): string | undefined {
  const sketcher = createTextSketcher();
  for (const passage of passages) sketcher.add(passage);
  return sketcher.sketch();
}

function similarity(a: string, b: string): number {
  const [first, second] = [a, b].map((text) => parseSketch(sketchOf(text) ?? ''));
  return first && second ? sketchSimilarity(first, second) : 0;
}

/** The Jaccard similarity of the sets of adjacent words, counted exactly. */
function exactSimilarity(a: readonly string[], b: readonly string[]): number {
  const pairs = (words: readonly string[]) => new Set(words.map((word, at) => `${words[at - 1] ?? ''} ${word}`));
  const [first, second] = [pairs(a), pairs(b)];
  const common = [...first].filter((pair) => second.has(pair)).length;
  return common / (first.size + second.size - common);
}

const word = fc.stringMatching(/^[a-z]{2,7}$/);
const words = fc.array(word, { minLength: 1, maxLength: 400 });

describe('text sketches', () => {
  it('estimate the share of equal word pairs', () => {
    const edited = words.chain((original) =>
      fc.record({
        original: fc.constant(original),
        edits: fc.array(fc.tuple(fc.nat(original.length - 1), word), { maxLength: original.length }),
      }),
    );
    fc.assert(
      fc.property(edited, ({ original, edits }) => {
        const copy = [...original];
        for (const [at, replacement] of edits) copy[at] = replacement;
        const error = similarity(original.join(' '), copy.join(' ')) - exactSimilarity(original, copy);
        // Six standard errors; short texts use few bins.
        expect(Math.abs(error)).toBeLessThan(6 * Math.sqrt(0.25 / Math.min(128, original.length)) + 0.01);
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it('do not depend on the order of passages, case, punctuation or white space', () => {
    fc.assert(
      fc.property(fc.array(fc.array(word, { minLength: 1, maxLength: 40 }), { minLength: 1 }), (passages) => {
        const plain = passages.map((passage) => passage.join(' '));
        const other = passages.map((passage) => `«${passage.join(',\n').toUpperCase()}».`.replaceAll(/[«»]/g, '“'));
        expect(sketchOf(...other.reverse())).toBe(sketchOf(...plain));
      }),
      { numRuns: 100, seed: 3 },
    );
  });

  it.each([
    ['Der Vertrag läuft zwölf Monate und endet dann.', 'Der Vertrag la\u0308uft zwo\u0308lf Monate und endet dann.'],
    ['The ﬁnal oﬀer', 'the final offer'],
    ['合同期限为十二个月。', '合同期限为十二个月。'],
  ])('treat %s and its other form as equal', (a, b) => {
    expect(similarity(a, b)).toBe(1);
  });

  it('compare texts without spaces by characters', () => {
    const text = '合同期限为十二个月,到期后自动终止,除非双方另有书面约定。';
    expect(similarity(text, text.replace('十二', '十三'))).toBeGreaterThan(0.7);
    expect(similarity('สัญญานี้มีระยะเวลาสิบสองเดือน', 'สัญญานี้มีระยะเวลาสิบสามเดือน')).toBeGreaterThan(0.4);
  });

  it('are undefined for a text without words, and malformed text is not a sketch', () => {
    expect(sketchOf('', ' … !')).toBeUndefined();
    expect(parseSketch('abc')).toBeUndefined();
  });
});
