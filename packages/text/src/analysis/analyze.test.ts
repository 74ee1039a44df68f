import { describe, expect, it } from '@jest/globals';
import { extractTerms, visitTerms } from '#analysis/analyze';
import type { Language } from '#analysis/languages';

const termsOf = (text: string, language: Language = 'en') => extractTerms(text, language);

describe('analysis', () => {
  it('stems words and removes stopwords', () => {
    expect(termsOf('How are the policies for running companies?')).toEqual(['polici', 'run', 'compani']);
  });

  it('unifies upper case, full width, ligatures and composed letters', () => {
    expect(termsOf('OFFICE oﬃce ｏｆｆｉｃｅ')).toEqual(['offic', 'offic', 'offic']);
    expect(termsOf('STRASSE straße')).toEqual(['strass', 'strass']);
    expect(termsOf('Σίσυφος ΣΊΣΥΦΟΣ')[0]).toBe(termsOf('ΣΊΣΥΦΟΣ')[0]);
  });

  it('finds Latin words with and without their accents', () => {
    expect(termsOf('café cafe\u0301 cafés')).toEqual(['cafe', 'cafe', 'cafe']);
  });

  it('removes apostrophes and the possessive s', () => {
    expect(termsOf("the firm's dog, the firm’s cat, O'Reilly, don't")).toEqual([
      'firm',
      'dog',
      'firm',
      'cat',
      'oreilli',
    ]);
  });

  it('returns joined forms as parts and as a whole', () => {
    expect(termsOf('e-mail')).toEqual(['e', 'mail', 'email']);
    expect(termsOf('ERR-1042')).toEqual(['err', '1042', 'err1042']);
    expect(termsOf('jane.doe@acme.example')).toEqual(['jane', 'doe', 'acm', 'exampl', 'janedoeacmeexample']);
    expect(termsOf('max_old_space')).toEqual(['max', 'old', 'space', 'maxoldspace']);
  });

  it('keeps numbers whole, without thousands separators', () => {
    expect(termsOf('1,000,000 2.5 2024, 7')).toEqual(['1000000', '2.5', '2024', '7']);
  });

  it('returns character bigrams for scripts without spaces', () => {
    expect(termsOf('東京都')).toEqual(['東京', '京都']);
    expect(termsOf('ｶﾀｶﾅ')).toEqual(['カタ', 'タカ', 'カナ']);
    expect(termsOf('茶')).toEqual(['茶']);
    expect(termsOf('第3回meeting')).toEqual(['第', '3', '回', 'meet']);
  });

  it('returns runs of four letters for alphabets without spaces', () => {
    expect(termsOf('ลาพักร้อน')).toEqual(['ลาพั', 'าพัก', 'พักร', 'ักร้', 'กร้อ', 'ร้อน']);
    expect(termsOf('ชา')).toEqual(['ชา']);
  });

  it.each<[Language, string, string]>([
    ['de', 'Die Kündigungsfristen der Verträge', 'Eine Kündigungsfrist im Vertrag'],
    ['fr', "L'employé prend les congés qu'il a demandés", 'employés, congé, demande, prendre'],
    ['es', 'Las vacaciones de los empleados', 'la vacación del empleado'],
    ['it', "Nell'azienda i contratti sono annuali", 'le aziende, il contratto annuale'],
    ['pt', 'As políticas das empresas', 'a política da empresa'],
    ['nl', 'De opzegtermijnen van contracten', 'een opzegtermijn in het contract'],
    ['sv', 'Semesterdagarna för anställda', 'semesterdag som anställd'],
    ['da', 'Ansættelserne og ferierne', 'en ansættelse, min ferie'],
    ['no', 'Stillingene og lønningene', 'en stilling med lønning'],
    ['fi', 'Sopimuksen mukainen palkka', 'sopimuksessa palkkaa'],
    ['hu', 'A szerződések és a szabadságok', 'szerződés, szabadság'],
    ['ro', 'Contractele și concediile', 'un contract, concediul'],
    ['tr', "Ankara'daki sözleşmeler ve izinler", 'sözleşme izin ANKARA'],
    ['cs', 'Smlouvy a dovolené', 'smlouva o dovolené'],
    ['ru', 'Договоры об отпусках и ещё сроки', 'договор, отпуск, срок'],
    ['ar', 'الموظفون في الإجازة', 'موظفون، إجازة'],
  ])('unifies the forms of a word in %s', (language, one, other) => {
    const first = new Set(termsOf(one, language));
    const shared = new Set(termsOf(other, language).filter((term) => first.has(term)));
    expect(shared.size).toBeGreaterThanOrEqual(Math.min(2, first.size));
  });

  it('removes only the function words of the language', () => {
    expect(termsOf('Wer war der Erste?', 'de')).toEqual(['erst']);
    expect(termsOf('the war', 'en')).toEqual(['war']);
  });

  it('follows the script if it is more specific than the language of the text', () => {
    expect(termsOf('отпусков', 'en')).toEqual(termsOf('отпуск', 'ru'));
    expect(termsOf('meetings', 'ru')).toEqual(['meet']);
    expect(termsOf('ΆΔΕΙΑ ΑΔΕΙΑ άδεια', 'en')).toEqual(['αδεια', 'αδεια', 'αδεια']);
  });

  it('keeps the accents of Vietnamese, which distinguish words', () => {
    expect(new Set(termsOf('ma má mã mả', 'vi')).size).toBe(4);
  });

  it('reads the Turkish I, with a dot and without', () => {
    expect(termsOf('İZİN ISPARTA', 'tr')).toEqual(termsOf('izin ısparta', 'tr'));
    expect(termsOf('IŞIK', 'tr')).toEqual(['isik']);
  });

  it('returns offsets into the original text', () => {
    const text = 'A ﬁne 𝒞 day — 1,000 Straßen';
    const seen: string[] = [];
    visitTerms(text, 'en', (_term, start, end) => seen.push(text.slice(start, end)));
    expect(seen).toEqual(['ﬁne', '𝒞', 'day', '1,000', 'Straßen']);
  });

  it('needs time proportional to any text', () => {
    // CPU time, as a ratio, so that other work on the machine does not matter. Quadratic time would
    // give 16 for four times the text.
    const costOf = (times: number): number => {
      const tokens = ['y', 'ing', 'a-', '1,', "x'", 'e\u0301', 'a_b', '東京都'].map((part) => part.repeat(times));
      const usageAtStart = process.cpuUsage();
      for (const token of tokens) termsOf(token);
      const { user, system } = process.cpuUsage(usageAtStart);
      return user + system;
    };
    costOf(10_000);
    expect(costOf(80_000) / costOf(20_000)).toBeLessThan(12);
  });

  it('accepts input that is not text', () => {
    expect(termsOf('')).toEqual([]);
    expect(termsOf(' \u0000 \ud800 … !!! ')).toEqual([]);
    expect(termsOf('a'.repeat(100_000))).toHaveLength(1);
  });
});
