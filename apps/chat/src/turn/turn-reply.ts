import type { StoredReply, WithDocuments } from '#conversations/stored-reply';
import type { ReplyStep } from '#replies/reply-step';

/** A reply that has been written, with what an agent did for it. */
export interface TurnReply extends StoredReply, WithDocuments {
  readonly steps: readonly ReplyStep[];
}
