import { describe, expect, it } from '@jest/globals';
import { extractTerms, visitTerms } from '#analysis/analyze';

describe('analysis', () => {
  it('stems words and leaves out stopwords', () => {
    expect(extractTerms('How are the policies for running companies?')).toEqual(['polici', 'run', 'compani']);
  });

  it('sees upper case, full width, ligatures and composed letters as one word', () => {
    expect(extractTerms('OFFICE oﬃce ｏｆｆｉｃｅ')).toEqual(['offic', 'offic', 'offic']);
    expect(extractTerms('STRASSE straße')).toEqual(['strass', 'strass']);
    expect(extractTerms('Σίσυφος ΣΊΣΥΦΟΣ')[0]).toBe(extractTerms('ΣΊΣΥΦΟΣ')[0]);
  });

  it('finds Latin words with and without their accents', () => {
    expect(extractTerms('café cafe\u0301 cafés')).toEqual(['cafe', 'cafe', 'cafe']);
  });

  it('leaves out apostrophes and the possessive s', () => {
    expect(extractTerms("the firm's dog, the firm’s cat, O'Reilly, don't")).toEqual([
      'firm',
      'dog',
      'firm',
      'cat',
      'oreilli',
    ]);
  });

  it('gives joined forms as parts and as a whole', () => {
    expect(extractTerms('e-mail')).toEqual(['e', 'mail', 'email']);
    expect(extractTerms('ERR-1042')).toEqual(['err', '1042', 'err1042']);
    expect(extractTerms('jane.doe@acme.example')).toEqual(['jane', 'doe', 'acm', 'exampl', 'janedoeacmeexample']);
    expect(extractTerms('max_old_space')).toEqual(['max', 'old', 'space', 'maxoldspace']);
  });

  it('keeps numbers whole, without thousands separators', () => {
    expect(extractTerms('1,000,000 2.5 2024, 7')).toEqual(['1000000', '2.5', '2024', '7']);
  });

  it('takes character bigrams where a script has no spaces', () => {
    expect(extractTerms('東京都')).toEqual(['東京', '京都']);
    expect(extractTerms('ｶﾀｶﾅ')).toEqual(['カタ', 'タカ', 'カナ']);
    expect(extractTerms('茶')).toEqual(['茶']);
    expect(extractTerms('第3回meeting')).toEqual(['第', '3', '回', 'meet']);
    expect(extractTerms('ไทย')).toHaveLength(2);
  });

  it('gives offsets into the text as it came', () => {
    const text = 'A ﬁne 𝒞 day — 1,000 Straßen';
    const seen: string[] = [];
    visitTerms(text, 'en', (_term, start, end) => seen.push(text.slice(start, end)));
    expect(seen).toEqual(['ﬁne', '𝒞', 'day', '1,000', 'Straßen']);
  });

  it('takes time in proportion to the text, whatever stands in it', () => {
    const tokens = ['y', 'ing', 'a-', '1,', "x'", 'e\u0301', 'a_b', '東京都'].map((part) => part.repeat(100_000));
    const startedAt = performance.now();
    for (const token of tokens) extractTerms(token);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('takes what is no text at all', () => {
    expect(extractTerms('')).toEqual([]);
    expect(extractTerms(' \u0000 \ud800 … !!! ')).toEqual([]);
    expect(extractTerms('a'.repeat(100_000))).toHaveLength(1);
  });
});
