import { isRecord } from '#api/is-record.ts';
import type { AgentRunRecord, ApprovalStatus, ChatEvent, RunEvent } from '#api/types.ts';
import { t } from '#texts/texts.ts';

/** A tool call that waits for a decision. `status` changes when it no longer waits. */
export interface Approval {
  readonly id: string;
  readonly agentId: string;
  readonly runId: string;
  readonly tool: string;
  readonly params: unknown;
  readonly expiresAt: string;
  readonly status: ApprovalStatus;
}

/** A displayed step of an agent. */
export interface Step {
  readonly kind: 'iteration' | 'thought' | 'call' | 'approval';
  readonly text: string;
  /** A tool call that waits, or waited, for an approval. */
  readonly approval?: Approval;
  /** The parameters of a tool call. */
  readonly params?: unknown;
  readonly result?: unknown;
  /** Undefined while the call is running. */
  readonly success?: boolean;
}

/** The approvals among the steps of a reply. */
export const approvalsOf = ({ steps }: { readonly steps: readonly Step[] }): readonly Approval[] =>
  steps.flatMap(({ approval }) => approval ?? []);

/** The events of an agent's steps, in chats and in runs. */
const AGENT_EVENTS = [
  ...(['agent_start', 'iteration', 'agent_thinking', 'tool_call', 'tool_result'] as const),
  ...(['pending_approval', 'approval_decided'] as const),
] as const;
type AgentEvent = Extract<ChatEvent | RunEvent, { event: (typeof AGENT_EVENTS)[number] }>;

export function isAgentEvent(event: { readonly event: string }): event is AgentEvent {
  return AGENT_EVENTS.some((name) => name === event.event);
}

function turnText({ number, status }: { readonly number: number; readonly status: string }): string {
  const does = status === 'planning' ? t('chat.steps.planning') : status;
  return t('chat.steps.turnWithStatus', { number, status: does });
}

/** Adds an event to the steps. */
export function addStep(steps: readonly Step[], { event, data }: AgentEvent): readonly Step[] {
  switch (event) {
    case 'agent_start':
      return [...steps, { kind: 'iteration', text: t('chat.steps.turn', { number: data.iteration }) }];
    case 'iteration':
      return [...steps, { kind: 'iteration', text: turnText(data) }];
    case 'agent_thinking':
      return [...steps, { kind: 'thought', text: data.thought }];
    case 'tool_call':
      return [...steps, { kind: 'call', text: data.tool, params: data.params }];
    case 'pending_approval': {
      const { approvalId: id, tool, ...call } = data;
      return [...steps, { kind: 'approval', text: tool, approval: { id, tool, status: 'pending', ...call } }];
    }
    case 'approval_decided':
      return steps.map((step) =>
        step.approval?.id === data.approvalId ? { ...step, approval: { ...step.approval, status: data.status } } : step,
      );
    case 'tool_result': {
      // Results arrive in the order of the calls.
      const at = steps.findIndex(
        ({ kind, text, success }) => kind === 'call' && text === data.tool && success === undefined,
      );
      const success = 'success' in data ? data.success : !(isRecord(data.result) && 'error' in data.result);
      return steps.map((step, index) => (index === at ? { ...step, success, result: data.result } : step));
    }
  }
}

/** The steps of a stored run. */
export function storedSteps(run: AgentRunRecord): readonly Step[] {
  return run.steps.flatMap(({ number, thought, toolCalls }): readonly Step[] => [
    { kind: 'iteration', text: t('chat.steps.turn', { number }) },
    ...(thought ? [{ kind: 'thought', text: thought } as const] : []),
    ...toolCalls.map(
      ({ tool, params, result, success }): Step => ({
        kind: 'call',
        text: tool,
        params,
        ...(result === null ? {} : { result }),
        // No call is running after the run has ended.
        success: success ?? false,
      }),
    ),
  ]);
}
