import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SourceDocument } from '#citations/source-document';
import { supportBySource } from '#confidence/cited-support';
import { readEvidence } from '#judge/read-evidence';

/** Returns the support of a reply that quotes only these units, and the best one of some units. */
async function supportOf(question: string, text: string, quotes: readonly string[]) {
  const sources: readonly SourceDocument[] = [
    { id: 'doc_1', title: 'Handbook', passages: [{ text, start: 0, end: text.length }] },
  ];
  const citations = quotes.map((quote) => ({
    type: 'citation' as const,
    marker: 1,
    sourceId: 'doc_1',
    passageIndex: 0,
    quote,
    textStart: 0,
    textEnd: quote.length,
  }));
  const reply = quotes.map((quote) => `${quote} [1]`).join(' ');
  const { cited } = await supportBySource({ question, reply, citations, sources, shape: 'lookup', stopReason: 'end' });
  const { scored, judge } = await readEvidence(question, sources);
  const best = (units: readonly string[]): number =>
    Math.max(0, ...scored.filter(({ candidate }) => units.includes(candidate.unit.text)).map(judge));
  return { cited, best };
}

describe('supportBySource', () => {
  it('does not count uncited sentences and items near the quoted items of a list', async () => {
    const kinds = ['vacation', 'training', 'moving', 'volunteering', 'birthday'];
    const others = fc.shuffledSubarray(kinds, { minLength: 1, maxLength: 3 });
    const place = fc.constantFrom('above', 'below', 'item');
    await fc.assert(
      fc.asyncProperty(others, fc.integer({ min: 2, max: 40 }), place, async (uncited, days, where) => {
        const sentences = uncited.map((kind, at) => `Employees get ${days + at} days of ${kind} leave per year.`);
        const quotes = ['Sick days: 10 days per year.', 'Bereavement leave: 5 days.'];
        const lead = 'Sick leave and similar:';
        const items = where === 'item' ? [...sentences, ...quotes] : quotes;
        const blocks = [
          '## Leave',
          ...(where === 'above' ? sentences : []),
          `${lead}\n\n${items.map((item) => `- ${item}`).join('\n')}`,
          ...(where === 'below' ? sentences : []),
        ];
        const question = `How much ${uncited[0]} leave do employees get?`;
        const { cited, best } = await supportOf(question, blocks.join('\n\n'), quotes);
        expect(cited).toBeLessThanOrEqual(best([...quotes, lead]));
      }),
    );
  });

  it('is not certain about a quantity that no quoted unit contains', async () => {
    const text = 'Parental leave ends within the first year. Parental leave lasts 16 weeks.';
    const [vague, exact] = ['Parental leave ends within the first year.', 'Parental leave lasts 16 weeks.'];
    const question = 'How long is parental leave?';
    expect((await supportOf(question, text, [vague])).cited).toBeLessThanOrEqual(0.6);
    expect((await supportOf(question, text, [exact])).cited).toBeGreaterThan(0.6);
    expect((await supportOf(question, text, [exact, vague])).cited).toBeGreaterThan(0.6);
  });

  it('counts the lead-in of a quoted list, but not as certain', async () => {
    const items = fc.uniqueArray(fc.constantFrom('Aare', 'Gurten', 'Bundesplatz', 'Rosengarten', 'Marzili'), {
      minLength: 2,
    });
    await fc.assert(
      fc.asyncProperty(items, async (names) => {
        const list = names.map((name) => `- ${name}`).join('\n');
        const text = `Guests meet in the lobby. The rooms are upstairs.\n\nMeeting rooms for visitors:\n\n${list}\n`;
        const question = 'Which meeting rooms are there for visitors?';
        const { cited, best } = await supportOf(question, text, names);
        expect(cited).toBeCloseTo(Math.max(0.6, best(names)), 5);
      }),
    );
  });

  it('does not count a unit as certain if a short question has a word that its document lacks', async () => {
    const words = fc.constantFrom('interns', 'weekends', 'drivers', 'sculptors', 'gardeners');
    await fc.assert(
      fc.asyncProperty(words, async (word) => {
        const text = 'The daily allowance is 45 euros.';
        const { cited } = await supportOf(`What is the daily allowance for ${word}?`, text, [text]);
        expect(cited).toBeLessThanOrEqual(0.6);
        const known = await supportOf('What is the daily allowance?', text, [text]);
        expect(known.cited).toBeGreaterThan(0.6);
      }),
    );
  });
});
