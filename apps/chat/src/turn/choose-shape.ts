import { classifyShape, QUERY_SHAPES, type ShapeClassification } from '@lectern/grounding';
import { MIN_CONVERSATIONAL } from '#turn/shape-plan';

/** The most probable shape of a question; `conversational` only where that is quite sure. */
export function chooseShape(question: string): ShapeClassification {
  const classified = classifyShape(question);
  const { shape, probabilities } = classified;
  if (shape !== 'conversational' || probabilities.conversational >= MIN_CONVERSATIONAL) return classified;
  const others = QUERY_SHAPES.filter((other) => other !== 'conversational');
  const next = others.reduce((best, other) => (probabilities[other] > probabilities[best] ? other : best));
  return { shape: next, probabilities };
}
