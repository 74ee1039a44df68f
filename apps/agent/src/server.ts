import { fileURLToPath } from 'node:url';
import {
  AgentServiceDefinition,
  MemoryServiceDefinition,
  RunServiceDefinition,
  ScheduleServiceDefinition,
  TemplateServiceDefinition,
  ToolServerServiceDefinition,
} from '@lectern/contracts';
import { eventService, maintainEvents } from '@lectern/events';
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
import { createToolServer } from '#handlers/create-tool-server';
import { decideApproval } from '#handlers/decide-approval';
import { deleteAgent } from '#handlers/delete-agent';
import { deleteMemory } from '#handlers/delete-memory';
import { executeAgent } from '#handlers/execute-agent';
import { getAgent } from '#handlers/get-agent';
import { getMemory } from '#handlers/get-memory';
import { getRun } from '#handlers/get-run';
import { getTemplate } from '#handlers/get-template';
import { listAgents } from '#handlers/list-agents';
import { listApprovals } from '#handlers/list-approvals';
import { listMemories } from '#handlers/list-memories';
import { listRuns } from '#handlers/list-runs';
import { listTemplates } from '#handlers/list-templates';
import { listWaitingApprovals } from '#handlers/list-waiting-approvals';
import {
  claimScheduleDeliveries,
  claimScheduleRuns,
  endScheduleDelivery,
  endScheduleRun,
  noteScheduleRun,
  renewScheduleRun,
} from '#handlers/schedule-work';
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listScheduleRuns,
  listSchedules,
  startSchedule,
} from '#handlers/schedules';
import { searchMemories } from '#handlers/search-memories';
import { setRunRetention } from '#handlers/set-run-retention';
import {
  deleteToolServer,
  getToolServer,
  listServerTools,
  listToolServers,
  refreshTools,
  testToolServer,
  updateServerTool,
} from '#handlers/tool-servers';
import { updateAgent } from '#handlers/update-agent';
import { updateMemory } from '#handlers/update-memory';
import { updateSchedule } from '#handlers/update-schedule';
import { updateToolServer } from '#handlers/update-tool-server';
import { reconcileMemories, sweepMemories } from '#memories/maintain-memories';
import { maintainRuns } from '#runs/maintain-runs';
import { startSchedules } from '#schedules/start-schedules';
import { rewrapServerSecrets } from '#tool-servers/rewrap-server-secrets';

const REWRAP_MS = 60_000;
const MIGRATIONS = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

/** Starts the agent service. */
export async function startAgent(config: Config, overrides: Partial<Context> = {}): Promise<RunningService> {
  await applyMigrations({ url: config.DATABASE_URL, schema: SCHEMA, dir: MIGRATIONS });
  const context = createContext(config, overrides);
  await context.db.$connect();
  const { approvals, db, log, runs, secrets } = context;
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
        listApprovals: listApprovals(context),
        listWaitingApprovals: listWaitingApprovals(context),
        decideApproval: decideApproval(context),
        setRunRetention: notForEndUsers(setRunRetention(context)),
      }),
      serve(ScheduleServiceDefinition, {
        listSchedules: notForEndUsers(listSchedules(context)),
        createSchedule: notForEndUsers(createSchedule(context)),
        getSchedule: notForEndUsers(getSchedule(context)),
        updateSchedule: notForEndUsers(updateSchedule(context)),
        deleteSchedule: notForEndUsers(deleteSchedule(context)),
        startSchedule: notForEndUsers(startSchedule(context)),
        listScheduleRuns: notForEndUsers(listScheduleRuns(context)),
        claimScheduleRuns: claimScheduleRuns(context),
        renewScheduleRun: renewScheduleRun(context),
        noteScheduleRun: noteScheduleRun(context),
        endScheduleRun: endScheduleRun(context),
        claimScheduleDeliveries: claimScheduleDeliveries(context),
        endScheduleDelivery: endScheduleDelivery(context),
      }),
      serve(ToolServerServiceDefinition, {
        createToolServer: notForEndUsers(createToolServer(context)),
        getToolServer: notForEndUsers(getToolServer(context)),
        listToolServers: notForEndUsers(listToolServers(context)),
        updateToolServer: notForEndUsers(updateToolServer(context)),
        deleteToolServer: notForEndUsers(deleteToolServer(context)),
        refreshTools: notForEndUsers(refreshTools(context)),
        testToolServer: notForEndUsers(testToolServer(context)),
        listServerTools: notForEndUsers(listServerTools(context)),
        updateServerTool: notForEndUsers(updateServerTool(context)),
      }),
      serve(TemplateServiceDefinition, {
        listTemplates: listTemplates(context),
        getTemplate: getTemplate(context),
        createFromTemplate: notForEndUsers(createFromTemplate(context)),
      }),
      eventService(db),
    ],
    dependencies: { postgresql: () => db.$queryRaw`SELECT 1` },
    startWork: () => [
      maintainEvents(db, log),
      repeat({ name: 'memories', intervalMs: config.AGENT_SWEEP_INTERVAL_MS, log }, (signal) =>
        sweepMemories(context, signal),
      ),
      repeat({ name: 'reconcile', intervalMs: config.AGENT_RECONCILE_INTERVAL_MS, log }, (signal) =>
        reconcileMemories(context, signal),
      ),
      approvals.start(log),
      startSchedules(db, log),
      repeat({ name: 'rewrap secrets', intervalMs: REWRAP_MS, log }, (signal) =>
        rewrapServerSecrets(db, secrets, log, signal),
      ),
    ],
    drain: () => {
      approvals.interrupt();
      return runs.idle();
    },
    close: async () => {
      await watch.stop();
      await context.close();
    },
  });
}
