import type { SourceDocument } from '@lectern/grounding';
import type { ChatMessage, ChatModel } from '@lectern/llm';
import type { RunApprovals } from '#approvals/run-approvals';
import type { AgentTools } from '#loop/call-tools';
import type { RunLimits } from '#loop/run-limits';
import type { ToolCall } from '#tools/tool';

/** The task of a run. */
export interface LoopTask {
  readonly model: ChatModel;
  /** The maximum length of one reply, in tokens. */
  readonly maxTokens: number;
  /** The system prompt. */
  readonly instructions: string;
  /** Oldest first. */
  readonly history: readonly ChatMessage[];
  readonly message: string;
  /** The message as a self-contained question. */
  readonly question: string;
  readonly tools: AgentTools;
  /** Sources that were found before the first call to the model, for agents without tools. */
  readonly sources: readonly SourceDocument[];
  readonly limits: RunLimits;
  readonly approvals: RunApprovals;
  /** The call on whose behalf tools run. Its signal ends the run. */
  readonly run: ToolCall;
}
