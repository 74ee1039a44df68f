import { detectLanguage, extractTerms, headAndTail, importanceOf, type Language, visitTerms } from '@lectern/text';
import { type ExpectedAnswer, expectedAnswer } from '#evidence/answer-type';

/** A term of the question that an answer should mention. */
export interface QuestionTerm {
  readonly term: string;
  /** A name or a number. A text without it rarely answers the question. */
  readonly specific: boolean;
  /** A word that all documents use ("the company", "make"), which makes it weak evidence. */
  readonly generic: boolean;
}

export interface Question {
  /** The head and tail of a long question. */
  readonly text: string;
  /** The language in which the question and the sources are compared. */
  readonly language: Language;
  readonly terms: readonly QuestionTerm[];
  /** Pairs of adjacent terms, as "first second". */
  readonly bigrams: readonly string[];
  readonly expected: ExpectedAnswer;
  /** Whether it names no subject ("summarize this"). Its terms are then all of its words. */
  readonly subjectless: boolean;
  /** Whether it is a statement to verify instead of a question: a whole sentence with a full stop. */
  readonly isClaim: boolean;
}

const FULL_STOP = /[.。]["”’)]?\s*$/u;
const MIN_CLAIM_WORDS = 5;
/**
 * Questions with a full stop: they start with a question word or a request, or ask indirectly. A
 * question word elsewhere can be part of a claim ("employees who travel"). English and German.
 */
const OPENINGS = [
  "who|what|when|where|why|which|how|whose|whom|what['’]s|who['’]s",
  String.raw`tell|show|explain|list|describe|give|find|name|summari[sz]e|compare|define|look\s+up`,
  String.raw`(?:can|could|would|will)\s+you|help\s+me|let\s+me\s+know`,
  String.raw`i(?:\s+(?:want|need|wish|would|wonder)|['’]d|(?:\s+am|['’]m)\s+looking)`,
  'wer|wen|wem|wessen|wann|wo|woher|wohin|warum|wieso|weshalb|wie|was|welche[rsmn]?',
  'sage?|zeige?|erkläre?|nenne|liste|beschreibe?|gib|finde?|vergleiche?|fasse?|erzähle?',
  String.raw`(?:kannst|könntest|können|könnten|würdest|würden)\s+(?:du|sie)`,
  String.raw`ich\s+(?:möchte|will|würde|brauche|suche|frage)`,
  String.raw`(?:sagen|zeigen|erklären|nennen|beschreiben|geben|finden)\s+sie`,
];
const ASKS = new RegExp(
  String.raw`^\P{L}*(?:(?:please|kindly|bitte|hi|hello|hey|hallo)[\s,!]+)*(?:${OPENINGS.join('|')})(?![\p{L}\p{N}])`,
  'iu',
);

/**
 * Words that are not the subject of a question. They are terms only if there are no others. English
 * and German.
 */
const SCAFFOLDING = inEachLanguage(
  'many much often long old tell explain please describe show list give let know want need like okay summarize summarise summary overview compare ' +
    'comparison difference different differ versus vs step steps way ways happen happens work works does mean means got get gets getting use ' +
    'everything something anything someone anyone kind kinds type types sort say says said question answer document documents handbook policy policies ' +
    'main key point points brief briefly detail details also able possible stand stands expect expected expects ' +
    'wie viel viele wer wen wem was wann wo warum wieso welche welcher welches welchen welchem der die das den dem des ein eine einen einer eines ' +
    'ist sind war waren wird werden wurde wurden hat haben hatte hatten und oder von vom zu zum zur im in am an auf bei mit nach für um es sie er wir ich man ' +
    'sich nicht auch kann können muss müssen gibt gab es durch als aus über unter zwischen dass erkläre beschreibe vergleiche zusammenfassung unterschied',
);

/**
 * Words of `SCAFFOLDING` that are part of the subject right after another word of it: "an API key",
 * "several documents". English.
 */
const HEADS = inEachLanguage('document key point list step type');

const GENERIC = inEachLanguage(
  'company firm organization business employee staff worker people person member firma unternehmen mitarbeiter',
);

/**
 * The measure in "how large" or "wie hoch", which an answer expresses by its form, not by its
 * words.
 */
const MEASURE =
  /\bhow (?:large|big|high|tall|far|deep|wide|old|fast|heavy|small|frequently|regularly)\b|\bwie (?:groß|hoch|weit|tief|breit|alt|schnell|schwer|klein|häufig)\b/giu;

/**
 * The maximum number of terms, half from the start and half from the end of the question. Every
 * word of the sources is compared with every term.
 */
const MAX_TERMS = 64;

/**
 * Extracts what an answer should contain and which form it should have. Pass the language of the
 * whole question for a part of it. Only the head and tail of a long question are analyzed.
 */
export function readQuestion(question: string, language: Language = detectLanguage(question)): Question {
  const text = headAndTail(question);
  const sequence: (QuestionTerm & { readonly isHead: boolean })[] = [];
  // German capitalizes every noun, so only numbers are specific.
  const capitalsName = language !== 'de';
  const subjectOnly = text.replace(MEASURE, (measure) => ' '.repeat(measure.length));
  const generics = GENERIC(language);
  const scaffolding = SCAFFOLDING(language);
  const heads = HEADS(language);
  let previous: { readonly term: string; readonly end: number } | undefined;
  visitTerms(subjectOnly, language, (term, start, end) => {
    const isAdjacent = previous !== undefined && subjectOnly.slice(previous.end, start).trim() === '';
    const isHead = isAdjacent && heads.has(term) && !scaffolding.has(previous?.term ?? '');
    previous = { term, end };
    const isName = capitalsName && start > firstLetter(text) && /\p{Lu}/u.test(text.charAt(start));
    sequence.push({
      term,
      specific: isName || /\p{N}/u.test(term),
      generic: isHead || generics.has(term) || importanceOf({ text, language }, { start, end }) < 1,
      isHead,
    });
  });
  const subject = sequence.filter(({ term, isHead }) => isHead || !scaffolding.has(term));
  const outermostTerms = outermost(subject.length > 0 ? subject : sequence);
  const terms = new Map<string, QuestionTerm>();
  for (const { term, specific, generic } of outermostTerms) {
    if (!terms.get(term)?.specific) terms.set(term, { term, specific, generic });
  }
  const bigrams = outermostTerms.slice(1).map((entry, at) => `${outermostTerms[at]?.term} ${entry.term}`);
  return {
    text,
    language,
    terms: [...terms.values()],
    bigrams,
    expected: expectedAnswer(text),
    subjectless: subject.length === 0,
    isClaim:
      FULL_STOP.test(text) && !ASKS.test(text) && (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= MIN_CLAIM_WORDS,
  };
}

function outermost<T>(terms: readonly T[]): readonly T[] {
  if (terms.length <= MAX_TERMS) return terms;
  return [...terms.slice(0, MAX_TERMS / 2), ...terms.slice(-MAX_TERMS / 2)];
}

/** Returns the terms of some words in each language, computed when first needed. */
function inEachLanguage(words: string): (language: Language) => ReadonlySet<string> {
  const known = new Map<Language, ReadonlySet<string>>();
  return (language) => {
    const terms = known.get(language) ?? new Set(extractTerms(words, language));
    known.set(language, terms);
    return terms;
  };
}

function firstLetter(text: string): number {
  return Math.max(0, text.search(/[\p{L}\p{N}]/u));
}
