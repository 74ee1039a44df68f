import { describe, expect, it } from '@jest/globals';
import { analyzeQuery, LANGUAGES } from '@lectern/text';
import { hashTerm } from '#hash-term';
import { storedWeight } from '#sparse/bm25';
import { createSparseEncoder } from '#sparse/sparse-encoder';
import { analyzePassage } from '#words/analyze-passage';
import type { SparseVector } from '#words/sparse-vector';

const encoder = createSparseEncoder();
const encodeQuery = (text: string) => encoder.encodeQuery(analyzeQuery(text));
const weightOf = ({ indices, values }: SparseVector, term: string, seed = 0) =>
  values[indices.indexOf(hashTerm(term, seed))];

const dot = (a: SparseVector, b: SparseVector) =>
  a.indices.reduce((sum, index, at) => sum + a.values[at]! * (b.values[b.indices.indexOf(index)] ?? 0), 0);

describe('the sparse encoder', () => {
  it('weights terms by BM25 with k1 1.5, b 0.75 and an average of 150 words, without the IDF factor', () => {
    const vector = encoder.encodeDocument(analyzePassage({ text: 'salary salary holiday' }));
    const norm = 1.5 * (1 - 0.75 + (0.75 * 3) / 150);
    expect(weightOf(vector, 'salari')).toBe(storedWeight((2 * 2.5) / (2 + norm)));
    expect(weightOf(vector, 'holiday')).toBe(storedWeight(2.5 / (1 + norm)));
  });

  it('counts the title twice and includes the heading', () => {
    const titled = encoder.encodeDocument(analyzePassage({ title: 'Severance', heading: 'Benefits', text: 'pay' }));
    const plain = encoder.encodeDocument(analyzePassage({ text: 'severance severance benefits pay' }));
    expect(titled).toEqual(plain);
  });

  it('uses the frequency of a term in the query', () => {
    const vector = encodeQuery('parental leave and sick leave');
    expect(weightOf(vector, 'leav')).toBe(2);
    expect(weightOf(vector, 'parent')).toBe(1);
  });

  it('finds a misspelled word by its 4-grams, far behind the word itself', () => {
    const document = encoder.encodeDocument(analyzePassage({ text: 'holiday allowance' }));
    const misspelled = dot(encodeQuery('holliday'), document);
    expect(misspelled).toBeGreaterThan(0);
    expect(misspelled).toBeLessThan(dot(encodeQuery('holiday'), document) / 2);
    expect(weightOf(encodeQuery('pay'), '_pay', 1)).toBe(LANGUAGES.en.gramWeight);
  });

  it('returns unique unsigned 32-bit indices in ascending order', () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `term${at}`).join(' ');
    const { indices, values } = encoder.encodeDocument(analyzePassage({ text }));
    expect(new Set(indices).size).toBe(indices.length);
    expect([...indices].sort((a, b) => a - b)).toEqual(indices);
    expect(indices.every((index) => Number.isInteger(index) && index >= 0 && index <= 0xffffffff)).toBe(true);
    expect(values).toHaveLength(indices.length);
    expect(values.every((value) => value > 0)).toBe(true);
  });

  it('finds a query of stopwords only in titles and headings of stopwords', () => {
    const query = encodeQuery('who are we');
    expect(query.indices).toHaveLength(3);
    expect(
      dot(query, encoder.encodeDocument(analyzePassage({ title: 'Who we are', text: 'Our firm has ten offices.' }))),
    ).toBeGreaterThan(0);
    expect(
      dot(
        query,
        encoder.encodeDocument(analyzePassage({ text: 'We are the whole firm, and who needs help gets it.' })),
      ),
    ).toBe(0);
  });

  it.each([
    ['holliday allowance', 'The holiday allowance is paid in June.'],
    ['laese', 'The lease of the office ends in May.'],
    ['retirment plan', 'Retirement: the firm pays into your pension.'],
    ['notbook', 'Each notebook is replaced after three years.'],
    ['Kündigunsfrist', 'Die Kündigungsfrist beträgt drei Monate zum Ende des Quartals.'],
    ['Kuendigungsfrist', 'Die Kündigungsfrist beträgt drei Monate zum Ende des Quartals.'],
    ['remboursment', 'Le remboursement des frais se fait à la fin du mois.'],
    ['vacacoines', 'Las vacaciones se piden con un mes de antelación.'],
    ['отуск', 'Ежегодный отпуск составляет двадцать восемь дней.'],
  ])('finds the passage for "%s", one letter off', (query, text) => {
    const others = [
      'Passwords have at least twelve letters.',
      'Das Büro öffnet um acht Uhr.',
      'Le bureau est fermé le lundi.',
    ];
    const vector = encodeQuery(query);
    const [right = 0, ...wrong] = [text, ...others].map((other) =>
      dot(vector, encoder.encodeDocument(analyzePassage({ text: other }))),
    );
    expect(right).toBeGreaterThan(2 * Math.max(...wrong));
  });

  it.each([
    ['Urlaub', 'Den Antrag auf Urlaubstage stellen Sie bei der Leitung des Teams.'],
    ['Kündigungsfristen', 'Die Kündigungsfrist beträgt drei Monate zum Ende des Quartals.'],
    ['employés', "L'employé est tenu de le dire à la direction."],
    ['有給休暇', '年次有給休暇は入社六か月後に付与されます。'],
    ['茶', '会議室には紅茶があります。'],
    ['ลาพักร้อน', 'พนักงานมีสิทธิลาพักร้อนสิบวันต่อปี'],
    ['ชา', 'พนักงานดื่มชาเขียว'],
    ['휴가', '직원은 연차휴가를 사용할 수 있습니다.'],
    ['άδεια', 'Η ετήσια άδεια είναι είκοσι ημέρες.'],
    ['छुट्टी', 'कर्मचारी को साल में बीस दिन की छुट्टी मिलती है।'],
  ])('finds "%s" in a passage of its language, even if the word alone does not show the language', (query, text) => {
    expect(dot(encodeQuery(query), encoder.encodeDocument(analyzePassage({ text })))).toBeGreaterThan(0.2);
  });
});
