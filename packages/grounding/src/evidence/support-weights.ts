import type { SupportFeatures } from '#evidence/support-features';

/** The bias and the weight of each feature, in log-odds. */
interface SupportWeights {
  readonly bias: number;
  readonly features: Readonly<Record<keyof SupportFeatures, number>>;
}

/**
 * Logistic regression (L2), written by `npm run fit:judge` (docs/chat.md). `claim` was fitted on the
 * training claims of SciFact, `question` on half of XQuAD's subjects (English, German, Chinese) and
 * on questions generated from Markdown documents. Each was asked with all documents, with the closest
 * ones that do not answer, with the half that contains no answer, and with another subject; answers
 * and non-answers have equal weight.
 */
export const SUPPORT_WEIGHTS: Readonly<Record<'claim' | 'question', SupportWeights>> = {
  claim: {
    bias: -5.46,
    features: {
      score: -1.75,
      unitGrams: 1.82,
      passageGrams: 0.6,
      frequency: 4.52,
      exact: -1.45,
      title: 1.89,
      bestTitle: 0.06,
      passageMargin: -0.34,
      unitMargin: 2.96,
      namesMissing: -0.55,
      numberMissing: -0.76,
      length: 1.6,
      anyForm: 0.05,
      countsOtherThings: 0.0,
      own: 1.31,
      coverage: 2.84,
      heading: 0.0,
      heaviestMissing: 0.02,
      otherForm: -0.52,
      isUnspaced: 0.0,
      unspacedUnitGrams: 0.0,
      unspacedPassageGrams: 0.0,
      isTable: 0.0,
      isCode: 0.0,
      rareGrams: 0.67,
      rareGramsMargin: 3.76,
      rareGramsOverAverage: 1.02,
      uncovered: -4.86,
      averageCoverage: -1.97,
      absent: 2.48,
      passageLength: -1.66,
      rank: 1.42,
    },
  },
  question: {
    bias: -2.62,
    features: {
      score: 0.74,
      unitGrams: 2.6,
      passageGrams: 1.27,
      frequency: 1.65,
      exact: -0.72,
      title: 0.14,
      bestTitle: -1.18,
      passageMargin: 2.14,
      unitMargin: 5.44,
      namesMissing: -1.88,
      numberMissing: -0.86,
      length: -0.25,
      anyForm: 0.21,
      countsOtherThings: -2.21,
      own: -0.17,
      coverage: 1.85,
      heading: 1.6,
      heaviestMissing: -0.2,
      otherForm: -0.61,
      isUnspaced: 1.17,
      unspacedUnitGrams: -1.46,
      unspacedPassageGrams: 5.7,
      isTable: -0.43,
      isCode: -0.4,
      rareGrams: 1.47,
      rareGramsMargin: 7.68,
      rareGramsOverAverage: -0.4,
      uncovered: -1.66,
      averageCoverage: 1.32,
      absent: 1.75,
      passageLength: -4.21,
      rank: 0.55,
    },
  },
};

export const SUPPORT_FEATURES = [
  /** ranking score of the unit */
  'score',
  /** share of the question's character grams in the unit */
  'unitGrams',
  /** the same in the passage and its title */
  'passageGrams',
  /** how often the passage mentions each term */
  'frequency',
  /** share of the question with the same stem in the passage */
  'exact',
  /** share of the question in the document's title */
  'title',
  /** the highest share in any retrieved title */
  'bestTitle',
  /** share in the passage minus that of the best passage of another document */
  'passageMargin',
  /** ranking score minus that of the best unit of another document */
  'unitMargin',
  /** share of names and numbers of the question that are not near the unit */
  'namesMissing',
  /** a number of the question is not in the passage */
  'numberMissing',
  /** number of terms of the question */
  'length',
  /** the question expects no particular form of answer */
  'anyForm',
  /** the unit does not count the requested noun */
  'countsOtherThings',
  /** share of the question in the unit itself */
  'own',
  /** share of the question in the unit and its context */
  'coverage',
  /** share of the question in the unit's headings */
  'heading',
  /** largest weight of a term that is not in or near the unit */
  'heaviestMissing',
  /** the unit does not have the expected form of answer */
  'otherForm',
  /** a question in a script without spaces */
  'isUnspaced',
  /** unitGrams of such a question */
  'unspacedUnitGrams',
  /** passageGrams of such a question */
  'unspacedPassageGrams',
  /** a table row or cell */
  'isTable',
  /** code */
  'isCode',
  /** share of character grams in the passage, weighted by rarity */
  'rareGrams',
  /** the same minus the best passage of another document */
  'rareGramsMargin',
  /** the same minus the average of other documents */
  'rareGramsOverAverage',
  /** share of the question that no retrieved passage mentions */
  'uncovered',
  /** average share of the question that retrieved passages mention */
  'averageCoverage',
  /** share that no retrieved unit mentions, weighted by rarity */
  'absent',
  /** logarithm of the passage's length */
  'passageLength',
  /** reciprocal rank of the document in retrieval */
  'rank',
] as const satisfies readonly (keyof SupportFeatures)[];

/**
 * The lowest probability with which the built-in model answers: an answer that is wrong costs 1.5
 * times as much as a refusal although a source answers, and .6 = 1.5 / 2.5.
 */
export const MIN_ANSWER_PROBABILITY = 0.6;

/** A refusal is needless if a unit reaches this probability, as 2% of the unanswered claims do. */
export const MIN_SUPPORT_OF_NEEDLESS_REFUSAL = 0.85;
