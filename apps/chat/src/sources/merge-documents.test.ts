import { describe, expect, it } from '@jest/globals';
import type { SourceDocument } from '@lectern/grounding';
import { mergeDocuments } from '#sources/merge-documents';

const TEXT = 'One sentence. Another sentence. A third sentence. The fourth sentence. The last sentence.';
const at = (start: number, end: number, score = 1) => ({ text: TEXT.slice(start, end), start, end, score });
const document = (id: string, ...passages: SourceDocument['passages']): SourceDocument => ({ id, title: id, passages });
const textsOf = (documents: readonly SourceDocument[]) =>
  documents.map(({ id, passages }) => [id, passages.map(({ text }) => text)]);

describe('mergeDocuments', () => {
  it('interleaves the lists by rank and lists each document once', () => {
    const merged = mergeDocuments([
      [document('a', at(0, 13)), document('b', at(14, 31))],
      [document('c', at(32, 49)), document('a', at(50, 70))],
    ]);
    expect(textsOf(merged)).toEqual([
      ['a', ['One sentence.', 'The fourth sentence.']],
      ['c', ['A third sentence.']],
      ['b', ['Another sentence.']],
    ]);
  });

  it('joins overlapping passages at the position of the better one', () => {
    const [merged] = mergeDocuments([[document('a', at(32, 70, 0.9), at(0, 13, 0.8), at(14, 49, 0.7))]]);
    expect(merged?.passages).toEqual([
      { ...at(14, 70), score: 0.9 },
      { ...at(0, 13), score: 0.8 },
    ]);
    expect(TEXT).toContain(merged?.passages[0]?.text);
  });

  it('joins two passages through a third that overlaps both', () => {
    const [merged] = mergeDocuments([[document('a', at(0, 20), at(40, 60), at(15, 45))]]);
    expect(merged?.passages).toEqual([at(0, 60)]);
  });

  it('keeps passages separate whose overlapping texts differ', () => {
    const other = { text: 'x'.repeat(13), start: 5, end: 18, score: 1 };
    expect(mergeDocuments([[document('a', at(0, 13), other)]])[0]?.passages).toHaveLength(2);
  });

  it('omits a document that repeats another word for word', () => {
    expect(textsOf(mergeDocuments([[document('a', at(0, 13)), document('b', at(0, 13))]]))).toEqual([
      ['a', ['One sentence.']],
    ]);
  });
});
