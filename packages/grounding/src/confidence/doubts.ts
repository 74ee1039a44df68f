import { extractTerms, hasUnspacedScript, type Language } from '@lectern/text';
import { wantsQuantity } from '#evidence/answer-type';
import type { Question } from '#evidence/question';
import type { ScoredCandidate } from '#evidence/score-candidates';
import type { QueryShape } from '#shape/query-shape';

/** A match below this is not in the unit, its passage, its headings or the title. */
const MENTIONED = 0.3;

/** Words of a negation and the three words after it, by language. */
const NEGATED: Partial<Record<Language, RegExp>> = {
  en: /(?:\b(?:not|never|no longer|cannot|nor)|n['’]t)((?:\s+[\p{L}'’-]+){1,3})/giu,
  de: /\b(?:nicht|nie|niemals|nicht mehr)((?:\s+[\p{L}'’-]+){1,3})/giu,
};
const NEGATION: Partial<Record<Language, RegExp>> = {
  en: /\b(?:not|never|no|none|cannot|without|nor)\b|n['’]t\b/iu,
  de: /\b(?:nicht|nie|niemals|kein\p{L}*|ohne)(?!\p{L})/iu,
};
/** Capitalized words in a row, after the first word of the question. */
const GERMAN_NAME = /(?<=\s)\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)+/gu;

/** Questions for a detail. A negated sentence can answer any other question, for example "May I …?". */
const ASKS_FOR_DETAIL: Partial<Record<Language, RegExp>> = {
  en: /\b(?:who|whom|whose|what|when|where|which|why|how)\b/iu,
  de: /\b(?:wer|wen|wem|wessen|was|wann|wo|wohin|woher|welche[rsnm]?|warum|wieso|wie)\b/iu,
};

/**
 * Returns whether the passage, headings and title of a unit lack a number or a name of the question.
 * German capitalizes every noun, so only several capitalized words in a row are a name there.
 */
export function lacksDetail({ text, language, terms }: Question, { match }: ScoredCandidate): boolean {
  const isMissing = (term: string) => (match[terms.findIndex((one) => one.term === term)] ?? 1) < MENTIONED;
  // In German, only numbers are specific.
  if (terms.some(({ term, specific }) => specific && isMissing(term))) return true;
  if (language !== 'de') return false;
  return (text.match(GERMAN_NAME) ?? []).some((name) => extractTerms(name, language).some(isMissing));
}

/**
 * In a longer question, the other words decide: an answer in other words often lacks one of many.
 */
const MAX_CONTENT = 3;
/** Words about the form of an answer. They are terms, because some are also names or nouns. */
const FORM: Partial<Record<Language, string>> = {
  en: 'may might shall',
  de: 'wofür woraus womit wodurch worauf worin wovon wozu woran',
};

/**
 * Returns how much of a short question is not mentioned in the passage, headings and title of a
 * unit: the share of its words, except words that all documents use. 0 for claims, for questions
 * with more than three such words, and in scripts without spaces.
 */
function missingShare(question: Question, { match }: ScoredCandidate): number {
  const { text, language, terms, isClaim, subjectless } = question;
  if (isClaim || subjectless || hasUnspacedScript(text)) return 0;
  const form = extractTerms(FORM[language] ?? '', language);
  const content = terms.flatMap(({ term, specific, generic }, at) =>
    generic || (!specific && form.includes(term)) ? [] : [{ specific, strength: match[at] ?? 0 }],
  );
  if (content.length === 0 || content.length > MAX_CONTENT) return 0;
  // `lacksDetail` and the constraints check names and numbers.
  return content.filter(({ specific, strength }) => !specific && strength < MENTIONED).length / content.length;
}

/** A unit that lacks this share of a short question possibly answers another one. */
const DOUBTFUL_SHARE = 0.3;
/** A unit that lacks this share is only a possible answer. */
const CAUTIOUS_SHARE = 0.5;

/** Shapes whose answer consists of several passages, each about a part of the question. */
const COMBINED: ReadonlySet<QueryShape> = new Set<QueryShape>(['comparison', 'summary']);

/** Returns whether a unit lacks so much of a short question that it must not be a certain answer. */
export function lacksContent(question: Question, entry: ScoredCandidate, shape: QueryShape): boolean {
  return !COMBINED.has(shape) && missingShare(question, entry) >= DOUBTFUL_SHARE;
}

/** Returns whether a unit lacks so much of a short question that it is only a possible answer. */
export function lacksSubject(question: Question, entry: ScoredCandidate, shape: QueryShape): boolean {
  return !COMBINED.has(shape) && missingShare(question, entry) >= CAUTIOUS_SHARE;
}

/** A unit without a number, or with a unit of time but no number, has less. */
const MIN_QUANTITY = 0.25;
const MIN_DURATION = 0.5;

/** Returns whether a question asks for a quantity that a unit does not contain: "within the first year" for "How long?". */
export function lacksQuantity({ expected }: Question, { evidence }: ScoredCandidate): boolean {
  return wantsQuantity(expected) && evidence < (expected.type === 'duration' ? MIN_DURATION : MIN_QUANTITY);
}

/**
 * Returns whether a unit negates what the question takes for granted: "was not opened in 2015" for
 * "When was it opened?".
 */
export function negates({ text, language, terms }: Question, { candidate }: ScoredCandidate): boolean {
  const negated = NEGATED[language];
  if (negated === undefined || NEGATION[language]?.test(text) || !ASKS_FOR_DETAIL[language]?.test(text)) return false;
  const asked = new Set(terms.map(({ term }) => term));
  const following = [...candidate.unit.text.matchAll(negated)].map(([, words = '']) => words);
  return following.some((words) => extractTerms(words, language).some((term) => asked.has(term)));
}
