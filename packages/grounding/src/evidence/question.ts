import { detectLanguage, extractTerms, headAndTail, type Language, visitTerms } from '@lectern/text';
import { type ExpectedAnswer, expectedAnswer } from '#evidence/answer-type';

/** A word of the question that an answer should speak of. */
export interface QuestionTerm {
  readonly term: string;
  /** A name or a number: without it, hardly anything answers the question. */
  readonly specific: boolean;
  /** A word for the world all documents speak of ("the company"): weak evidence of anything. */
  readonly generic: boolean;
}

export interface Question {
  /** Of a long question its ends (`headAndTail`). */
  readonly text: string;
  /** The language that its words and those of the sources are compared in. */
  readonly language: Language;
  readonly terms: readonly QuestionTerm[];
  /** Pairs of terms that stand side by side in the question, as "first second". */
  readonly bigrams: readonly string[];
  readonly expected: ExpectedAnswer;
  /** Whether it names no subject of its own ("summarize this"): its terms are then all the words it has. */
  readonly subjectless: boolean;
}

/** Words that shape a question without being its subject: left out of its terms unless nothing else is left. English and German. */
const SCAFFOLDING = inEachLanguage(
  'many much often long old tell explain please describe show list give let know want need like okay summarize summarise summary overview compare ' +
    'comparison difference different differ versus vs step steps way ways happen happens work works does mean means got get gets getting use ' +
    'everything something anything someone anyone kind kinds type types sort say says said question answer document documents handbook policy policies ' +
    'main key point points brief briefly detail details also able possible stand stands expect expected expects ' +
    'wie viel viele wer wen wem was wann wo warum wieso welche welcher welches welchen welchem der die das den dem des ein eine einen einer eines ' +
    'ist sind war waren wird werden wurde wurden hat haben hatte hatten und oder von vom zu zum zur im in am an auf bei mit nach für um es sie er wir ich man ' +
    'sich nicht auch kann können muss müssen gibt gab es durch als aus über unter zwischen dass erkläre beschreibe vergleiche zusammenfassung unterschied',
);

const GENERIC = inEachLanguage(
  'company firm organization business employee staff worker people person member firma unternehmen mitarbeiter',
);

/** The measure in "how large", "wie hoch": the answer's form tells it, not its words. */
const MEASURE =
  /\bhow (?:large|big|high|tall|far|deep|wide|old|fast|heavy|small|frequently|regularly)\b|\bwie (?:groß|hoch|weit|tief|breit|alt|schnell|schwer|klein|häufig)\b/giu;

/** Each word of the sources is compared with each term, so their number is what a comparison costs. Half are from the question's beginning, half from its end. */
const MOST_TERMS = 64;

/**
 * Takes a question apart into what its answer must contain and look like. A part of a question is read in the language of the whole. Of a long
 * question only the ends are read.
 */
export function readQuestion(question: string, language: Language = detectLanguage(question)): Question {
  const text = headAndTail(question);
  const sequence: QuestionTerm[] = [];
  // German writes every noun with a capital, so there only figures are telling.
  const capitalsName = language !== 'de';
  const subjectOnly = text.replace(MEASURE, (measure) => ' '.repeat(measure.length));
  const generic = GENERIC(language);
  visitTerms(subjectOnly, language, (term, start) => {
    const named = capitalsName && start > firstLetter(text) && /\p{Lu}/u.test(text.charAt(start));
    sequence.push({ term, specific: named || /\p{N}/u.test(term), generic: generic.has(term) });
  });
  const scaffolding = SCAFFOLDING(language);
  const subject = sequence.filter(({ term }) => !scaffolding.has(term));
  const kept = outermost(subject.length > 0 ? subject : sequence);
  const terms = new Map<string, QuestionTerm>();
  for (const entry of kept) if (!terms.get(entry.term)?.specific) terms.set(entry.term, entry);
  const bigrams = kept.slice(1).map((entry, at) => `${kept[at]?.term} ${entry.term}`);
  return {
    text,
    language,
    terms: [...terms.values()],
    bigrams,
    expected: expectedAnswer(text),
    subjectless: subject.length === 0,
  };
}

function outermost(terms: readonly QuestionTerm[]): readonly QuestionTerm[] {
  if (terms.length <= MOST_TERMS) return terms;
  return [...terms.slice(0, MOST_TERMS / 2), ...terms.slice(-MOST_TERMS / 2)];
}

/** The terms of some words as each language's analysis gives them, made when first asked for. */
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
