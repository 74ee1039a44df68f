import type { MemoryMode } from '#agents/memory-modes';
import type { ToolCall } from '#tools/tool';

/** A memory that fits what was asked. */
export interface Recalled {
  readonly id: string;
  readonly kind: 'fact' | 'preference' | 'insight' | 'procedure';
  readonly content: string;
  /** 0 to 1. */
  readonly score: number;
}

/** A run that has come to its end, as memories may be drawn from it. */
export interface FinishedExchange {
  readonly agentId: string;
  readonly runId: string;
  readonly conversationId: string | undefined;
  readonly message: string;
  readonly answer: string;
}

/** What runs ask of an agent's memories. Neither call may hold a run up: both answer, empty-handed, within a few seconds. */
export interface Memories {
  /** The memories that fit a message best, the best first. */
  recall(call: ToolCall, agentId: string, message: string): Promise<readonly Recalled[]>;
  /** Keeps what is worth remembering, marked as proposed. */
  propose(call: ToolCall, exchange: FinishedExchange): Promise<void>;
}

/** Of an installation that keeps none. */
export const NO_MEMORIES: Memories = { recall: async () => [], propose: async () => undefined };

/** Whether runs of an agent are given its memories. */
export const recalls = (mode: MemoryMode): boolean => mode !== 'off';

/** Whether runs of an agent add to them. */
export const proposes = (mode: MemoryMode): boolean => mode === 'auto';
