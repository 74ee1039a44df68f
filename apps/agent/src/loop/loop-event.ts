import type { CitationEvent, SourceDocument, StopReason } from '@lectern/grounding';
import type { TokenUsage } from '@lectern/llm';
import type { Decision } from '#approvals/approval-waits';
import type { LimitName } from '#loop/run-limits';

/** A tool call of a run. */
export interface StepCall {
  readonly id: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Undefined until the tool has finished. */
  readonly success?: boolean;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly durationMs?: number;
}

/** One call to the model and the tool calls that it requested. */
export interface LoopStep {
  /** From 1. */
  readonly number: number;
  readonly thought: string;
  readonly calls: readonly StepCall[];
  readonly usage: TokenUsage;
  readonly startedAt: Date;
  readonly completedAt: Date | undefined;
}

/**
 * The events of a run. `step` is stored, not sent: emitted after the model's reply and again after
 * its tool calls.
 */
export type LoopEvent =
  | {
      readonly type: 'iteration';
      readonly number: number;
      readonly status: 'planning';
      readonly documents: readonly string[];
      /** Tokens of the model calls before this one. */
      readonly used: TokenUsage;
    }
  | { readonly type: 'thinking'; readonly thought: string }
  | ({ readonly type: 'tool_call' } & Pick<StepCall, 'id' | 'tool' | 'params'>)
  | ({ readonly type: 'tool_result' } & Required<
      Pick<StepCall, 'id' | 'tool' | 'success' | 'result' | 'durationMs'>
    > & {
        readonly documents: readonly string[];
      })
  | {
      readonly type: 'pending_approval';
      readonly approvalId: string;
      readonly callId: string;
      readonly tool: string;
      readonly params: Readonly<Record<string, unknown>>;
      readonly expiresAt: Date;
    }
  | {
      readonly type: 'approval_decided';
      readonly approvalId: string;
      readonly tool: string;
      readonly status: Decision['status'];
    }
  | { readonly type: 'content'; readonly delta: string }
  | { readonly type: 'step'; readonly step: LoopStep };

/** The outcome of a run. */
export interface LoopOutcome {
  /** The limit that ended it, if any. */
  readonly limit: LimitName | undefined;
  readonly stopReason: StopReason;
  readonly citations: readonly CitationEvent[];
  /** All sources that the model has read, in order of first use. */
  readonly sources: readonly SourceDocument[];
}
