import type { MemoryMode } from '#agents/memory-modes';
import type { ToolCall } from '#tools/tool';

/** A memory that is relevant to a question. */
export interface Recalled {
  readonly id: string;
  readonly kind: 'fact' | 'preference' | 'insight' | 'procedure';
  readonly content: string;
  /** 0 to 1. */
  readonly score: number;
}

/** A finished run that memories can be proposed from. */
interface FinishedExchange {
  readonly agentId: string;
  readonly runId: string;
  readonly conversationId: string | undefined;
  readonly message: string;
  readonly answer: string;
}

/**
 * An agent's memories, as runs use them. Both calls return within a few seconds so that they never
 * delay a run.
 */
export interface Memories {
  /** Returns the memories most relevant to a message, best first. */
  recall(call: ToolCall, agentId: string, message: string): Promise<readonly Recalled[]>;
  /** Stores what is worth remembering as proposed memories. */
  propose(call: ToolCall, exchange: FinishedExchange): Promise<void>;
}

/** Returns whether runs of an agent get its memories. */
export const recalls = (mode: MemoryMode): boolean => mode !== 'off';

/** Returns whether runs of an agent propose memories. */
export const proposes = (mode: MemoryMode): boolean => mode === 'auto';
