import { auroc } from '#eval-chat/auroc';
import { calibrationError, type ReliabilityBin, reliabilityCurve } from '#eval-chat/reliability';

/** What came of one question. */
export interface AskedQuestion {
  readonly id: string;
  readonly text: string;
  /** Asked of documents that hold the answer. */
  readonly right: {
    readonly score: number;
    readonly label: string;
    /** One of the cited documents is judged to answer. */
    readonly citesRight: boolean;
    /** An excerpt, and the reply's text, hold the words of the answer; undefined where they are not known. */
    readonly excerptHolds: boolean | undefined;
    readonly replyHolds: boolean | undefined;
  };
  /** Asked of the half of the documents without them; undefined where both halves have some. */
  readonly wrong: { readonly score: number; readonly label: string } | undefined;
}

/** What is known of all of them; shares are 0 to 1, NaN without a question to count. */
export interface EvalChatResult {
  readonly questions: number;
  readonly asked: { readonly right: number; readonly wrong: number };
  readonly citesRight: number;
  readonly excerptHolds: number | undefined;
  readonly replyHolds: number | undefined;
  /** Right against wrong, over all; and only those right ones that cite a right document. */
  readonly auroc: number;
  readonly aurocCitedRight: number;
  /** Share of the questions without an answer that are `low`. */
  readonly lowWithoutAnswer: number;
  readonly curve: readonly ReliabilityBin[];
  readonly calibrationError: number;
}

/** Sums up an evaluation of answers. */
export function summariseChat(asked: readonly AskedQuestion[]): EvalChatResult {
  const right = asked.map((question) => question.right);
  const wrong = asked.flatMap((question) => question.wrong ?? []);
  const curve = reliabilityCurve([
    ...right.map(({ score, citesRight }) => ({ score, right: citesRight })),
    ...wrong.map(({ score }) => ({ score, right: false })),
  ]);
  const wrongScores = wrong.map(({ score }) => score);
  const cited = right.filter(({ citesRight }) => citesRight);
  return {
    questions: asked.length,
    asked: { right: right.length, wrong: wrong.length },
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
