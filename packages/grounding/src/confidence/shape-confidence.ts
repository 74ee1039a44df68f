import { answerState } from '#confidence/answer-state';
import type { ReviewedReply } from '#quality/quality-rule';
import type { ShapeClassification } from '#shape/classify-shape';

/**
 * Returns the classifier's probability of the shape that it chose; 0 if the reply does not answer,
 * because a refusal has no shape.
 */
export function shapeConfidence(reviewed: ReviewedReply, { shape, probabilities }: ShapeClassification): number {
  return answerState(reviewed) === 'unanswered' ? 0 : probabilities[shape];
}
