import type { CitationEvent, SourceDocument, StopReason } from '@lectern/grounding';
import type { TokenUsage } from '@lectern/llm';
import type { LimitName } from '#loop/run-limits';

/** A call of a tool as a run keeps it. */
export interface StepCall {
  readonly id: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Left out until the tool has answered. */
  readonly success?: boolean;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly durationMs?: number;
}

/** One call of the model and the tools it asked for. */
export interface LoopStep {
  /** From 1. */
  readonly number: number;
  readonly thought: string;
  readonly calls: readonly StepCall[];
  readonly usage: TokenUsage;
  readonly startedAt: Date;
  readonly completedAt: Date | undefined;
}

/** What happens in a run. `step` is for its keeper: told once the model has spoken, and again when its tools have answered. */
export type LoopEvent =
  | {
      readonly type: 'iteration';
      readonly number: number;
      readonly status: 'planning';
      readonly documents: readonly string[];
    }
  | { readonly type: 'thinking'; readonly thought: string }
  | ({ readonly type: 'tool_call' } & Pick<StepCall, 'id' | 'tool' | 'params'>)
  | ({ readonly type: 'tool_result' } & Required<
      Pick<StepCall, 'id' | 'tool' | 'success' | 'result' | 'durationMs'>
    > & {
        readonly documents: readonly string[];
      })
  | { readonly type: 'content'; readonly delta: string }
  | { readonly type: 'step'; readonly step: LoopStep };

/** How a run came to its end. */
export interface LoopOutcome {
  /** The cap that ended it, where one did. */
  readonly limit: LimitName | undefined;
  readonly stopReason: StopReason;
  readonly citations: readonly CitationEvent[];
  /** Everything that the model was shown, in order of first sight. */
  readonly sources: readonly SourceDocument[];
}
