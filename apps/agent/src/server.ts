import { fileURLToPath } from 'node:url';
import { AgentServiceDefinition, RunServiceDefinition, TemplateServiceDefinition } from '@lectern/contracts';
import { applyMigrations, type Running, serve, startGrpcServer } from '@lectern/service-kit';
import type { Config } from '#config';
import { type Context, createContext, SCHEMA } from '#context';
import { cancelRun } from '#handlers/cancel-run';
import { createAgent } from '#handlers/create-agent';
import { createFromTemplate } from '#handlers/create-from-template';
import { deleteAgent } from '#handlers/delete-agent';
import { executeAgent } from '#handlers/execute-agent';
import { getAgent } from '#handlers/get-agent';
import { getRun } from '#handlers/get-run';
import { getTemplate } from '#handlers/get-template';
import { listAgents } from '#handlers/list-agents';
import { listRuns } from '#handlers/list-runs';
import { listTemplates } from '#handlers/list-templates';
import { updateAgent } from '#handlers/update-agent';
import { watchRuns } from '#runs/watch-runs';

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
        createAgent: createAgent(context),
        getAgent: getAgent(context),
        listAgents: listAgents(context),
        updateAgent: updateAgent(context),
        deleteAgent: deleteAgent(context),
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
        createFromTemplate: createFromTemplate(context),
      }),
    ],
    log: context.log,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    ready: () => context.db.$queryRaw`SELECT 1`,
  });
  const watch = watchRuns(context);
  context.log.info({ port: server.port }, 'agent is listening');
  return {
    port: server.port,
    stop: async () => {
      await server.stop();
      await context.runs.idle();
      await watch.stop();
      await context.close();
    },
  };
}
