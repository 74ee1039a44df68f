import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { visitIndexTerms } from '#analysis/analyze';
import { analyzeQuery } from '#analysis/analyze-query';
import { LANGUAGES, LATIN_LANGUAGES, type Language } from '#analysis/languages';
import { readQuantity } from '#analysis/quantities';
import { scanTokens } from '#analysis/scan-tokens';

const languages = Object.keys(LANGUAGES) as Language[];
const anyLanguage = fc.constantFrom(...languages);

const indexed = (text: string, language: Language) => {
  const terms = new Set<string>();
  visitIndexTerms(text, language, (term) => terms.add(term));
  return terms;
};
const searched = (query: string, language: Language) =>
  analyzeQuery(query, { languages: [language] }).terms.map(({ term }) => term);
const finds = (query: string, text: string, language: Language) => {
  const terms = indexed(text, language);
  return searched(query, language).some((term) => terms.has(term));
};
const tokensOf = (text: string) => {
  const tokens: string[] = [];
  scanTokens(text, (token) => tokens.push(token));
  return tokens;
};

/** Text with what tokenizers stumble over. */
const oddText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(
        '5 GB',
        '$1,000',
        "1'000",
        '1 000',
        'C++',
        '.NET',
        'R&D',
        '10:30',
        '🎉',
        "l'",
        '@',
        '#',
        '…',
        '%',
        '€',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('the analysis of any text', () => {
  it('visits tokens of the text in order, without overlap', () => {
    fc.assert(
      fc.property(oddText, (text) => {
        let last = 0;
        scanTokens(text, (token, start, end) => {
          expect(text.slice(start, end)).toBe(token);
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        });
      }),
    );
  });

  it('returns terms that are not empty, in every language', () => {
    fc.assert(
      fc.property(oddText, anyLanguage, (text, language) => {
        for (const term of indexed(text, language)) expect(term).not.toBe('');
        for (const { term, weight, start, end } of analyzeQuery(text, { languages: [language] }).terms) {
          expect(term).not.toBe('');
          expect(weight).toBeGreaterThan(0);
          expect(weight).toBeLessThanOrEqual(1);
          expect(end).toBeGreaterThan(start);
        }
      }),
    );
  });

  it('shares a term with a query for any of its tokens that is not a stopword', () => {
    fc.assert(
      fc.property(oddText, anyLanguage, (text, language) => {
        for (const token of tokensOf(text)) {
          if (indexed(`x ${token} x`, language).size <= 1) continue;
          expect([token, finds(token, text, language)]).toEqual([token, true]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('needs time proportional to the length of a number', () => {
    const costOf = (times: number) => {
      const texts = ['1,', '1.', "1'", '1 000 ', '$1', '5 GB', '1:', 'a&', '1 ', 'C++', '5 %'].map((part) =>
        part.repeat(times),
      );
      const startedAt = process.cpuUsage();
      for (const text of texts) indexed(text, 'en');
      const { user, system } = process.cpuUsage(startedAt);
      return user + system;
    };
    costOf(2_000);
    expect(costOf(16_000) / costOf(4_000)).toBeLessThan(12);
  });
});

const whole = fc.integer({ min: 1_000, max: 999_999_999 });
const separated = (value: number, separator: string) => `${value}`.replace(/\B(?=(\d{3})+$)/g, separator);

describe('numbers', () => {
  it('are found in every way to separate thousands', () => {
    const separators = fc.constantFrom('', ',', "'", '’', ' ', '\u00A0', '\u202F', '.');
    fc.assert(
      fc.property(whole, separators, separators, anyLanguage, (value, one, other, language) => {
        const [query, text] = [separated(value, one), separated(value, other)];
        expect([query, text, finds(query, `x ${text} x`, language)]).toEqual([query, text, true]);
      }),
    );
  });

  it('are found with a dot or a comma before decimals', () => {
    const decimals = fc.constantFrom('5', '25', '05');
    const mark = fc.constantFrom([',', '.'], ['.', ','], ['', '.'], ['', ',']);
    fc.assert(
      fc.property(whole, decimals, mark, mark, (value, decimal, [a = '', b = ''], [c = '', d = '']) => {
        expect(finds(separated(value, a) + b + decimal, `x ${separated(value, c)}${d}${decimal} x`, 'en')).toBe(true);
      }),
    );
  });
});

describe('quantities', () => {
  it('are the same with and without a space, in upper and lower case', () => {
    const unit = fc.constantFrom('GB', 'kg', 'km/h', 'mg', 'MHz', 'kWh', '%', '€', 'USD', 'percent');
    const spaced = fc.constantFrom('', ' ', '\u00A0');
    const cased = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toLowerCase(),
      (text) => text.toUpperCase(),
    );
    fc.assert(
      fc.property(fc.nat(), unit, spaced, spaced, cased, anyLanguage, (value, name, a, b, inCase, language) => {
        const text = `${value}${a}${name}`;
        const query = `${value}${b}${inCase(name)}`;
        expect(readQuantity(query)?.whole).toEqual(readQuantity(text)?.whole);
        expect(searched(query, language).sort()).toEqual(searched(text, language).sort());
      }),
    );
  });

  it('are not found by another number with the same currency sign', () => {
    fc.assert(
      fc.property(whole, fc.constantFrom('€', '%'), (value, sign) => {
        expect(finds(`${value}${sign}`, `x ${value + 1} ${sign} x`, 'en')).toBe(false);
      }),
    );
  });

  it.each([
    ['$1,000', '1000 USD'],
    ['$1,000.00', '1000 dollars'],
    ['1.000 €', 'EUR 1000'],
    ["CHF 2'500", '2500 CHF'],
    ['£5', '5 GBP'],
    ['5 gigabytes', '5GB'],
    ['20 Prozent', '20%'],
  ])('%s is %s', (one, other) => {
    expect(finds(one, other, 'en')).toBe(true);
    expect(finds(other, one, 'en')).toBe(true);
  });

  it.each(['5 in 10', '5 a day', '1980s', '5M', '1,2,3', '24/7', '5GB-limit'])('%s is no quantity', (text) => {
    expect(tokensOf(text).filter((token) => readQuantity(token) !== undefined)).toEqual([]);
  });
});

describe('versions', () => {
  it('are found with and without a v', () => {
    const numbers = fc.array(fc.nat({ max: 99 }), { minLength: 2, maxLength: 4 }).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(numbers, fc.constantFrom('v', 'V', ''), fc.constantFrom('v', 'V', ''), (number, a, b) => {
        expect(finds(a + number, `x ${b}${number} x`, 'en')).toBe(true);
      }),
    );
  });
});

describe('abbreviations', () => {
  it('are terms in capitals if they are stopwords, unless the whole text is in capitals', () => {
    for (const language of LATIN_LANGUAGES) {
      for (const stopword of [...LANGUAGES[language].stopwords].filter((word) => /^[a-z]{2,4}$/.test(word))) {
        const capitals = stopword.toUpperCase();
        if (language === 'tr') continue;
        expect(indexed(`xyz ${capitals} xyz`, language)).toContain(capitals);
        expect(indexed(`xyz ${stopword} xyz`, language)).not.toContain(capitals);
        expect(indexed(`XYZ ${capitals} XYZ XYZ`, language)).not.toContain(capitals);
      }
    }
  });
});
