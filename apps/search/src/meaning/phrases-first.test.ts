import { describe, expect, it } from '@jest/globals';
import type { PassageHit, PassagePayload } from '@lectern/vector-store';
import { phrasesFirst } from '#meaning/phrases-first';
import type { FoundDocument } from '#search/search-documents';

const { signal } = new AbortController();

function hit(document: string, texts: readonly string[], { heading = '', language = 'en' } = {}): FoundDocument {
  const passages = texts.map(
    (text, chunk): PassageHit => ({ chunk, heading, text, language, start: 0, end: text.length, score: 1 }),
  );
  const payload = { document, title: `Title of ${document}`, text: texts[0] ?? '', language } as PassagePayload;
  return { document, score: 1, relevance: 1, scores: {}, passages, payload };
}

const order = async (hits: readonly FoundDocument[], phrases: readonly string[]) =>
  (await phrasesFirst(phrases).reorder(hits, signal)).map(({ document }) => document);

describe('phrasesFirst', () => {
  it('moves documents with a phrase in title, heading or text to the front in their order', async () => {
    const hits = [
      hit('a', ['a declined card']),
      hit('b', ['the card was declined'], { heading: 'Card declined' }),
      hit('c', ['other', 'card declined']),
      hit('d', ['other']),
    ];
    expect(await order(hits, ['card declined', 'title of d'])).toEqual(['b', 'c', 'd', 'a']);
  });

  it('looks only at the best passages of a document', async () => {
    const texts = ['one', 'two', 'three', 'card declined'];
    expect(await order([hit('a', ['other']), hit('b', texts)], ['card declined'])).toEqual(['a', 'b']);
    expect(await order([hit('a', ['other']), hit('b', texts.slice(1))], ['card declined'])).toEqual(['b', 'a']);
  });

  it('compares words in the language in which they were indexed', async () => {
    const hits = [hit('a', ['other']), hit('b', ['Karten'], { heading: 'Karte', language: 'de' })];
    expect(await order(hits, ['Karten abgelehnt', 'Karten'])).toEqual(['b', 'a']);
  });

  it('keeps the scores of the positions', async () => {
    const hits = [
      { ...hit('a', ['other']), score: 0.9 },
      { ...hit('b', ['card declined']), score: 0.5 },
    ];
    const scores = (await phrasesFirst(['card declined']).reorder(hits, signal)).map(({ score }) => score);
    expect(scores).toEqual([0.9, 0.5]);
  });

  it('lets other work run in between and stops when the signal is aborted', async () => {
    const text = 'the card was declined because of the new limit and the bank '.repeat(30);
    const hits = Array.from({ length: 50 }, (_, at) => hit(`doc_${at}`, [text, text, text]));
    const phrases = Array.from({ length: 10 }, (_, at) => `card limit ${at}`);
    let others = 0;
    const timer = setInterval(() => {
      others += 1;
    }, 0);
    await phrasesFirst(phrases).reorder(hits, signal);
    clearInterval(timer);
    expect(others).toBeGreaterThan(3);
    const aborted = AbortSignal.abort(new Error('left'));
    await expect(phrasesFirst(phrases).reorder(hits, aborted)).rejects.toThrow('left');
  });
});
