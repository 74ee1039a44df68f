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
    bias: -6.17,
    features: {
      score: -2.71,
      unitGrams: 2.25,
      passageGrams: 0.57,
      frequency: 3.65,
      exact: -3.37,
      title: 1.45,
      bestTitle: -0.3,
      passageMargin: 0.49,
      unitMargin: 2.83,
      namesMissing: -0.41,
      numberMissing: -0.68,
      length: 1.86,
      anyForm: -0.09,
      countsOtherThings: 0.0,
      own: 0.7,
      coverage: 3.14,
      heading: 0.0,
      heaviestMissing: 0.23,
      otherForm: -0.63,
      isUnspaced: 0.0,
      unspacedUnitGrams: 0.0,
      unspacedPassageGrams: 0.0,
      isTable: 0.0,
      isCode: 0.0,
      rareGrams: -0.52,
      rareGramsMargin: 3.53,
      rareGramsOverAverage: 1.4,
      uncovered: -4.87,
      averageCoverage: -2.28,
      absent: 2.2,
      passageLength: -0.68,
      rank: 0.92,
      relevance: 5.94,
    },
  },
  question: {
    bias: -5.8,
    features: {
      score: 0.2,
      unitGrams: 3.74,
      passageGrams: -0.25,
      frequency: 0.26,
      exact: -0.96,
      title: 0.78,
      bestTitle: -0.81,
      passageMargin: 2.81,
      unitMargin: 1.63,
      namesMissing: -3.55,
      numberMissing: -0.58,
      length: -0.49,
      anyForm: 0.03,
      countsOtherThings: -0.66,
      own: -0.05,
      coverage: 5.1,
      heading: 0.92,
      heaviestMissing: 1.87,
      otherForm: 0.11,
      isUnspaced: 0.18,
      unspacedUnitGrams: -4.59,
      unspacedPassageGrams: 8.42,
      isTable: -0.65,
      isCode: -1.06,
      rareGrams: 1.84,
      rareGramsMargin: 3.93,
      rareGramsOverAverage: 1.36,
      uncovered: -3.04,
      averageCoverage: 0.29,
      absent: 2.6,
      passageLength: -3.18,
      rank: 1.36,
      relevance: 2.04,
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
  /** the search's relevance of the document */
  'relevance',
] as const satisfies readonly (keyof SupportFeatures)[];

/**
 * The lowest probability with which the built-in model answers: an answer that is wrong costs as
 * much as a cautious reply although a source answers, with a margin.
 */
export const MIN_ANSWER_PROBABILITY = 0.55;

/**
 * The lowest probability with which it quotes a possible answer: a wrong quote, which is marked as
 * uncertain, costs a sixteenth of a refusal although a source answers, and .06 is about 1 / 17.
 */
export const MIN_CAUTIOUS_PROBABILITY = 0.06;

/** A refusal is needless if a unit reaches this probability, as 2% of the unanswered claims do. */
export const MIN_SUPPORT_OF_NEEDLESS_REFUSAL = 0.8;
