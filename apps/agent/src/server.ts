import { fileURLToPath } from 'node:url';
import {
  AgentServiceDefinition,
  MemoryServiceDefinition,
  RunServiceDefinition,
  TemplateServiceDefinition,
} from '@lectern/contracts';
import {
  applyMigrations,
  notForEndUsers,
  type Running,
  repeat,
  serve,
  startGrpcServer,
  stopWithin,
} from '@lectern/service-kit';
import type { Config } from '#config';
import { type Context, createContext, SCHEMA } from '#context';
import { cancelRun } from '#handlers/cancel-run';
import { createAgent } from '#handlers/create-agent';
import { createFromTemplate } from '#handlers/create-from-template';
import { createMemory } from '#handlers/create-memory';
import { deleteAgent } from '#handlers/delete-agent';
import { deleteMemory } from '#handlers/delete-memory';
import { executeAgent } from '#handlers/execute-agent';
import { getAgent } from '#handlers/get-agent';
import { getMemory } from '#handlers/get-memory';
import { getRun } from '#handlers/get-run';
import { getTemplate } from '#handlers/get-template';
import { listAgents } from '#handlers/list-agents';
import { listMemories } from '#handlers/list-memories';
import { listRuns } from '#handlers/list-runs';
import { listTemplates } from '#handlers/list-templates';
import { searchMemories } from '#handlers/search-memories';
import { updateAgent } from '#handlers/update-agent';
import { updateMemory } from '#handlers/update-memory';
import { reconcileMemories, sweepMemories } from '#memories/maintain-memories';
import { maintainRuns } from '#runs/maintain-runs';

const MIGRATIONS = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

/** Starts the agent service. */
export async function startAgent(
  config: Config,
  overrides: Partial<Context> = {},
): Promise<Running & { readonly port: number }> {
  await applyMigrations({ url: config.DATABASE_URL, schema: SCHEMA, dir: MIGRATIONS });
  const context = createContext(config, overrides);
  await context.db.$connect();
  const server = await startGrpcServer({
    address: config.GRPC_ADDRESS,
    services: [
      serve(AgentServiceDefinition, {
        createAgent: notForEndUsers(createAgent(context)),
        getAgent: getAgent(context),
        listAgents: listAgents(context),
        updateAgent: notForEndUsers(updateAgent(context)),
        deleteAgent: notForEndUsers(deleteAgent(context)),
      }),
      serve(MemoryServiceDefinition, {
        createMemory: notForEndUsers(createMemory(context)),
        getMemory: getMemory(context),
        listMemories: listMemories(context),
        searchMemories: searchMemories(context),
        updateMemory: notForEndUsers(updateMemory(context)),
        deleteMemory: notForEndUsers(deleteMemory(context)),
      }),
      serve(RunServiceDefinition, {
        executeAgent: executeAgent(context),
        listRuns: listRuns(context),
        getRun: getRun(context),
        cancelRun: cancelRun(context),
      }),
      serve(TemplateServiceDefinition, {
        listTemplates: listTemplates(context),
        getTemplate: getTemplate(context),
        createFromTemplate: notForEndUsers(createFromTemplate(context)),
      }),
    ],
    log: context.log,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    dependencies: { postgresql: () => context.db.$queryRaw`SELECT 1` },
  });
  const watch = maintainRuns(context);
  const {
    config: { AGENT_SWEEP_INTERVAL_MS, AGENT_RECONCILE_INTERVAL_MS },
    log,
  } = context;
  const loops = [
    repeat({ name: 'memories', intervalMs: AGENT_SWEEP_INTERVAL_MS, log }, (signal) => sweepMemories(context, signal)),
    repeat({ name: 'reconcile', intervalMs: AGENT_RECONCILE_INTERVAL_MS, log }, (signal) =>
      reconcileMemories(context, signal),
    ),
  ];
  context.log.info({ port: server.port }, 'agent is listening');
  return {
    port: server.port,
    stop: async () => {
      const endRuns = async () => {
        await server.stop();
        await context.runs.idle();
      };
      await stopWithin(config.SHUTDOWN_TIMEOUT_MS, log, [endRuns(), ...loops.map((loop) => loop.stop())]);
      await watch.stop();
      await context.close();
    },
  };
}
