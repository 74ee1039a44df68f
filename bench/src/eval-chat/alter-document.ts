import { detectLanguage, extractTerms, type Language, sliceSpan, splitSentences } from '@lectern/text';
import type { CorpusDocument } from '#corpus/corpus';

export type AlterationKind = 'date' | 'number' | 'entity' | 'negation';

/** A document that no longer answers a question. */
export interface Alteration {
  readonly kind: AlterationKind;
  readonly before: string;
  readonly after: string;
  readonly document: CorpusDocument;
}

const YEAR = /(?<![\p{L}\p{N}.,])(?:1\d|20)\d\d(?![\p{L}\p{N}])/gu;
const NUMBER = /(?<![\p{L}\p{N}.,])\d+(?:[.,]\d+)*(?![\p{L}\p{N}])/gu;
/** One or more words that start with a capital letter. */
const NAME = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*(?![\p{L}\p{N}])/gu;
const MIN_NAME = 4;
/**
 * A verb and the word whose negation negates the statement, by language, and how to negate it. In
 * German the participle ends the clause.
 */
const NEGATIONS: Partial<Record<Language, { readonly statement: RegExp; readonly word: string }>> = {
  en: {
    statement:
      /(?<=\b(?:is|are|was|were|has|have|had|can|could|will|would|should|must) )(?:\p{L}+ly )?(?<predicate>\p{Ll}{3,})/gu,
    word: 'not',
  },
  de: {
    statement:
      /(?<=\b(?:ist|sind|war|waren|hat|haben|hatte|kann|wird|wurde|wurden|muss)\b[^.,;:()]{0,80} )(?<predicate>\p{Ll}*ge\p{Ll}+(?:t|en))(?!\p{L})/gu,
    word: 'nicht',
  },
};
/** How far a year moves. */
const YEARS = 17;

/**
 * Alters a document so that it no longer answers a question: replaces everywhere a year, a number or
 * a name that both contain, or negates what the question asks. Returns one alteration of each
 * kind that is possible. `others` are documents whose names are used as replacements.
 */
export function alterDocument(
  question: string,
  answers: readonly string[] | undefined,
  document: CorpusDocument,
  others: readonly CorpusDocument[],
): readonly Alteration[] {
  const changes = [
    ['date', shared(question, document, YEAR).map((year) => [year, String(Number(year) - YEARS)] as const)],
    [
      'number',
      shared(question, document, NUMBER)
        .filter(isNotYear)
        .map((number) => [number, otherNumber(number)] as const),
    ],
    ['entity', otherNames(question, document, others)],
  ] as const;
  const replaced = changes.flatMap(([kind, [change]]) => {
    if (change === undefined) return [];
    const [before, after] = change;
    const { id, title, text } = document;
    return [
      {
        kind,
        before,
        after,
        document: { id, title: replace(title, before, after), text: replace(text, before, after) },
      },
    ];
  });
  const negated = negate(question, document, answers);
  return negated === undefined ? replaced : [...replaced, negated];
}

/** Returns what matches in the question and is also in the text, without what an answer must keep. */
function shared(question: string, { text }: CorpusDocument, pattern: RegExp): string[] {
  const inText = new Set(text.match(pattern) ?? []);
  return (question.match(pattern) ?? []).filter((match) => inText.has(match));
}

const isNotYear = (text: string): boolean => text.match(YEAR)?.[0] !== text;

/** Changes every digit, so that the number keeps its form and no digit of it remains. */
function otherNumber(number: string): string {
  return number.replace(/\d/g, (digit) => String((Number(digit) % 9) + 1));
}

/** Replaces the first name of the question that the text contains by a name of another document. */
function otherNames(
  question: string,
  document: CorpusDocument,
  others: readonly CorpusDocument[],
): readonly (readonly [string, string])[] {
  // German capitalizes every noun, so only several words in a row are a name.
  const minWords = detectLanguage(question) === 'de' ? 2 : 1;
  const all = [document, ...others].map(({ title, text }) => `${title}\n${text}`);
  const isName = (name: string) =>
    name.length >= MIN_NAME &&
    name.split(' ').length >= minWords &&
    !all.some((text) => text.includes(name.toLowerCase()));
  // The first word of a question is in capitals without being a name.
  const first = shared(question.replace(/^\W*\p{L}+/u, ''), document, NAME).find(
    (name) => isName(name) && !mentionsWords(replace(all[0] ?? '', name, ''), name),
  );
  if (first === undefined) return [];
  const words = first.split(' ').length;
  const known = `${question} ${all[0]}`;
  for (const { text } of others) {
    const found = text.replaceAll(/(?:^|[.!?]\s+)\p{L}+/gu, ' ').match(NAME) ?? [];
    const name = found.find((one) => one.split(' ').length === words && !known.includes(one) && isName(one));
    if (name !== undefined) return [[first, name]];
  }
  return [];
}

/** Returns whether a text still contains every word of a name, and so can be about it. */
function mentionsWords(text: string, name: string): boolean {
  const lower = text.toLowerCase();
  return name
    .toLowerCase()
    .split(' ')
    .every((word) => lower.includes(word));
}

/**
 * Negates what the question asks in the sentence with the answer. Returns undefined if the answer is
 * unknown, or if no verb of the question can be negated.
 */
function negate(question: string, document: CorpusDocument, answers: readonly string[] = []): Alteration | undefined {
  const { text } = document;
  const language = detectLanguage(text);
  const negation = NEGATIONS[language];
  if (negation === undefined) return undefined;
  const asked = new Set(extractTerms(question, language));
  const isAsked = (word: string) => extractTerms(word, language).some((term) => asked.has(term));
  for (const span of splitSentences(text)) {
    const sentence = sliceSpan(text, span);
    if (!answers.some((answer) => sentence.includes(answer))) continue;
    const found = [...sentence.matchAll(negation.statement)].find(({ groups }) => isAsked(groups?.predicate ?? ''));
    if (found === undefined) continue;
    const [before] = found;
    const after = `${negation.word} ${before}`;
    const at = span.start + found.index;
    const negated = text.slice(0, at) + after + text.slice(at + before.length);
    return { kind: 'negation', before, after, document: { ...document, text: negated } };
  }
  return undefined;
}

/** Replaces whole words. */
function replace(text: string, before: string, after: string): string {
  const word = before.replaceAll('.', String.raw`\.`);
  const pattern = String.raw`(?<![\p{L}\p{N}]|\p{N}[.,])${word}(?![\p{L}\p{N}]|[.,]\p{N})`;
  return text.replaceAll(new RegExp(pattern, 'gu'), after);
}
