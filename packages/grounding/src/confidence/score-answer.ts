import type { CitationEvent, StopReason } from '#citations/reply-event';
import type { SourceDocument } from '#citations/source-document';
import { answerState } from '#confidence/answer-state';
import { supportBySource } from '#confidence/cited-support';
import { coverageCompleteness } from '#confidence/coverage-completeness';
import { coverageRatio } from '#confidence/coverage-ratio';
import { uncoveredShare } from '#confidence/rescale-support';
import { type ConfidenceLabel, type ConfidenceSignals, LABEL_FLOORS, SIGNAL_WEIGHTS } from '#confidence/weights';
import type { Violation } from '#quality/quality-rule';
import { reviewReply } from '#quality/review-reply';
import { violationFree } from '#quality/violation-free';
import type { ShapeClassification } from '#shape/classify-shape';

export interface AnswerToScore {
  /** The question that was answered, self-contained if it was a follow-up. */
  readonly question: string;
  /** The complete reply with its markers. */
  readonly reply: string;
  readonly citations: readonly CitationEvent[];
  /** All sources of the model, not only the cited ones. */
  readonly sources: readonly SourceDocument[];
  readonly shape: ShapeClassification;
  /** Default: `end`. */
  readonly stopReason?: StopReason;
}

export interface AnswerConfidence {
  /** 0 to 1, rounded to three decimals. */
  readonly score: number;
  readonly label: ConfidenceLabel;
  readonly signals: ConfidenceSignals;
  /** The quality checks that failed. */
  readonly violations: readonly Violation[];
}

/**
 * Returns the confidence in a reply: the weighted sum of four signals, computed from the question,
 * the reply and its sources, without a model. A refusal, and a reply without citations or sources,
 * is `low`; small talk is `medium`. No reply without a citation is `high`.
 */
export async function scoreAnswer(answer: AnswerToScore): Promise<AnswerConfidence> {
  const reviewed = { ...answer, shape: answer.shape.shape, stopReason: answer.stopReason ?? 'end' };
  const violations = await reviewReply(reviewed);
  const support = await supportBySource(reviewed);
  const state = answerState(reviewed);
  const counted = state === 'answered' ? uncoveredShare(support.cited) : Number(state === 'needs_none');
  const signals: ConfidenceSignals = {
    coverageRatio: coverageRatio(reviewed, support),
    shapeConfidence: answer.shape.probabilities[reviewed.shape] * counted,
    coverageCompleteness: coverageCompleteness(reviewed, support),
    violationFree: violationFree(violations) * counted,
  };
  const score = round(
    SIGNAL_WEIGHTS.coverageRatio * signals.coverageRatio +
      SIGNAL_WEIGHTS.shapeConfidence * signals.shapeConfidence +
      SIGNAL_WEIGHTS.coverageCompleteness * signals.coverageCompleteness +
      SIGNAL_WEIGHTS.violationFree * signals.violationFree,
  );
  return { score, label: confidenceLabel(score), signals, violations };
}

/** Returns the label of a score between 0 and 1. */
export function confidenceLabel(score: number): ConfidenceLabel {
  if (score >= LABEL_FLOORS.high) return 'high';
  return score >= LABEL_FLOORS.medium ? 'medium' : 'low';
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
