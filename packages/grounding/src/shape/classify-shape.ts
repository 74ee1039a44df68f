import { headAndTail } from '@lectern/text';
import { SHAPE_FEATURES } from '#shape/features';
import { QUERY_SHAPES, type QueryShape } from '#shape/query-shape';
import { SHAPE_WEIGHTS } from '#shape/weights';

export interface ShapeClassification {
  /** The most probable shape. */
  readonly shape: QueryShape;
  /** Probability of every shape; they add up to 1. */
  readonly probabilities: Readonly<Record<QueryShape, number>>;
}

/**
 * What log-odds are multiplied by (temperature scaling, Guo et al. 2017): the penalty of the fit left the probabilities too timid on questions
 * it had not seen.
 */
const SHARPNESS = 1.3;

/**
 * What kind of answer a question wants: a multinomial logistic model (softmax over a weighted sum of yes/no features) without any network.
 * Deterministic; the features are in `features.ts`, the weights in `weights.ts`.
 */
export function classifyShape(question: string): ShapeClassification {
  const text = headAndTail(question);
  const holding = SHAPE_FEATURES.filter(({ holds }) => holds(text)).map(({ name }) => name);
  const scores = QUERY_SHAPES.map((shape) => {
    const { bias, features } = SHAPE_WEIGHTS[shape];
    return holding.reduce((sum, name) => sum + (features[name] ?? 0), bias);
  });
  const highest = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(SHARPNESS * (score - highest)));
  const total = odds.reduce((sum, value) => sum + value, 0);
  const probability = (shape: QueryShape): number => (odds[QUERY_SHAPES.indexOf(shape)] ?? 0) / total;
  return {
    shape: QUERY_SHAPES[scores.indexOf(highest)] ?? 'lookup',
    probabilities: {
      lookup: probability('lookup'),
      how_to: probability('how_to'),
      comparison: probability('comparison'),
      list: probability('list'),
      summary: probability('summary'),
      analysis: probability('analysis'),
      conversational: probability('conversational'),
    },
  };
}
