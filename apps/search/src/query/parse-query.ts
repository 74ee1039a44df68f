import { type AnalyzedQuery, analyzeQuery, functionWordCount, type Language } from '@lectern/text';

/** A query with its operators. */
export interface QueryOperators {
  /** The query without exclusions and without the quotes of phrases. Can be empty. */
  readonly text: string;
  /** Phrases that a document must contain word for word. */
  readonly phrases: readonly string[];
  /** Words and phrases that a document must not contain. */
  readonly excluded: readonly string[];
  /** Quoted words of a sentence. Documents that contain them word for word come first. */
  readonly boosted: readonly string[];
}

/** A query, analyzed for the texts to search. */
export interface ParsedQuery extends QueryOperators {
  /** The analysis of `text`. */
  readonly analyzed: AnalyzedQuery;
  /** The languages of the texts, if they are known. */
  readonly languages?: readonly Language[] | undefined;
}

/** The maximum number of phrases and exclusions of a query; each phrase needs a lookup. */
export const MAX_OPERATORS = 10;

const OPEN = '"“„«「';
const CLOSE = '"”“»」';
const QUOTES = '"“”„«»「」';

/**
 * `-"…"` or `-word` at the start of a word, or `"…"`. A minus within a word or before anything
 * except a letter or digit is plain text. Typographic quotes count; an unpaired quote is plain
 * text.
 */
const OPERATOR = new RegExp(
  String.raw`(?<![^\s(])-(?:[${OPEN}]([^${QUOTES}]*)[${CLOSE}]|([\p{L}\p{N}][^\s${QUOTES}]*))|[${OPEN}]([^${QUOTES}]*)[${CLOSE}]`,
  'gu',
);

/** A query of more words is a sentence, even without function words. */
const MAX_WORDS = 8;
/** One function word also occurs between keywords: `leave for parents -draft`. */
const MAX_FUNCTION_WORDS = 1;
/** In a longer text, quotes mark titles and terms; it does not ask for those words. */
const MAX_WORDS_WITH_BOOST = 32;
const ENDS_LIKE_SENTENCE = /[?？!！؟。]\s*$/u;

/** The weight of quoted words in a sentence, relative to the others. */
const BOOST = 1.5;

/**
 * Reads the operators of a query: `leave "paid time" -draft -"old policy"`. In a sentence, quotes
 * and minus are not operators: `what does the message "card declined" mean`. In a text of more than
 * 32 words they have no effect.
 */
export function readOperators(query: string): QueryOperators {
  const matches = [...query.matchAll(OPERATOR)];
  if (matches.length === 0) return literally(query);
  const rest = query.replace(OPERATOR, ' ');
  if (isSentence(rest)) {
    if (isLonger(rest, MAX_WORDS_WITH_BOOST)) return literally(query);
    const boosted = matches.filter(isPhrase).map(([, , , words = '']) => words.trim());
    return { ...literally(query), boosted: [...new Set(boosted)].filter(Boolean).slice(0, MAX_OPERATORS) };
  }
  const phrases: string[] = [];
  const excluded: string[] = [];
  const text = query.replace(OPERATOR, (_match, excludedPhrase?: string, excludedWord?: string, phrase?: string) => {
    const without = excludedPhrase ?? excludedWord;
    if (without !== undefined) excluded.push(without.trim());
    else if (phrase !== undefined) phrases.push(phrase.trim());
    return phrase === undefined ? ' ' : ` ${phrase} `;
  });
  return {
    text: text.trim(),
    phrases: phrases.filter(Boolean),
    excluded: excluded.filter(Boolean),
    boosted: [],
  };
}

/** Returns whether an operator is a phrase, not an exclusion. */
function isPhrase([, excludedPhrase, excludedWord]: RegExpExecArray): boolean {
  return excludedPhrase === undefined && excludedWord === undefined;
}

/** Returns whether the words around the operators of a query form a sentence or a question. */
function isSentence(rest: string): boolean {
  return ENDS_LIKE_SENTENCE.test(rest) || isLonger(rest, MAX_WORDS) || functionWordCount(rest) > MAX_FUNCTION_WORDS;
}

function isLonger(text: string, words: number): boolean {
  return text.trim().split(/\s+/, words + 1).length > words;
}

/** Returns a query without operators. */
export function literally(query: string): QueryOperators {
  return { text: query.trim(), phrases: [], excluded: [], boosted: [] };
}

/** Analyzes a query for texts in some languages; undefined if their languages are not known. */
export function analyzeOperators(operators: QueryOperators, languages?: readonly Language[]): ParsedQuery {
  const analyzed = analyzeQuery(operators.text, { languages });
  return { ...operators, languages, analyzed: operators.boosted.length > 0 ? withBoost(analyzed) : analyzed };
}

/** Raises the weight of quoted words. */
function withBoost(query: AnalyzedQuery): AnalyzedQuery {
  const quoted = [...query.text.matchAll(OPERATOR)]
    .filter(isPhrase)
    .map(({ 0: match, index }) => [index, index + match.length] as const);
  const isQuoted = (start: number) => quoted.some(([from, to]) => start >= from && start < to);
  return {
    ...query,
    terms: query.terms.map((term) => (isQuoted(term.start) ? { ...term, weight: term.weight * BOOST } : term)),
  };
}
