import type { Confidence, Source, SyncJob, Usage } from '#api/types.ts';

/** What an agent does while it works, in chat and in runs of its own. */
export type AgentEvent =
  | { readonly event: 'agent_start'; readonly data: { readonly iteration: number } }
  | { readonly event: 'iteration'; readonly data: { readonly number: number; readonly status: string } }
  | { readonly event: 'agent_thinking'; readonly data: { readonly thought: string } }
  | { readonly event: 'tool_call'; readonly data: { readonly tool: string; readonly params: unknown } }
  | {
      readonly event: 'tool_result';
      readonly data: { readonly tool: string; readonly success?: boolean; readonly result?: unknown };
    };

export type ChatEvent =
  | AgentEvent
  | { readonly event: 'message_start'; readonly data: { readonly id: string; readonly conversationId: string } }
  | { readonly event: 'content_delta'; readonly data: { readonly delta: string } }
  | { readonly event: 'sources'; readonly data: { readonly sources: readonly Source[] } }
  | {
      readonly event: 'message_end';
      readonly data: { readonly usage: Usage; readonly answer_confidence: Confidence | null };
    };

export type RunEvent =
  | AgentEvent
  | { readonly event: 'run_start'; readonly data: { readonly runId: string; readonly conversationId?: string } }
  | { readonly event: 'content'; readonly data: { readonly content: string } }
  | {
      readonly event: 'run_complete';
      readonly data: {
        readonly usage: Usage;
        readonly status: string;
        readonly limit: string | null;
        readonly sources: readonly Source[];
        readonly answer_confidence: Confidence | null;
      };
    };

export type JobEvent =
  | { readonly event: 'progress'; readonly data: SyncJob }
  | { readonly event: 'end'; readonly data: SyncJob };
