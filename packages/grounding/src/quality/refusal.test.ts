import { describe, expect, it } from '@jest/globals';
import { isLanguage, LANGUAGES } from '@lectern/text';
import { phrasesIn } from '#messages/reply-phrases';
import { isRefusal } from '#quality/refusal';

describe('isRefusal', () => {
  it.each([
    'I could not find an answer to that in the documents I can see.',
    'Dazu konnte ich in den Dokumenten, die ich sehen kann, keine Antwort finden.',
    "I couldn't find anything about that.",
    'The provided documents do not mention a dress code.',
    'There is no information on this in the sources.',
    "I don't know.",
  ])('recognizes "%s"', (reply) => {
    expect(isRefusal(reply)).toBe(true);
  });

  it.each([
    'The office opened in 2019. [1] The documents do not say on which day.',
    'You cannot carry over more than five days. [1]',
    'Employees who do not find a replacement must inform their manager. [1]',
  ])('does not recognize "%s"', (reply) => {
    expect(isRefusal(reply)).toBe(false);
  });

  it('ignores what a reply quotes, but not a claim that a source only supports', () => {
    const quote = "If you can't find your badge, call security.";
    const reply = `According to "Badges": ${quote} [1]`;
    const textStart = reply.indexOf(quote);
    const place = { type: 'citation', marker: 1, sourceId: 'a', passageIndex: 0 } as const;
    const citation = { ...place, quote, textStart, textEnd: textStart + quote.length };
    expect(isRefusal(reply, [citation])).toBe(false);
    expect(isRefusal(quote, [{ ...citation, textStart: 0, textEnd: quote.length }])).toBe(false);
    const claim = 'The documents do not mention a dress code.';
    const claimed = { ...citation, textStart: 0, textEnd: claim.length };
    expect(isRefusal(`${claim} [1]`, [claimed])).toBe(true);
    const refused = `${phrasesIn('en').notFound} ${quote} [1]`;
    const start = refused.indexOf(quote);
    expect(isRefusal(refused, [{ ...citation, textStart: start, textEnd: start + quote.length }])).toBe(true);
  });

  it.each(Object.keys(LANGUAGES).filter(isLanguage))('recognizes the fixed sentences in %s', (language) => {
    const phrases = phrasesIn(language);
    const { notFound, notYet, noDocuments, join } = phrases;
    const refusals = [notFound, noDocuments, join(notYet, phrases.indexing(3)), join(notFound, phrases.closest)];
    for (const reply of [...refusals, phrases.missing(['2018']), phrases.missing(['2018', 'Wien'])]) {
      expect([reply, isRefusal(reply)]).toEqual([reply, true]);
    }
    const openings = [phrases.accordingTo('A'), phrases.mayAnswer('A'), phrases.overview, phrases.contradiction];
    for (const reply of [...openings, phrases.greeting]) {
      expect([reply, isRefusal(reply)]).toEqual([reply, false]);
    }
  });
});
