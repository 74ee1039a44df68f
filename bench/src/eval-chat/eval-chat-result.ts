import { auroc } from '#eval-chat/auroc';
import { calibrationError, type ReliabilityBin, reliabilityCurve } from '#eval-chat/reliability';

/** The result of one question. */
export interface AskedQuestion {
  readonly id: string;
  readonly text: string;
  /** The reply from all documents. */
  readonly right: {
    readonly score: number;
    readonly label: string;
    /** True if a cited document is judged relevant. */
    readonly citesRight: boolean;
    /** True if an excerpt, or the reply, contains the words of the answer; undefined if unknown. */
    readonly excerptHolds: boolean | undefined;
    readonly replyHolds: boolean | undefined;
  };
  /** The reply from the half without relevant documents; undefined if both halves have some. */
  readonly wrong: { readonly score: number; readonly label: string } | undefined;
}

/** A summary. Shares are from 0 to 1, NaN without questions. */
export interface EvalChatResult {
  /** Questions over all documents, and over those without the answer. */
  readonly questionCounts: { readonly withAnswer: number; readonly withoutAnswer: number };
  readonly citesRight: number;
  readonly excerptHolds: number | undefined;
  readonly replyHolds: number | undefined;
  /**
   * AUROC of right against wrong sources: over all replies, and only over right ones that cite a
   * relevant document.
   */
  readonly auroc: number;
  readonly aurocCitedRight: number;
  /** The share of unanswerable questions with confidence `low`. */
  readonly lowWithoutAnswer: number;
  readonly curve: readonly ReliabilityBin[];
  readonly calibrationError: number;
}

/** Summarizes an evaluation of answers. */
export function summarizeChat(questions: readonly AskedQuestion[]): EvalChatResult {
  const right = questions.map((question) => question.right);
  const wrong = questions.flatMap((question) => question.wrong ?? []);
  const curve = reliabilityCurve([
    ...right.map(({ score, citesRight }) => ({ score, right: citesRight })),
    ...wrong.map(({ score }) => ({ score, right: false })),
  ]);
  const wrongScores = wrong.map(({ score }) => score);
  const cited = right.filter(({ citesRight }) => citesRight);
  return {
    questionCounts: { withAnswer: right.length, withoutAnswer: wrong.length },
    citesRight: share(right, ({ citesRight }) => citesRight),
    excerptHolds: shareOfKnown(right.map(({ excerptHolds }) => excerptHolds)),
    replyHolds: shareOfKnown(right.map(({ replyHolds }) => replyHolds)),
    auroc: auroc(
      right.map(({ score }) => score),
      wrongScores,
    ),
    aurocCitedRight: auroc(
      cited.map(({ score }) => score),
      wrongScores,
    ),
    lowWithoutAnswer: share(wrong, ({ label }) => label === 'low'),
    curve,
    calibrationError: calibrationError(curve),
  };
}

function share<T>(all: readonly T[], counts: (one: T) => boolean): number {
  return all.filter(counts).length / all.length;
}

function shareOfKnown(values: readonly (boolean | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : share(known, (value) => value);
}
