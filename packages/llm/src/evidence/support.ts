import type { Question } from '#evidence/question';
import type { ScoredCandidate } from '#evidence/score-candidates';
import { createSignReader, type SupportSigns } from '#evidence/support-signs';

/** Log-odds with no sign at all, and what each sign adds for each unit of it. */
interface SupportWeights {
  readonly bias: number;
  readonly signs: Readonly<Record<keyof SupportSigns, number>>;
}

/**
 * Logistic regression (L2), fitted on reading-comprehension questions in English and German and on scientific claims, each asked of documents
 * that hold the answer, of the closest documents that do not, and of documents drawn at random; as much of the right as of the wrong. Fitted on
 * one half of the subjects; what the other half gave stands in docs/chat.md.
 */
const WEIGHTS: SupportWeights = {
  bias: -8.31,
  signs: {
    score: 1.65,
    unitLetters: 3.55,
    passageLetters: 5.72,
    frequency: 3.79,
    exact: 0.95,
    title: 3.32,
    bestTitle: -6.04,
    passageMargin: 1.44,
    unitMargin: 5.22,
    namesMissing: -0.88,
    figureMissing: -0.52,
    length: 1.77,
    anyForm: 0.45,
    countsOtherThings: -0.64,
    states: -0.42,
  },
};

const SIGNS = [
  'score',
  'unitLetters',
  'passageLetters',
  'frequency',
  'exact',
  'title',
  'bestTitle',
  'passageMargin',
  'unitMargin',
  'namesMissing',
  'figureMissing',
  'length',
  'anyForm',
  'countsOtherThings',
  'states',
] as const satisfies readonly (keyof SupportSigns)[];

/** Probability that a unit answers the question, 0 to 1, where as many questions have an answer as have none. */
export type Judge = (entry: ScoredCandidate) => number;

/** A judge of the units of `scored`: all the units that a question was compared with, best first. It works from the texts alone. */
export function createJudge(question: Question, scored: readonly ScoredCandidate[]): Judge {
  const readSigns = createSignReader(question, scored);
  const known = new Map<ScoredCandidate, number>();
  const judge: Judge = (entry) => {
    if (question.terms.length === 0) return 0;
    const signs = readSigns(entry);
    const logit = SIGNS.reduce((sum, sign) => sum + WEIGHTS.signs[sign] * signs[sign], WEIGHTS.bias);
    return 1 / (1 + Math.exp(-logit));
  };
  return (entry) => {
    const support = known.get(entry) ?? judge(entry);
    known.set(entry, support);
    return support;
  };
}
