import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createSyntheticCorpus } from '#corpus/synthetic';

const corpus = createSyntheticCorpus({ documents: 120, queries: 40 });
const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];
const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

describe('createSyntheticCorpus', () => {
  it('creates the same corpus on every machine', () => {
    expect(createSyntheticCorpus({ documents: 120, queries: 40 })).toEqual(corpus);
    expect(digest(corpus.documents)).toBe('eba765e85369acb2');
  });

  it('creates another corpus from another seed', () => {
    const other = createSyntheticCorpus({ documents: 120, queries: 40, seed: 2 });
    expect(other.documents[0]?.text).not.toBe(corpus.documents[0]?.text);
  });

  it('creates documents of about 300 words with distinct titles and ids', () => {
    const lengths = corpus.documents.map(({ text }) => wordsOf(text).length);
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    expect(mean).toBeGreaterThan(250);
    expect(mean).toBeLessThan(400);
    expect(new Set(corpus.documents.map(({ id }) => id)).size).toBe(120);
    expect(corpus.documents.every(({ title }) => wordsOf(title).length >= 3)).toBe(true);
  });

  it('uses few words often and many words rarely', () => {
    const counts = new Map<string, number>();
    const all = corpus.documents.flatMap(({ text }) => wordsOf(text));
    for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1);
    const sorted = [...counts.values()].sort((a, b) => b - a);
    const topTen = sorted.slice(0, 10).reduce((sum, count) => sum + count, 0);
    expect(topTen / all.length).toBeGreaterThan(0.12);
    expect(sorted.filter((count) => count === 1).length / sorted.length).toBeGreaterThan(0.2);
  });

  it('creates queries from the words of one document', () => {
    const byId = new Map(corpus.documents.map((document) => [document.id, document]));
    for (const { text, relevant } of corpus.queries) {
      const [id = ''] = relevant;
      const words = new Set(wordsOf(byId.get(id)!.text));
      expect(text.split(' ').every((word) => words.has(word))).toBe(true);
    }
  });
});
