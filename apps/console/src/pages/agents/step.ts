import { isRecord } from '#api/api-error.ts';
import type { AgentEvent } from '#api/stream-types.ts';

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
      return steps.map((step, index) =>
        index === at
          ? {
              ...step,
              success: data.success ?? !(isRecord(data.result) && 'error' in data.result),
              result: data.result,
            }
          : step,
      );
    }
  }
}

const AGENT_EVENTS: readonly string[] = ['agent_start', 'iteration', 'agent_thinking', 'tool_call', 'tool_result'];

export function isAgentEvent(event: { readonly event: string }): event is AgentEvent {
  return AGENT_EVENTS.includes(event.event);
}
