import type { StoredConfidence, StoredSource, StoredUsage } from '#conversations/stored-reply';
import type { RunStepEvent } from '#replies/reply-step';

/** What happens in a turn, in order: one message_start, any number of content_delta and of a run's events where an agent answers, one sources, one message_end. */
export type TurnEvent =
  | { readonly type: 'message_start'; readonly id: string; readonly conversationId: string }
  | { readonly type: 'content_delta'; readonly delta: string }
  | { readonly type: 'run'; readonly event: RunStepEvent }
  | { readonly type: 'sources'; readonly sources: readonly StoredSource[] }
  | {
      readonly type: 'message_end';
      readonly usage: StoredUsage;
      readonly confidence: StoredConfidence;
      readonly model: string;
    };
