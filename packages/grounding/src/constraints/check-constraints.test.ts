import { describe, expect, it } from '@jest/globals';
import { runToEnd } from '@lectern/resilience';
import fc from 'fast-check';
import type { SourceDocument } from '#citations/source-document';
import { createConstraintCheck } from '#constraints/check-constraints';
import { readConstraints } from '#constraints/read-constraints';
import { listCandidates } from '#evidence/candidates';
import { readQuestion } from '#evidence/question';
import { addTopic } from '#evidence/topic';

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
    ['2018年谁赢得了冠军？', ['year 2018']],
    // Month names that are also other words
    ['May I work from home?', []],
    ['When I may work from home?', []],
    ['may 2 people share a desk in march?', ['month march']],
    ['What happened on 24 May?', ['month May']],
    ['Was war am 24. Mai?', ['month Mai']],
    ['Care sunt cele mai importante reguli și în mai multe țări?', []],
    ['Who joined in Dec 2018?', ['month Dec', 'year 2018']],
    // Numbers that are no years
    ['Who approves purchases above 1500 euros?', ['number 1500 euros']],
    ['Is RSA 2048 allowed?', ['number 2048']],
    ['Is a file of 2048 MB allowed?', ['number 2048 MB']],
    ['Do the rules cover 2000 employees?', ['number 2000']],
    ['Which report is from 2010-12-31?', ['month 2010-12']],
    // The time relative to a year
    ['¿Qué cambió después de 2015?', []],
    ["Qu'est-ce qui a changé depuis 2015 ?", []],
    ["Qu'est-ce qui a changé jusqu'en 2015 ?", []],
    ['Что изменилось после 2015 года?', []],
    ['Mikä muuttui vuoden 2015 jälkeen?', []],
    ['2015年以降に何が変わりましたか？', []],
    ['Was änderte sich zwischen 2015 und 2018?', []],
    ['What changed since May 2015?', ['month May']],
    // Words that are no names
    ["Do you know if I'll get it or if I'd pay?", []],
    ['Is the desk open at 9am or 17h30 on Monday?', []],
    ['How do I set up 2FA for PTO and VPNs?', []],
    // The topic of an earlier question
    ['And in 2019? (won regatta Bergen 2018)', ['year 2019']],
    ['do the 3 teams meet weekly', []],
  ])('reads %j', (question, expected) => {
    expect(textsIn(question)).toEqual(expected);
  });

  it('reads nothing from the topic of an earlier question', () => {
    const WORDS = fc.array(fc.constantFrom('Bergen', '2018', 'regatta', 'March', '5', 'GB'), { maxLength: 6 });
    fc.assert(
      fc.property(WORDS, YEAR, (words, year) => {
        expect(textsIn(addTopic(`And who won in ${year}?`, words))).toEqual([`year ${year}`]);
      }),
    );
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
    ['Is the pool open in July?', 'The pool is open from June to August.'],
    ['Is the pool open in January?', 'The pool is open Nov. to Feb. only.'],
    ['Is the office open in December?', 'The office is closed on 24.12. and 31.12.'],
    ['2018년에 누가 이겼습니까?', '2018년에 철수가 이겼습니다.'],
    ['Wer gewann 2018?', 'Am 24.12.2018 gewann Ana.'],
  ])('accepts another form: %s', (question, text) => {
    expect(missing(question, [source('Notes', text)], text)).toEqual([]);
  });

  it('reads a date with year, month and day as no range', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 2012 }), (year) => {
        const sources = [source('Regatta', `Ana Silva won on ${year}-12-31.`)];
        expect(missing(`Who won in ${year + 1}?`, sources, 'Ana')).toEqual([String(year + 1)]);
        expect(missing(`Who won in ${year}?`, sources, 'Ana')).toEqual([]);
      }),
    );
  });

  it('does not read an amount as another year', () => {
    fc.assert(
      fc.property(
        YEAR,
        fc.integer({ min: 1000, max: 2099 }),
        fc.constantFrom('euros', 'MB', '€', 'km'),
        (year, amount, unit) => {
          fc.pre(year !== amount);
          const sources = [source('Regatta', `The prize was ${amount} ${unit}. In ${year}, Ana Silva won.`)];
          expect(missing(`What was the prize in ${year}?`, sources, 'prize')).toEqual([]);
        },
      ),
    );
  });

  it('requires the unit of a number', () => {
    const table = '| Plan | Storage in GB |\n| --- | --- |\n| basic | 5 |';
    expect(missing('Which plan has 5 GB?', [source('Plans', table)], 'basic')).toEqual([]);
    const sources = [source('Plans', 'The basic plan is for 5 users.')];
    expect(missing('Which plan has 5 GB?', sources, 'basic')).toEqual(['5 GB']);
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
