import { describe, expect, it } from '@jest/globals';
import { createTextSketcher, parseSketch, sketchSimilarity } from '@lectern/text';
import fc from 'fast-check';
import { groupDuplicates } from '#collapse/group-duplicates';

interface Text {
  readonly id: number;
  readonly sketch: string | undefined;
}

function sketchOf(text: string): string | undefined {
  const sketcher = createTextSketcher();
  sketcher.add(text);
  return sketcher.sketch();
}

/** Compares every document with every group. */
function bruteForce(ranking: readonly Text[]) {
  const groups: { first: Text; duplicates: Text[] }[] = [];
  for (const text of ranking) {
    const sketch = parseSketch(text.sketch ?? '');
    const group = groups.find(({ first }) => {
      const other = parseSketch(first.sketch ?? '');
      return sketch && other && sketchSimilarity(other, sketch) >= 0.8;
    });
    if (group) group.duplicates.push(text);
    else groups.push({ first: text, duplicates: [] });
  }
  return groups;
}

const word = fc.stringMatching(/^[a-z]{2,6}$/);
/** Texts of 0 to 150 words with edited copies, in any order. */
const ranking = fc
  .array(
    fc.record({
      words: fc.array(word, { maxLength: 150 }),
      copies: fc.array(fc.array(fc.tuple(fc.nat(150), word), { maxLength: 12 }), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .chain((originals) => {
    const texts = originals.flatMap(({ words, copies }) => [words, ...copies.map((edits) => edited(words, edits))]);
    return fc.shuffledSubarray(texts, { minLength: texts.length });
  })
  .map((texts) => texts.map((words, id): Text => ({ id, sketch: sketchOf(words.join(' ')) })));

function edited(words: readonly string[], edits: readonly (readonly [number, string])[]): string[] {
  const copy = [...words];
  for (const [at, replacement] of edits) if (at < copy.length) copy[at] = replacement;
  return copy;
}

describe('groupDuplicates', () => {
  it('finds the same groups as comparing every pair', () => {
    fc.assert(
      fc.property(ranking, (texts) => {
        expect(groupDuplicates(texts, ({ sketch }) => sketch)).toMatchObject(bruteForce(texts));
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it('keeps every document exactly once, and the order of the ranking', () => {
    fc.assert(
      fc.property(ranking, (texts) => {
        const groups = groupDuplicates(texts, ({ sketch }) => sketch);
        const ids = groups.flatMap(({ first, duplicates }) => [first.id, ...duplicates.map(({ id }) => id)]);
        expect(ids.toSorted((a, b) => a - b)).toEqual(texts.map(({ id }) => id));
        const firsts = groups.map(({ first }) => first.id);
        expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
      }),
      { numRuns: 100, seed: 8 },
    );
  });

  it('groups copies with a few edits, and keeps texts of one template apart', () => {
    const filled = (values: readonly string[]) =>
      `Invoice ${values[0]} of ${values[1]} for ${values[2]}. Please pay ${values[3]} within thirty days to ${values[4]}. Thank you for your order.`;
    const invoice = filled(['1001', '3 May', 'Fernhill', '420 euros', 'account 77']);
    const other = filled(['1002', '9 June', 'Brannock', '95 euros', 'account 81']);
    const policy = Array.from({ length: 120 }, (_, at) => `rule${at}`).join(' ');
    const copy = `${policy.replace('rule40', 'paragraph')} end`;
    const texts = [invoice, policy, other, copy].map((text, id): Text => ({ id, sketch: sketchOf(text) }));
    const groups = groupDuplicates(texts, ({ sketch }) => sketch);
    expect(groups.map(({ first, duplicates }) => [first.id, duplicates.map(({ id }) => id)])).toEqual([
      [0, []],
      [1, [3]],
      [2, []],
    ]);
  });
});
