import { describe, expect, it } from '@jest/globals';
import type { PassageHit, PassagePayload } from '@lectern/vector-store';
import { textsOfHit } from '#words/hit-texts';

const passage = (text: string, language?: string): PassageHit => ({
  chunk: 0,
  heading: `About ${text}`,
  text,
  language,
  start: 0,
  end: text.length,
  score: 1,
});

describe('textsOfHit', () => {
  it('returns title, headings and texts of the three best passages in the stored language', () => {
    const passages = ['one', 'two', 'three', 'four'].map((text) => passage(text, 'de'));
    const payload = { title: 'The title', text: 'one', language: 'de' } as PassagePayload;
    const texts = textsOfHit({ payload, passages });
    expect(texts.map(({ text }) => text)).toEqual([
      'The title',
      'About one',
      'one',
      'About two',
      'two',
      'About three',
      'three',
    ]);
    expect(new Set(texts.map(({ language }) => language))).toEqual(new Set(['de']));
  });

  it('detects the language of a text without a stored one', () => {
    const text = 'Die Karte wurde nicht angenommen.';
    const payload = { title: 'Card', text } as PassagePayload;
    const texts = textsOfHit({ payload, passages: [passage(text)] });
    expect(new Set(texts.map(({ language }) => language))).toEqual(new Set(['de']));
  });
});
