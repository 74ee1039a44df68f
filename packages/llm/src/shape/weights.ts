import type { QueryShape } from '#shape/query-shape';

/** What a shape starts with and what each feature that holds adds to it, in log-odds before normalisation. */
export interface ShapeWeights {
  readonly bias: number;
  readonly features: Readonly<Record<string, number>>;
}

export const SHAPE_WEIGHTS: Readonly<Record<QueryShape, ShapeWeights>> = {
  lookup: { bias: 1.2, features: { asksHowMany: 2, asksWhoWhenWhere: 2, asksWhatIs: 1, asksYesNo: 1.6, states: 0.5 } },
  how_to: { bias: -1, features: { howToDo: 4, howTo: 4, asksSteps: 3, asksWhatToDo: 3 } },
  comparison: { bias: -1, features: { compares: 4.5, asksDifference: 4, asksSimilarity: 3, namesTwo: 2 } },
  list: { bias: -0.8, features: { asksWhichOf: 2.6, commandsList: 4.5, asksAllOf: 2 } },
  summary: { bias: -1, features: { summarizes: 5.5, whatAbout: 3 } },
  analysis: {
    bias: -0.8,
    features: { asksWhy: 3.5, analyses: 4.5, explains: 3.2, asksShould: 2.5, atLeastFifteenWords: 0.4 },
  },
  conversational: {
    bias: -1.5,
    features: { greets: 4, thanks: 4, parts: 4.5, asksAboutAssistant: 5, acknowledges: 4, atMostFourWords: 1 },
  },
};
