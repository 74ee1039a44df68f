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
  type RunningService,
  repeat,
  serve,
  startGrpcService,
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
import { setRunRetention } from '#handlers/set-run-retention';
import { updateAgent } from '#handlers/update-agent';
import { updateMemory } from '#handlers/update-memory';
import { reconcileMemories, sweepMemories } from '#memories/maintain-memories';
import { maintainRuns } from '#runs/maintain-runs';

const MIGRATIONS = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

/** Starts the agent service. */
export async function startAgent(config: Config, overrides: Partial<Context> = {}): Promise<RunningService> {
  await applyMigrations({ url: config.DATABASE_URL, schema: SCHEMA, dir: MIGRATIONS });
  const context = createContext(config, overrides);
  await context.db.$connect();
  const { db, log, runs } = context;
  const watch = maintainRuns(context);
  return startGrpcService({
    name: 'agent',
    config,
    log,
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
        setRunRetention: notForEndUsers(setRunRetention(context)),
      }),
      serve(TemplateServiceDefinition, {
        listTemplates: listTemplates(context),
        getTemplate: getTemplate(context),
        createFromTemplate: notForEndUsers(createFromTemplate(context)),
      }),
    ],
    dependencies: { postgresql: () => db.$queryRaw`SELECT 1` },
    startWork: () => [
      repeat({ name: 'memories', intervalMs: config.AGENT_SWEEP_INTERVAL_MS, log }, (signal) =>
        sweepMemories(context, signal),
      ),
      repeat({ name: 'reconcile', intervalMs: config.AGENT_RECONCILE_INTERVAL_MS, log }, (signal) =>
        reconcileMemories(context, signal),
      ),
    ],
    drain: () => runs.idle(),
    close: async () => {
      await watch.stop();
      await context.close();
    },
  });
}
