import type { SupportFeatures } from '#evidence/support-features';

/** The bias and the weight of each feature, in log-odds. */
interface SupportWeights {
  readonly bias: number;
  readonly features: Readonly<Record<keyof SupportFeatures, number>>;
}

/**
 * Logistic regression (L2), written by `npm run fit:judge` (docs/chat.md). Fitted on the training
 * claims of SciFact and the questions of half of XQuAD's subjects (English, German). Each was asked
 * with all documents, with the closest ones that do not answer, and with the half that contains no
 * answer; answers and non-answers have equal weight.
 */
export const SUPPORT_WEIGHTS: SupportWeights = {
  bias: -2.9,
  features: {
    /** ranking score of the unit */
    score: 1.35,
    /** share of the question's character grams in the unit */
    unitGrams: 2.37,
    /** the same in the passage and its title */
    passageGrams: 1.85,
    /** how often the passage mentions each term */
    frequency: 4.74,
    /** share of the question with the same stem in the passage */
    exact: -2.63,
    /** share of the question in the document's title */
    title: 1.05,
    /** the highest share in any retrieved title */
    bestTitle: -1.06,
    /** share in the passage minus that of the best passage of another document */
    passageMargin: 0.6,
    /** ranking score minus that of the best unit of another document */
    unitMargin: 5.04,
    /** share of names and numbers of the question that are not near the unit */
    namesMissing: -0.8,
    /** a number of the question is not in the passage */
    numberMissing: -0.51,
    /** number of terms of the question */
    length: 0.72,
    /** the question expects no particular form of answer */
    anyForm: 0.31,
    /** the unit does not count the requested noun */
    countsOtherThings: -0.43,
    /** a claim instead of a question */
    isClaim: 0.21,
    /** share of character grams in the passage, weighted by rarity */
    rareGrams: -1.08,
    /** the same minus the best passage of another document */
    rareGramsMargin: 3.96,
    /** the same minus the average of other documents */
    rareGramsOverAverage: 1.76,
    /** share of the question that no retrieved passage mentions */
    uncovered: -3.96,
    /** average share of the question that retrieved passages mention */
    averageCoverage: 0.31,
    /** share that no retrieved unit mentions, weighted by rarity */
    absent: 2.02,
    /** logarithm of the passage's length */
    passageLength: -3.04,
    /** reciprocal rank of the document in retrieval */
    rank: 0.68,
  },
};

export const SUPPORT_FEATURES = [
  'score',
  'unitGrams',
  'passageGrams',
  'frequency',
  'exact',
  'title',
  'bestTitle',
  'passageMargin',
  'unitMargin',
  'namesMissing',
  'numberMissing',
  'length',
  'anyForm',
  'countsOtherThings',
  'isClaim',
  'rareGrams',
  'rareGramsMargin',
  'rareGramsOverAverage',
  'uncovered',
  'averageCoverage',
  'absent',
  'passageLength',
  'rank',
] as const satisfies readonly (keyof SupportFeatures)[];

/**
 * The lowest probability with which the built-in model answers. In cross-validation, 6% of the
 * training claims without a decisive document reach it.
 */
export const MIN_ANSWER_PROBABILITY = 0.73;

/** A refusal is needless if a unit reaches this probability of support, as 2% of those claims do. */
export const MIN_SUPPORT_OF_NEEDLESS_REFUSAL = 0.88;
