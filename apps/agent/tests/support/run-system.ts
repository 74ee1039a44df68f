import {
  AgentServiceDefinition,
  type ExecuteAgentRequest,
  type RunEvent,
  RunServiceDefinition,
} from '@lectern/contracts';
import { type Caller, connectGrpc, type GrpcClient } from '@lectern/service-kit';
import { callAs, type TestDatabase, testDatabase } from '@lectern/testing';
import { readConfig } from '#config';
import type { Context } from '#context';
import { startAgent } from '#server';

type Value<Case extends string> = Extract<NonNullable<RunEvent['event']>, { $case: Case }>['value'];

/** The observed events of a run. */
export interface ObservedRun {
  /** The names of the events in order. Consecutive `content` events count as one. */
  readonly order: readonly string[];
  readonly runId: string;
  readonly content: string;
  readonly calls: readonly Value<'toolCall'>[];
  readonly results: readonly Value<'toolResult'>[];
  readonly thoughts: readonly string[];
  readonly completed: Value<'completed'> | undefined;
  /** The error if the run failed. */
  readonly failure: unknown;
}

/**
 * The agent service in this process, on its own database. `env` contains the addresses of other
 * services.
 */
export interface RunSystem {
  readonly database: TestDatabase;
  readonly address: string;
  readonly agents: GrpcClient<typeof AgentServiceDefinition>;
  readonly runs: GrpcClient<typeof RunServiceDefinition>;
  /** Runs an agent to its end. `watch` is called for each event as it arrives. */
  run(request: Partial<ExecuteAgentRequest>, caller: Caller, watch?: Watch): Promise<ObservedRun>;
  stop(): Promise<void>;
}

interface Watch {
  readonly onEvent?: (event: NonNullable<RunEvent['event']>, runId: string) => unknown;
  readonly signal?: AbortSignal;
}

export async function startRunSystem(
  env: Readonly<Record<string, string>>,
  {
    database: sharedDatabase,
    context = {},
  }: { readonly database?: TestDatabase; readonly context?: Partial<Context> } = {},
): Promise<RunSystem> {
  const database = sharedDatabase ?? (await testDatabase());
  const unreachable = '127.0.0.1:1';
  const config = readConfig({
    DATABASE_URL: database.url,
    GRPC_ADDRESS: '127.0.0.1:0',
    COLLECTION_ADDRESS: unreachable,
    SEARCH_ADDRESS: unreachable,
    CONNECTOR_ADDRESS: unreachable,
    LOG_LEVEL: 'silent',
    SHUTDOWN_TIMEOUT_MS: '500',
    ...env,
  });
  const app = await startAgent(config, context);
  const connection = connectGrpc(`127.0.0.1:${app.port}`);
  const runs = connection.client(RunServiceDefinition);
  return {
    database,
    address: `127.0.0.1:${app.port}`,
    agents: connection.client(AgentServiceDefinition),
    runs,
    run: (request, caller, watch) => follow(runs, request, caller, watch),
    stop: async () => {
      connection.close();
      await app.stop();
      if (sharedDatabase === undefined) await database.drop();
    },
  };
}

async function follow(
  runs: GrpcClient<typeof RunServiceDefinition>,
  request: Partial<ExecuteAgentRequest>,
  caller: Caller,
  { onEvent, signal }: Watch = {},
): Promise<ObservedRun> {
  const observed = {
    order: [] as string[],
    runId: '',
    content: '',
    calls: [] as Value<'toolCall'>[],
    results: [] as Value<'toolResult'>[],
    thoughts: [] as string[],
    completed: undefined as Value<'completed'> | undefined,
    failure: undefined as unknown,
  };
  try {
    for await (const { event } of runs.executeAgent(request, { ...callAs(caller, signal), deadline: 60_000 })) {
      if (event === undefined) continue;
      if (event.$case !== 'content' || observed.order.at(-1) !== 'content') observed.order.push(event.$case);
      if (event.$case === 'started') observed.runId = event.value.runId;
      if (event.$case === 'content') observed.content += event.value.delta;
      if (event.$case === 'toolCall') observed.calls.push(event.value);
      if (event.$case === 'toolResult') observed.results.push(event.value);
      if (event.$case === 'thinking') observed.thoughts.push(event.value.thought);
      if (event.$case === 'completed') observed.completed = event.value;
      await onEvent?.(event, observed.runId);
    }
  } catch (failure) {
    observed.failure = failure;
  }
  return observed;
}
