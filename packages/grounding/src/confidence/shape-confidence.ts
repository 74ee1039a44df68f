import type { ShapeClassification } from '#shape/classify-shape';

/** How surely the question's shape was recognised: the classifier's probability of the shape it chose. */
export function shapeConfidence({ shape, probabilities }: ShapeClassification): number {
  return probabilities[shape];
}
