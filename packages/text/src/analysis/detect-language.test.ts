import { describe, expect, it } from '@jest/globals';
import { timeLimit } from '@lectern/testing';
import { detectLanguage, likelyLanguages } from '#analysis/detect-language';
import { LATIN_LANGUAGES } from '#analysis/languages';

describe('detectLanguage', () => {
  it.each([
    ['en', 'How many days of leave do I get?'],
    ['en', 'What is the notice period?'],
    ['de', 'Wie viele Urlaubstage habe ich?'],
    ['de', 'Kündigungsfrist in der Probezeit'],
    ['fr', 'Combien de jours de congé ai-je par an ?'],
    ['fr', 'Quelle est la durée du préavis ?'],
    ['es', '¿Cuántos días de vacaciones tengo?'],
    ['es', 'Cómo se pide un ordenador nuevo'],
    ['it', 'Quanti giorni di ferie ho?'],
    ['it', "Qual è il periodo di preavviso nell'azienda?"],
    ['pt', 'Quantos dias de férias tenho?'],
    ['pt', 'Qual é o prazo para o reembolso das despesas?'],
    ['nl', 'Hoeveel vakantiedagen heb ik?'],
    ['sv', 'Hur många semesterdagar har jag?'],
    ['da', 'Hvor mange feriedage har jeg?'],
    ['no', 'Hva er oppsigelsestiden i prøvetiden?'],
    ['fi', 'Kuinka monta lomapäivää minulla on?'],
    ['hu', 'Hány nap szabadságom van?'],
    ['ro', 'Câte zile de concediu am?'],
    ['tr', 'Kaç gün iznim var?'],
    ['pl', 'Ile dni urlopu mam w roku?'],
    ['cs', 'Kolik dní dovolené mám?'],
    ['ca', 'Quants dies de vacances hi ha amb aquest contracte?'],
    ['vi', 'Tôi có bao nhiêu ngày nghỉ phép?'],
    ['ru', 'Сколько дней отпуска у меня есть?'],
    ['el', 'Πόσες ημέρες άδειας έχω;'],
    ['ar', 'كم عدد أيام الإجازة؟'],
    ['hi', 'मुझे कितनी छुट्टियाँ मिलती हैं?'],
    ['zh', '我有多少天年假？'],
    ['ja', '有給休暇は何日ありますか？'],
    ['ko', '연차휴가는 며칠입니까?'],
    ['th', 'ฉันมีวันลาพักร้อนกี่วัน'],
    ['und', 'כמה ימי חופשה יש לי?'],
  ])('detects %s in "%s"', (language, question) => {
    expect(detectLanguage(question)).toBe(language);
  });

  it('returns English without evidence', () => {
    for (const text of ['', '1042', 'ERR-1042', 'Kubernetes', 'Protokoll 2024', '… !!!']) {
      expect(detectLanguage(text)).toBe('en');
      expect(likelyLanguages(text)).toHaveLength(LATIN_LANGUAGES.length);
    }
  });

  it('follows most of the text, not a foreign term in it', () => {
    expect(detectLanguage('What does Kündigungsfrist mean?')).toBe('en');
    expect(detectLanguage('Was ist der Unterschied zwischen Pull Request und Merge Request?')).toBe('de');
    expect(detectLanguage('iPhone 15 的保修期是多久？')).toBe('zh');
    expect(detectLanguage('The word 茶 means tea in Japanese and Chinese.')).toBe('en');
  });

  it('ignores addresses, codes and repeated names', () => {
    for (const text of [
      '[billing.example.com](https://billing.example.com)',
      '* Junior (L1)\n* Senior (L3)\n* Lead (L4)',
    ]) {
      expect(detectLanguage(text)).toBe('en');
    }
    expect(detectLanguage('Teams of the city: Los Angeles Lakers, Los Angeles Clippers, Los Angeles Rams.')).toBe('en');
    expect(detectLanguage('N-terminal cleavage')).toBe('en');
  });

  it('rules out other languages only by more than one piece of evidence', () => {
    expect(likelyLanguages('Vitamin E')).toContain('de');
    expect(likelyLanguages('Wie viele Tage habe ich in der Probezeit?')).toEqual(['de']);
  });

  it('returns all languages that are hard to distinguish', () => {
    expect(likelyLanguages('Hvor er kantinen?')).toEqual(expect.arrayContaining(['da', 'no']));
  });

  it('needs the same time for longer texts', () => {
    const texts = ['ä', 'a ', 'der die das ', "l'", '東京', 'e\u0301'].map((part) => part.repeat(500_000));
    const startedAt = performance.now();
    for (const text of texts) detectLanguage(text);
    expect(performance.now() - startedAt).toBeLessThan(timeLimit(500));
  });
});
