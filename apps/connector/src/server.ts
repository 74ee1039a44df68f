import { fileURLToPath } from 'node:url';
import {
  ConnectorServiceDefinition,
  DatabaseServiceDefinition,
  FileServiceDefinition,
  OAuthServiceDefinition,
  SyncServiceDefinition,
} from '@lectern/contracts';
import {
  applyMigrations,
  graceMs,
  notForEndUsers,
  type Running,
  repeat,
  serve,
  startGrpcServer,
  stopWithin,
} from '@lectern/service-kit';
import type { Config } from '#config';
import { type Context, createContext, DATABASE_SCHEMA } from '#context';
import { subscribeToDeletedDocuments } from '#files/files';
import { cancelJob } from '#handlers/cancel-job';
import { completeAuthorization } from '#handlers/complete-authorization';
import { createConnector } from '#handlers/create-connector';
import { deleteConnector } from '#handlers/delete-connector';
import { deleteConnectorDocument } from '#handlers/delete-connector-document';
import { deleteFiles } from '#handlers/delete-files';
import { describeAuthorization } from '#handlers/describe-authorization';
import { describeTables } from '#handlers/describe-tables';
import { getConnector } from '#handlers/get-connector';
import { getJob } from '#handlers/get-job';
import { initAuthorization } from '#handlers/init-authorization';
import { listConnectors } from '#handlers/list-connectors';
import { listDatabases } from '#handlers/list-databases';
import { listFiles } from '#handlers/list-files';
import { listJobs } from '#handlers/list-jobs';
import { queryDatabase } from '#handlers/query-database';
import { startPermissionRefresh } from '#handlers/start-permission-refresh';
import { startSync } from '#handlers/start-sync';
import { testConnector } from '#handlers/test-connector';
import { testSettings } from '#handlers/test-settings';
import { updateConnector } from '#handlers/update-connector';
import { uploadFiles } from '#handlers/upload-files';
import { watchJob } from '#handlers/watch-job';
import { maintainSecrets } from '#maintenance/maintain-secrets';
import { sweep } from '#maintenance/sweep';
import { subscribeToDeletedCollections } from '#sync/scheduler/deleted-collections';
import { consumeItems, consumePlans } from '#sync/worker/consume';
import { removeAbandonedSpools } from '#sync/worker/spool';

const MIGRATIONS = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

const services = (ctx: Context) => [
  serve(ConnectorServiceDefinition, {
    createConnector: notForEndUsers(createConnector(ctx)),
    getConnector: getConnector(ctx),
    listConnectors: listConnectors(ctx),
    updateConnector: notForEndUsers(updateConnector(ctx)),
    deleteConnector: notForEndUsers(deleteConnector(ctx)),
    testConnector: notForEndUsers(testConnector(ctx)),
    testSettings: notForEndUsers(testSettings(ctx)),
    deleteConnectorDocument: notForEndUsers(deleteConnectorDocument(ctx)),
  }),
  serve(DatabaseServiceDefinition, {
    listDatabases: listDatabases(ctx),
    describeTables: describeTables(ctx),
    queryDatabase: queryDatabase(ctx),
  }),
  serve(OAuthServiceDefinition, {
    initAuthorization: notForEndUsers(initAuthorization(ctx)),
    describeAuthorization: describeAuthorization(ctx),
    completeAuthorization: completeAuthorization(ctx),
  }),
  serve(FileServiceDefinition, {
    listFiles: listFiles(ctx),
    uploadFiles: notForEndUsers(uploadFiles(ctx)),
    deleteFiles: notForEndUsers(deleteFiles(ctx)),
  }),
  serve(SyncServiceDefinition, {
    startSync: notForEndUsers(startSync(ctx)),
    startPermissionRefresh: notForEndUsers(startPermissionRefresh(ctx)),
    getJob: getJob(ctx),
    listJobs: listJobs(ctx),
    cancelJob: notForEndUsers(cancelJob(ctx)),
    watchJob: watchJob(ctx),
  }),
];

export interface RunningConnector extends Running {
  readonly port: number;
}

/** Starts the service. Stopping it waits for running work and closes the dependencies last. */
export async function startConnector(config: Config, overrides: Partial<Context> = {}): Promise<RunningConnector> {
  await applyMigrations({ url: config.DATABASE_URL, schema: DATABASE_SCHEMA, dir: MIGRATIONS });
  const { context: ctx, close } = await createContext(config, overrides);
  await removeAbandonedSpools().catch((err: unknown) => ctx.log.warn({ err }, 'could not remove abandoned files'));
  const queues = [consumePlans(ctx), consumeItems(ctx)];
  const subscriptions = [subscribeToDeletedCollections(ctx), subscribeToDeletedDocuments(ctx)];
  const sweeper = repeat({ name: 'sweep', intervalMs: config.SWEEP_INTERVAL_MS, log: ctx.log }, (signal) =>
    sweep(ctx, signal),
  );
  const secrets = maintainSecrets(ctx);
  const server = await startGrpcServer({
    address: config.GRPC_ADDRESS,
    services: services(ctx),
    log: ctx.log,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    dependencies: { postgresql: () => ctx.db.$queryRaw`SELECT 1`, nats: () => ctx.messaging.ping() },
    // Jobs are rows, and are queued when NATS is available again.
    worksWithout: ['nats'],
  });
  ctx.log.info({ port: server.port }, 'connector is ready');
  return {
    port: server.port,
    stop: async () => {
      for (const unsubscribe of subscriptions) unsubscribe();
      await stopWithin(config.SHUTDOWN_TIMEOUT_MS, ctx.log, [
        server.stop(),
        ...queues.map((queue) => queue.stop(graceMs(config.SHUTDOWN_TIMEOUT_MS))),
        sweeper.stop(),
        secrets.stop(),
      ]);
      await close();
    },
  };
}
