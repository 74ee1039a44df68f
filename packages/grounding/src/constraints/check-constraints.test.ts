import { describe, expect, it } from '@jest/globals';
import { runToEnd } from '@lectern/resilience';
import fc from 'fast-check';
import type { SourceDocument } from '#citations/source-document';
import { createConstraintCheck } from '#constraints/check-constraints';
import { readConstraints } from '#constraints/read-constraints';
import { listCandidates } from '#evidence/candidates';
import { readQuestion } from '#evidence/question';

function source(title: string, text: string, heading = ''): SourceDocument {
  return { id: title, title, passages: [{ text, start: 0, end: text.length, heading }] };
}

/** Returns the texts that the best unit with these words lacks. */
function missing(asked: string, sources: readonly SourceDocument[], unitWith: string): string[] {
  const question = readQuestion(asked);
  const candidates = runToEnd(listCandidates(sources, question.language));
  const check = runToEnd(createConstraintCheck(question, candidates));
  const candidate = candidates.find(({ unit }) => unit.text.includes(unitWith));
  if (candidate === undefined) throw new Error(`No unit contains "${unitWith}".`);
  return check.missingFrom(candidate).map(({ text }) => text);
}

const textsIn = (question: string) => {
  const { language } = readQuestion(question);
  return readConstraints(question, language).map(({ kind, text }) => `${kind} ${text}`);
};

const YEAR = fc.integer({ min: 1900, max: 2030 });

describe('readConstraints', () => {
  it.each([
    ['Who won the regatta of Bergen in 2018?', ['year 2018', 'name Bergen']],
    ['How many people worked there in the 1990s?', ['year 1990s']],
    ['What changed after 2015?', []],
    ['May I claim a $50 dinner in May?', ['month May', 'number $50']],
    ['Does the 5 GB plan of Contoso cover ERR-1042?', ['number 5 GB', 'name Contoso', 'name ERR-1042']],
    ['How Do I Reset My Work Password', []],
    ['Wer leitete 2014 das Projekt im März?', ['month März', 'year 2014']],
    ['2018年谁赢得了NFL冠军？', ['year 2018', 'name NFL']],
    ['do the 3 teams meet weekly', []],
  ])('reads %j', (question, expected) => {
    expect(textsIn(question)).toEqual(expected);
  });

  it('returns parts of the question only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (question) => {
        for (const { text } of readConstraints(question, 'en')) expect(question).toContain(text);
      }),
      { numRuns: 300 },
    );
  });
});

describe('createConstraintCheck', () => {
  it('reports every year that no source mentions', () => {
    fc.assert(
      fc.property(YEAR, YEAR, (asked, other) => {
        fc.pre(asked !== other);
        const sources = [source('Regatta', `In ${other}, Ana Silva won the regatta.`)];
        expect(missing(`Who won the regatta in ${asked}?`, sources, 'Ana')).toEqual([String(asked)]);
        expect(missing(`Who won the regatta in ${other}?`, sources, 'Ana')).toEqual([]);
      }),
    );
  });

  it('accepts a year in the heading or the title, and in a range', () => {
    fc.assert(
      fc.property(YEAR, fc.integer({ min: 0, max: 9 }), (first, offset) => {
        const asked = `Who won the regatta in ${first + offset}?`;
        const text = 'Ana Silva won the regatta.';
        expect(missing(asked, [source(`Results ${first + offset}`, text)], 'Ana')).toEqual([]);
        expect(missing(asked, [source('Results', text, `Races > ${first + offset}`)], 'Ana')).toEqual([]);
        expect(missing(asked, [source('Results', `${first}–${first + 9}: ${text}`)], 'Ana')).toEqual([]);
      }),
    );
  });

  it('does not accept a sentence about another year because of its neighbor', () => {
    const text = 'Ana Silva won in 2022. In 2018 the regatta was in Oslo.';
    expect(missing('Who won the regatta in 2018?', [source('Regatta', text)], 'Ana')).toEqual(['2018']);
  });

  it('accepts a sentence without a year if its passage mentions the year', () => {
    const text = 'The regatta of 2018 was in Oslo. Ana Silva won.';
    expect(missing('Who won the regatta in 2018?', [source('Regatta', text)], 'Ana')).toEqual([]);
  });

  it('reports a name that no source mentions', () => {
    const sources = [source('Plans', 'The bronze plan covers ten users.')];
    expect(missing('How many users does the bronze plan of Contoso cover?', sources, 'bronze')).toEqual(['Contoso']);
  });

  it.each([
    ['Is paid time off limited for PTO requests?', 'Paid time off is limited.'],
    ['Is the office in Germany open?', 'The German office is open.'],
    ['Does it cost 1,000 euros or 1000 €?', 'It costs 1000 euros a year.'],
    ['What does the Wi-Fi cost?', 'The wifi costs nothing.'],
  ])('accepts another form: %s', (question, text) => {
    expect(missing(question, [source('Notes', text)], text)).toEqual([]);
  });

  it('reports a number that the passage does not mention', () => {
    const sources = [source('Purchases', 'The director approves purchases above 5,000 euros.')];
    expect(missing('Who approves purchases above 5000 euros?', sources, 'director')).toEqual([]);
    expect(missing('Who approves purchases above 7000 euros?', sources, 'director')).toEqual(['7000 euros']);
  });

  it('has no constraints for a claim, which a source with another number contradicts', () => {
    const sources = [source('Regatta', 'Ana Silva won the regatta in 2022.')];
    expect(missing('Ana Silva won the regatta in 2018.', sources, 'Ana')).toEqual([]);
  });
});
