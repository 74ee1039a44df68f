import { auroc } from '#evaluation/auroc';
import { calibrationError, type ReliabilityBin, reliabilityCurve } from '#evaluation/reliability';
import type { ReplyForm } from '#evaluation/reply-form';

/** A reply with its confidence. */
export interface RatedReply {
  readonly score: number;
  readonly label: string;
  readonly form: ReplyForm;
}

/** The result of one question. */
export interface AskedQuestion {
  readonly id: string;
  readonly text: string;
  /** The reply from all documents. */
  readonly right: RatedReply & {
    /** True if a cited document is judged relevant. */
    readonly citesRight: boolean;
    /** True if an excerpt, or the reply, contains the words of the answer; undefined if unknown. */
    readonly excerptHolds: boolean | undefined;
    readonly replyHolds: boolean | undefined;
  };
  /** The reply from the half without relevant documents; undefined if both halves have some. */
  readonly wrong: RatedReply | undefined;
}

/** A summary. Shares are from 0 to 1, NaN without questions. */
export interface QuestionSummary {
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
  /** The share of questions that are not answered: with an answer in the documents, and without. */
  readonly abstainsWithAnswer: number;
  readonly abstainsWithoutAnswer: number;
  /** The share of replies with valid citations, of those that do not abstain. */
  readonly citesValidly: number;
  /** The share of replies with an appended correction. */
  readonly corrected: number;
  /** The share of replies that keep all quality rules. Undefined if that is not known. */
  readonly keepsRules: number | undefined;
  readonly curve: readonly ReliabilityBin[];
  readonly calibrationError: number;
}

/** Summarizes an evaluation of answers. */
export function summarizeQuestions(questions: readonly AskedQuestion[]): QuestionSummary {
  const right = questions.map((question) => question.right);
  const wrong = questions.flatMap((question) => question.wrong ?? []);
  const curve = reliabilityCurve([
    ...right.map(({ score, citesRight }) => ({ score, right: citesRight })),
    ...wrong.map(({ score }) => ({ score, right: false })),
  ]);
  const forms = [...right, ...wrong].map(({ form }) => form);
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
    abstainsWithAnswer: share(right, ({ form }) => form.abstains),
    abstainsWithoutAnswer: share(wrong, ({ form }) => form.abstains),
    citesValidly: share(
      forms.filter(({ abstains }) => !abstains),
      (form) => form.citesValidly,
    ),
    corrected: share(forms, ({ isCorrected }) => isCorrected),
    keepsRules: shareOfKnown(forms.map(({ keepsRules }) => keepsRules)),
    curve,
    calibrationError: calibrationError(curve),
  };
}

/** Returns the share of items that count. NaN without items. */
export function share<T>(all: readonly T[], counts: (one: T) => boolean): number {
  return all.filter(counts).length / all.length;
}

function shareOfKnown(values: readonly (boolean | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : share(known, (value) => value);
}
