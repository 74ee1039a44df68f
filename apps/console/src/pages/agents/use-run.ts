import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { streamEvents } from '#api/events.ts';
import type { RunEvent } from '#api/stream-types.ts';
import type { Usage } from '#api/types.ts';
import { addStep, isAgentEvent, type Step } from '#pages/agents/step.ts';

/** A run of an agent, as far as it has come. */
export interface RunState {
  readonly message: string;
  readonly steps: readonly Step[];
  readonly content: string;
  readonly usage: Usage | undefined;
  /** How it ended, where that is not simply with an answer. */
  readonly status: string | undefined;
}

function addEvent(state: RunState, event: RunEvent): RunState {
  if (isAgentEvent(event)) return { ...state, steps: addStep(state.steps, event) };
  switch (event.event) {
    case 'run_start':
      return state;
    case 'content':
      return { ...state, content: state.content + event.data.content };
    case 'run_complete':
      return { ...state, usage: event.data.usage, status: event.data.status };
  }
}

/** Runs an agent and follows its steps. Later messages go on with the same conversation. */
export function useRun(agentId: string) {
  const queryClient = useQueryClient();
  const [runs, setRuns] = useState<readonly RunState[]>([]);
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<Error>();
  const conversationId = useRef<string>(undefined);
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);

  async function follow(message: string, signal: AbortSignal) {
    let state: RunState = { message, steps: [], content: '', usage: undefined, status: undefined };
    setRuns((earlier) => [...earlier, state]);
    const body = {
      message,
      ...(conversationId.current === undefined ? {} : { conversationId: conversationId.current }),
    };
    const path = `/api/v1/agents/${agentId}/execute/stream`;
    for await (const event of streamEvents<RunEvent>('POST', path, 'run_complete', { body, signal })) {
      if (event.event === 'run_start') conversationId.current = event.data.conversationId ?? conversationId.current;
      state = addEvent(state, event);
      const latest = state;
      setRuns((all) => [...all.slice(0, -1), latest]);
    }
    await queryClient.invalidateQueries({ queryKey: ['runs', agentId] });
  }

  function run(message: string) {
    leaving.current?.abort();
    const controller = new AbortController();
    leaving.current = controller;
    setError(undefined);
    setIsRunning(true);
    follow(message, controller.signal)
      .catch((thrown: unknown) => {
        if (!controller.signal.aborted) setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
      })
      .finally(() => setIsRunning(false));
  }

  return { runs, isRunning, error, run, stop: () => leaving.current?.abort() };
}
