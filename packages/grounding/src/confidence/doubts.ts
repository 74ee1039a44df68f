import { extractTerms, type Language } from '@lectern/text';
import type { Question } from '#evidence/question';
import type { ScoredCandidate } from '#evidence/score-candidates';

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
 * Returns whether the passage, headings and title of a unit lack a name of the question. German
 * capitalizes every noun, so only several capitalized words in a row are a name there.
 */
export function lacksName({ text, language, terms }: Question, { match }: ScoredCandidate): boolean {
  const isMissing = (term: string) => (match[terms.findIndex((one) => one.term === term)] ?? 1) < MENTIONED;
  if (language !== 'de') return terms.some(({ term, specific }) => specific && !/\p{N}/u.test(term) && isMissing(term));
  return (text.match(GERMAN_NAME) ?? []).some((name) => extractTerms(name, language).some(isMissing));
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
