import type { SupportFeatures } from '#evidence/support-features';

/** Short descriptions of the features, in the order in which their weights are written. */
export const FEATURE_DESCRIPTIONS: Readonly<Record<keyof SupportFeatures, string>> = {
  score: 'ranking score of the unit',
  unitGrams: "share of the question's character grams in the unit",
  passageGrams: 'the same in the passage and its title',
  frequency: 'how often the passage mentions each term',
  exact: 'share of the question with the same stem in the passage',
  title: "share of the question in the document's title",
  bestTitle: 'the highest share in any retrieved title',
  passageMargin: 'share in the passage minus that of the best passage of another document',
  unitMargin: 'ranking score minus that of the best unit of another document',
  namesMissing: 'share of names and numbers of the question that are not near the unit',
  numberMissing: 'a number of the question is not in the passage',
  length: 'number of terms of the question',
  anyForm: 'the question expects no particular form of answer',
  countsOtherThings: 'the unit does not count the requested noun',
  isClaim: 'a claim instead of a question',
  rareGrams: 'share of character grams in the passage, weighted by rarity',
  rareGramsMargin: 'the same minus the best passage of another document',
  rareGramsOverAverage: 'the same minus the average of other documents',
  uncovered: 'share of the question that no retrieved passage mentions',
  averageCoverage: 'average share of the question that retrieved passages mention',
  absent: 'share that no retrieved unit mentions, weighted by rarity',
  passageLength: "logarithm of the passage's length",
  rank: 'reciprocal rank of the document in retrieval',
};
