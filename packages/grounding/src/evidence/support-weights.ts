import type { SupportSigns } from '#evidence/support-signs';

/** Log-odds with no sign at all, and what each sign adds for each unit of it. */
interface SupportWeights {
  readonly bias: number;
  readonly signs: Readonly<Record<keyof SupportSigns, number>>;
}

/**
 * Logistic regression (L2), written by `npm run fit:judge` (docs/chat.md): fitted on the training claims of SciFact and on the questions of one
 * half of the subjects of XQuAD (English, German), each asked of all documents, of the closest ones that do not answer, and of the half of the
 * documents without an answer; as much of what answers as of what does not.
 */
export const SUPPORT_WEIGHTS: SupportWeights = {
  bias: -2.9,
  signs: {
    /** the unit's score for ranking: words in and around it, pairs of them, the form of the answer */
    score: 1.35,
    /** share of the question's pieces of four letters in the unit */
    unitLetters: 2.37,
    /** the same in the passage with its title */
    passageLetters: 1.85,
    /** how often the passage speaks of each term */
    frequency: 4.74,
    /** share of the question that stands in the passage word for word */
    exact: -2.63,
    /** share of the question that the document's title speaks of */
    title: 1.05,
    /** the most that any title found speaks of */
    bestTitle: -1.06,
    /** what the passage speaks of over the best passage of another document */
    passageMargin: 0.6,
    /** the unit's score over the best unit of another document */
    unitMargin: 5.04,
    /** names and figures of the question that are not near the unit */
    namesMissing: -0.8,
    /** a figure of the question is not in the passage */
    figureMissing: -0.51,
    /** how much the question says */
    length: 0.72,
    /** the question expects no particular form of answer */
    anyForm: 0.31,
    /** something else than what was asked for is counted */
    countsOtherThings: -0.43,
    /** a claim to be checked rather than a question */
    states: 0.21,
    /** pieces of four letters in the passage, by their rarity among the passages found */
    rareLetters: -1.08,
    /** the same over the best passage of another document */
    rareLettersMargin: 3.96,
    /** the same over the average passage of other documents */
    rareLettersOverAverage: 1.76,
    /** share of the question that no passage found speaks of */
    spokenNowhere: -3.96,
    /** share of the question that a passage found speaks of on average */
    spokenOnAverage: 0.31,
    /** share that nothing found speaks of, by rarity among the units */
    absent: 2.02,
    /** logarithm of how long the passage is */
    passageLength: -3.04,
    /** the place of the document in retrieval: 1, 1/2, 1/3 … */
    rank: 0.68,
  },
};

export const SUPPORT_SIGNS = [
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
  'rareLetters',
  'rareLettersMargin',
  'rareLettersOverAverage',
  'spokenNowhere',
  'spokenOnAverage',
  'absent',
  'passageLength',
  'rank',
] as const satisfies readonly (keyof SupportSigns)[];

/**
 * From this probability on the builtin model answers: of the training claims whose documents do not decide them, six in a hundred get as far,
 * by cross-validation.
 */
export const ANSWER_FROM = 0.73;

/** From this probability on it is hard to believe that the sources hold no answer: two in a hundred of those claims get as far. */
export const PLAIN_FROM = 0.88;
