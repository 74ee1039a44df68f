import type { SupportSigns } from '#evidence/support-signs';

/** What each sign is, for the file of weights; in this order they are written. `SupportSigns` defines them. */
export const SIGN_MEANINGS: Readonly<Record<keyof SupportSigns, string>> = {
  score: "the unit's score for ranking: words in and around it, pairs of them, the form of the answer",
  unitLetters: "share of the question's pieces of four letters in the unit",
  passageLetters: 'the same in the passage with its title',
  frequency: 'how often the passage speaks of each term',
  exact: 'share of the question that stands in the passage word for word',
  title: "share of the question that the document's title speaks of",
  bestTitle: 'the most that any title found speaks of',
  passageMargin: 'what the passage speaks of over the best passage of another document',
  unitMargin: "the unit's score over the best unit of another document",
  namesMissing: 'names and figures of the question that are not near the unit',
  figureMissing: 'a figure of the question is not in the passage',
  length: 'how much the question says',
  anyForm: 'the question expects no particular form of answer',
  countsOtherThings: 'something else than what was asked for is counted',
  states: 'a claim to be checked rather than a question',
  rareLetters: 'pieces of four letters in the passage, by their rarity among the passages found',
  rareLettersMargin: 'the same over the best passage of another document',
  rareLettersOverAverage: 'the same over the average passage of other documents',
  spokenNowhere: 'share of the question that no passage found speaks of',
  spokenOnAverage: 'share of the question that a passage found speaks of on average',
  absent: 'share that nothing found speaks of, by rarity among the units',
  passageLength: 'logarithm of how long the passage is',
  rank: 'the place of the document in retrieval: 1, 1/2, 1/3 …',
};
