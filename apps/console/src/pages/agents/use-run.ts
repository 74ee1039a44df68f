import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { toError } from '#api/to-error.ts';
import type { RunEvent, RunSettings } from '#api/types.ts';
import { addStep, isAgentEvent } from '#pages/chat/step.ts';
import { EMPTY_REPLY, type Reply } from '#pages/chat/turn.ts';

/** The state of a run. */
export interface RunState {
  readonly message: string;
  readonly reply: Reply;
  /** The final status. Undefined while the run is active. */
  readonly status: string | undefined;
  readonly model: string | undefined;
  /** From the message to the end of the run. Undefined while the run is active. */
  readonly tookMs: number | undefined;
}

function addEvent(state: RunState, event: RunEvent): RunState {
  const { reply } = state;
  if (isAgentEvent(event)) return { ...state, reply: { ...reply, steps: addStep(reply.steps, event) } };
  switch (event.event) {
    case 'run_start':
      return { ...state, model: event.data.model, reply: { ...reply, id: event.data.runId } };
    case 'content':
      return { ...state, reply: { ...reply, content: reply.content + event.data.content } };
    case 'run_complete': {
      const { usage, status, sources, answer_confidence: confidence } = event.data;
      return { ...state, status, reply: { ...reply, usage, sources, confidence: confidence ?? undefined } };
    }
  }
}

/**
 * Runs an agent and streams its steps. Later messages continue the same conversation. Each run has the
 * settings at its start.
 */
export function useRun(agentId: string, settings?: RunSettings) {
  const queryClient = useQueryClient();
  const [runs, setRuns] = useState<readonly RunState[]>([]);
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<Error>();
  const conversationId = useRef<string>(undefined);
  const runId = useRef<string>(undefined);
  const aborter = useRef<AbortController>(undefined);
  useEffect(() => () => aborter.current?.abort(), []);

  async function follow(message: string, signal: AbortSignal) {
    const startedAt = performance.now();
    let state: RunState = { message, reply: EMPTY_REPLY, status: undefined, model: undefined, tookMs: undefined };
    setRuns((earlier) => [...earlier, state]);
    const body = {
      message,
      ...(settings === undefined ? {} : { settings }),
      ...(conversationId.current === undefined ? {} : { conversationId: conversationId.current }),
    };
    for await (const event of lectern().agents.execute(agentId, body, { signal })) {
      if (event.event === 'run_start') {
        conversationId.current = event.data.conversationId;
        runId.current = event.data.runId;
      }
      state = addEvent(state, event);
      if (state.status !== undefined) state = { ...state, tookMs: performance.now() - startedAt };
      const latest = state;
      setRuns((all) => [...all.slice(0, -1), latest]);
    }
  }

  function run(message: string) {
    aborter.current?.abort();
    const controller = new AbortController();
    aborter.current = controller;
    runId.current = undefined;
    setError(undefined);
    setIsRunning(true);
    follow(message, controller.signal)
      .catch((thrown: unknown) => {
        if (!controller.signal.aborted) setError(toError(thrown));
      })
      .finally(() => {
        setIsRunning(false);
        // The run may have proposed memories.
        for (const name of ['runs', 'memories']) void queryClient.invalidateQueries({ queryKey: [name, agentId] });
      });
  }

  function stop() {
    // A run that waits for an approval does not end with its stream.
    if (runId.current !== undefined)
      lectern()
        .runs.cancel(agentId, runId.current)
        .catch(() => undefined);
    aborter.current?.abort();
  }

  /** Begins a new conversation. */
  function startOver() {
    conversationId.current = undefined;
    setRuns([]);
    setError(undefined);
  }

  return { runs, isRunning, error, run, stop, startOver };
}
