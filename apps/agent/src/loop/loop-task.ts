import type { SourceDocument } from '@lectern/grounding';
import type { ChatMessage, ChatModel } from '@lectern/llm';
import type { GivenTools } from '#loop/call-tools';
import type { RunLimits } from '#loop/run-limits';
import type { ToolCall } from '#tools/tool';

/** What a run is to do. */
export interface LoopTask {
  readonly model: ChatModel;
  /** Of one reply. */
  readonly maxTokens: number;
  /** What stands above the conversation. */
  readonly instructions: string;
  /** Oldest first. */
  readonly history: readonly ChatMessage[];
  readonly message: string;
  /** The message made self-standing. */
  readonly question: string;
  readonly tools: GivenTools;
  /** What was found before the model speaks: for agents without tools. */
  readonly sources: readonly SourceDocument[];
  readonly limits: RunLimits;
  /** On whose behalf tools run; its signal ends the run. */
  readonly run: ToolCall;
}
