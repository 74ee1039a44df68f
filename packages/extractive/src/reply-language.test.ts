import { describe, expect, it } from '@jest/globals';
import { phrasesIn, type QueryShape, type ReplyLanguage, type SourceDocument } from '@lectern/grounding';
import fc from 'fast-check';
import { composeReply } from '#compose-reply';

/** A question about a subject in each language. */
const QUESTIONS = {
  en: (subject: string) => `What do the documents state about the ${subject}?`,
  de: (subject: string) => `Was steht in den Dokumenten über ${subject}?`,
  fr: (subject: string) => `Que disent les documents sur le ${subject} ?`,
  es: (subject: string) => `¿Qué dicen los documentos sobre el ${subject}?`,
  it: (subject: string) => `Che cosa dicono i documenti sul ${subject}?`,
  pt: (subject: string) => `O que dizem os documentos sobre o ${subject} e não sobre outros?`,
  nl: (subject: string) => `Wat staat er in de documenten over het ${subject}?`,
  sv: (subject: string) => `Vad står det i dokumenten om ${subject} och vad gäller för mig?`,
  da: (subject: string) => `Hvad står der i dokumenterne om ${subject}, og hvad gælder for mig?`,
  no: (subject: string) => `Hva står det i dokumentene om ${subject}, og hva gjelder for meg?`,
  fi: (subject: string) => `Mitä asiakirjoissa sanotaan siitä, mikä ${subject} on?`,
  hu: (subject: string) => `Mit írnak a dokumentumok arról, hogy mi az a ${subject}?`,
  ro: (subject: string) => `Ce spun documentele despre ${subject} și ce este în ele?`,
  tr: (subject: string) => `Belgelerde ${subject} için ne yazıyor ve bu nasıl?`,
  pl: (subject: string) => `Co jest w dokumentach na temat tego, czym jest ${subject}?`,
  cs: (subject: string) => `Co je v dokumentech o tom, jak se používá ${subject}?`,
  ca: (subject: string) => `Què diuen els documents sobre el ${subject} i amb què?`,
  vi: (subject: string) => `Các tài liệu nói gì về ${subject} và như thế nào?`,
  ru: (subject: string) => `Что в документах написано про ${subject}?`,
  el: (subject: string) => `Τι λένε τα έγγραφα για το ${subject};`,
  ar: (subject: string) => `ماذا تقول المستندات عن ${subject}؟`,
  hi: (subject: string) => `दस्तावेज़ों में ${subject} के बारे में क्या लिखा है?`,
  zh: (subject: string) => `文档里关于${subject}是怎么说的？`,
  ja: (subject: string) => `文書には${subject}について何と書いてありますか？`,
  ko: (subject: string) => `문서에는 ${subject}에 관해 무엇이 적혀 있습니까?`,
  th: (subject: string) => `เอกสารกล่าวถึง ${subject} ว่าอย่างไร`,
} as const satisfies Readonly<Record<ReplyLanguage, (subject: string) => string>>;

const SHAPES = ['lookup', 'how_to', 'list', 'analysis', 'summary', 'comparison'] as const satisfies QueryShape[];
const SUBJECTS = ['Xylotherm', 'Qoridan', 'Velmora'] as const;

const isLanguage = (code: string): code is ReplyLanguage => Object.hasOwn(QUESTIONS, code);

const document = fc
  .record({
    about: fc.constantFrom(...SUBJECTS),
    title: fc.constantFrom('Ordnung', 'Guide 7', 'Règlement', '手册'),
    text: fc.constantFrom(
      (about: string) => `The ${about} is checked every Friday by the office team. It was bought in 2019.`,
      (about: string) => `Das ${about} wird jeden Freitag geprüft und gehört zum zweiten Stock des Hauses.`,
      (about: string) => `Le ${about} est vérifié chaque vendredi par les équipes qui sont dans le bâtiment.`,
      (about: string) => `${about}每周五由办公室团队检查。它是2019年购买的。`,
    ),
  })
  .map(({ about, title, text }): SourceDocument => {
    const content = text(about);
    return { id: `${title} ${content}`, title, passages: [{ text: content, start: 0, end: content.length }] };
  });

const state = fc.option(
  fc.record({ searchable: fc.boolean(), pending: fc.nat(3), languages: fc.constant(['de', 'en'] as const) }),
  { nil: undefined },
);

describe('the fixed part of a reply', () => {
  it.each(Object.keys(QUESTIONS).filter(isLanguage))('is in the language of a question in %s', async (language) => {
    const phrases = phrasesIn(language);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(document, { selector: ({ id }) => id, maxLength: 4 }),
        fc.constantFrom(...SHAPES),
        fc.constantFrom(...SUBJECTS),
        state,
        async (sources, shape, subject, indexing) => {
          const pieces = await composeReply(QUESTIONS[language](subject), sources, shape, async () => indexing);
          const reply = pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');
          const quotes = pieces.flatMap((piece) => (piece.type === 'citation' ? [piece.citation] : []));
          for (const { quote, sourceId } of quotes) {
            expect(sources.find(({ id }) => id === sourceId)?.passages[0]?.text).toContain(quote);
          }
          // What remains without the quotes, from the last to the first, consists of known sentences.
          const fixed = quotes
            .toSorted((a, b) => b.textStart - a.textStart)
            .reduce((text, { textStart, textEnd }) => text.slice(0, textStart) + text.slice(textEnd), reply);
          const titles = [...new Set(sources.map(({ title }) => title))];
          const known = [
            ...subsets(titles).map(phrases.rephrase),
            ...[1, 2, 3].map(phrases.indexing),
            ...titles.flatMap((title) => [phrases.accordingTo(title), phrases.mayAnswer(title)]),
            ...titles.flatMap((title) => [phrases.alsoIn(title), `**${title}**`]),
            ...[phrases.notFound, phrases.notYet, phrases.noDocuments, phrases.askAgainLater],
            ...[phrases.closest, phrases.overview, phrases.contradiction],
            ...SUBJECTS.map((one) => phrases.missing([one])),
          ];
          const rest = known
            .toSorted((a, b) => b.length - a.length)
            .reduce((text, sentence) => text.replaceAll(sentence, ''), fixed);
          expect([language, rest.replaceAll(/\[\d+\]|[-\s]/g, '')]).toEqual([language, '']);
        },
      ),
      { numRuns: 15 },
    );
  });
});

/** Returns all lists of up to three of these, in any order. */
function subsets(items: readonly string[], size = 3): string[][] {
  if (size === 0) return [[]];
  return [
    [],
    ...items.flatMap((item) =>
      subsets(
        items.filter((other) => other !== item),
        size - 1,
      ).map((rest) => [item, ...rest]),
    ),
  ];
}
