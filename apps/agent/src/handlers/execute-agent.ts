import type { ExecuteAgentRequest, RunEvent } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { runAgent } from '#runs/run-agent';
import { readRunRequest } from '#runs/run-request';

/** Runs an agent. */
export const executeAgent = (context: Context) =>
  async function* executeAgent(
    request: ExecuteAgentRequest,
    call: ServiceCall,
  ): AsyncGenerator<RunEvent, void, undefined> {
    yield* runAgent(context, call, readRunRequest(request));
  };
