import { headAndTail } from '@lectern/text';
import { SHAPE_FEATURES } from '#shape/features';
import { DOCUMENT_SHAPES, type DocumentShape, type QueryShape } from '#shape/query-shape';
import { smallTalkOf } from '#shape/small-talk';
import { SHAPE_WEIGHTS } from '#shape/weights';

export interface ShapeClassification {
  /** The most probable shape. */
  readonly shape: QueryShape;
  /** The probability of every shape. The sum is 1. */
  readonly probabilities: Readonly<Record<QueryShape, number>>;
}

/**
 * Temperature scaling (Guo et al. 2017) of the log-odds, because the penalty of the fit made them
 * too small.
 */
const SHARPNESS = 1.3;

/** The probability that a message without any other words is small talk. */
const SMALL_TALK = 0.97;

/**
 * Classifies a question by the kind of answer it needs. A message that is small talk as a whole is
 * conversational. All others are about documents: a multinomial logistic model (softmax over a
 * weighted sum of binary features) determines their shape. Deterministic.
 */
export function classifyShape(question: string): ShapeClassification {
  const text = headAndTail(question);
  const active = SHAPE_FEATURES.filter(({ matches }) => matches(text)).map(({ name }) => name);
  const scores = DOCUMENT_SHAPES.map((shape) => {
    const { bias, features } = SHAPE_WEIGHTS[shape];
    return active.reduce((sum, name) => sum + (features[name] ?? 0), bias);
  });
  const highest = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(SHARPNESS * (score - highest)));
  const total = odds.reduce((sum, value) => sum + value, 0);
  const conversational = smallTalkOf(question) === undefined ? 0 : SMALL_TALK;
  const probability = (shape: DocumentShape): number =>
    ((1 - conversational) * (odds[DOCUMENT_SHAPES.indexOf(shape)] ?? 0)) / total;
  return {
    shape: conversational > 0 ? 'conversational' : (DOCUMENT_SHAPES[scores.indexOf(highest)] ?? 'lookup'),
    probabilities: {
      lookup: probability('lookup'),
      how_to: probability('how_to'),
      comparison: probability('comparison'),
      list: probability('list'),
      summary: probability('summary'),
      analysis: probability('analysis'),
      conversational,
    },
  };
}
