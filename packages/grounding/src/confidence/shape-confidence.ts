import type { ShapeClassification } from '#shape/classify-shape';

/** Returns the classifier's probability of the shape that it chose. */
export function shapeConfidence({ shape, probabilities }: ShapeClassification): number {
  return probabilities[shape];
}
