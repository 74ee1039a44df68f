import type { CitationEvent, StopReason } from '@lectern/grounding';
import type { ToolCallEvent } from '@lectern/llm';
import type { ReplyStep, RunStepEvent } from '#conversations/reply-step';
import type {
  StoredConfidence,
  StoredReply,
  StoredSource,
  StoredUsage,
  WithDocuments,
  WithShownDocuments,
} from '#conversations/stored-reply';

/**
 * The events of a turn, in order: one `message_start`, any number of `content_delta` (and of `run`
 * events if an agent answers), one `sources`, one `message_end`.
 */
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

/** A finished reply, with the steps of the agent that wrote it. */
export interface TurnReply extends StoredReply, WithDocuments, WithShownDocuments {
  readonly steps: readonly ReplyStep[];
  readonly citations: readonly CitationEvent[];
  /** Calls of the client's tools. */
  readonly calls: readonly ToolCallEvent[];
  readonly stopReason: StopReason;
}
