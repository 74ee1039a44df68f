import { isRecord } from '#api/is-record.ts';
import type { AgentRunRecord, ChatEvent, RunEvent } from '#api/types.ts';

/** A step of an agent's work, as people read it. */
export interface Step {
  readonly kind: 'iteration' | 'thought' | 'call';
  readonly text: string;
  /** Of a call of a tool. */
  readonly params?: unknown;
  readonly result?: unknown;
  /** Undefined while it is at work. */
  readonly success?: boolean;
}

/** What an agent does while it works, in chat and in runs of its own. */
const AGENT_EVENTS = ['agent_start', 'iteration', 'agent_thinking', 'tool_call', 'tool_result'] as const;
type AgentEvent = Extract<ChatEvent | RunEvent, { event: (typeof AGENT_EVENTS)[number] }>;

export function isAgentEvent(event: { readonly event: string }): event is AgentEvent {
  return AGENT_EVENTS.some((name) => name === event.event);
}

/** The steps, with what an event adds to them. */
export function addStep(steps: readonly Step[], { event, data }: AgentEvent): readonly Step[] {
  switch (event) {
    case 'agent_start':
      return [...steps, { kind: 'iteration', text: `Turn ${data.iteration}` }];
    case 'iteration':
      return [...steps, { kind: 'iteration', text: `Turn ${data.number}: ${data.status}` }];
    case 'agent_thinking':
      return [...steps, { kind: 'thought', text: data.thought }];
    case 'tool_call':
      return [...steps, { kind: 'call', text: data.tool, params: data.params }];
    case 'tool_result': {
      // Results come in the order of the calls.
      const at = steps.findIndex(
        ({ kind, text, success }) => kind === 'call' && text === data.tool && success === undefined,
      );
      const success = 'success' in data ? data.success : !(isRecord(data.result) && 'error' in data.result);
      return steps.map((step, index) => (index === at ? { ...step, success, result: data.result } : step));
    }
  }
}

/** The steps of a run that was kept. */
export function storedSteps(run: AgentRunRecord): readonly Step[] {
  return run.steps.flatMap(({ number, thought, toolCalls }): readonly Step[] => [
    { kind: 'iteration', text: `Turn ${number}` },
    ...(thought ? [{ kind: 'thought', text: thought } as const] : []),
    ...toolCalls.map(
      ({ tool, params, result, success }): Step => ({
        kind: 'call',
        text: tool,
        params,
        ...(result === null ? {} : { result }),
        // A run that has ended holds no call at work.
        success: success ?? false,
      }),
    ),
  ]);
}
