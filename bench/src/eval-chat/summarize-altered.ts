import { type RatedReply, share } from '@lectern/grounding';
import type { AlterationKind } from '#eval-chat/alter-document';

/** The reply to a question whose answering document was altered. */
export interface AlteredQuestion {
  readonly id: string;
  readonly text: string;
  readonly kind: AlterationKind;
  /** What was replaced in the document, and by what. */
  readonly before: string;
  readonly after: string;
  readonly reply: RatedReply;
}

/** The replies to one kind of alteration. Shares are from 0 to 1. */
export interface AlteredSummary {
  readonly kind: AlterationKind | 'all';
  readonly count: number;
  /** The share of replies with confidence `high`, all of which are wrong. */
  readonly high: number;
  readonly low: number;
  readonly abstains: number;
}

/** Summarizes replies by kind of alteration, then all. */
export function summarizeAltered(questions: readonly AlteredQuestion[]): AlteredSummary[] {
  const byKind = [...Map.groupBy(questions, ({ kind }) => kind)].sort(([a], [b]) => a.localeCompare(b));
  return [...byKind, ['all', questions] as const].map(([kind, members]) => ({
    kind,
    count: members.length,
    high: share(members, ({ reply }) => reply.label === 'high'),
    low: share(members, ({ reply }) => reply.label === 'low'),
    abstains: share(members, ({ reply }) => reply.form.abstains),
  }));
}
