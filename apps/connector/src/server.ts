import { fileURLToPath } from 'node:url';
import {
  ConnectorServiceDefinition,
  DatabaseServiceDefinition,
  FileServiceDefinition,
  ItemServiceDefinition,
  OAuthServiceDefinition,
  SyncServiceDefinition,
} from '@lectern/contracts';
import { eventService, maintainEvents } from '@lectern/events';
import {
  applyMigrations,
  notForEndUsers,
  type Running,
  type RunningService,
  repeat,
  serve,
  startGrpcService,
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
import { deleteItem } from '#handlers/delete-item';
import { describeAuthorization } from '#handlers/describe-authorization';
import { describeTables } from '#handlers/describe-tables';
import { getConnector } from '#handlers/get-connector';
import { getItem } from '#handlers/get-item';
import { getJob } from '#handlers/get-job';
import { getPageImage } from '#handlers/get-page-image';
import { initAuthorization } from '#handlers/init-authorization';
import { listConnectors } from '#handlers/list-connectors';
import { listDatabases } from '#handlers/list-databases';
import { listFiles } from '#handlers/list-files';
import { listItems } from '#handlers/list-items';
import { listJobs } from '#handlers/list-jobs';
import { pushItems } from '#handlers/push-items';
import { queryDatabase } from '#handlers/query-database';
import { cancelSnapshot, completeSnapshot, getSnapshot, startSnapshot } from '#handlers/snapshots';
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
    getPageImage: getPageImage(ctx),
    uploadFiles: notForEndUsers(uploadFiles(ctx)),
    deleteFiles: notForEndUsers(deleteFiles(ctx)),
  }),
  serve(ItemServiceDefinition, {
    pushItems: notForEndUsers(pushItems(ctx)),
    listItems: notForEndUsers(listItems(ctx)),
    getItem: notForEndUsers(getItem(ctx)),
    deleteItem: notForEndUsers(deleteItem(ctx)),
    startSnapshot: notForEndUsers(startSnapshot(ctx)),
    getSnapshot: notForEndUsers(getSnapshot(ctx)),
    completeSnapshot: notForEndUsers(completeSnapshot(ctx)),
    cancelSnapshot: notForEndUsers(cancelSnapshot(ctx)),
  }),
  serve(SyncServiceDefinition, {
    startSync: notForEndUsers(startSync(ctx)),
    startPermissionRefresh: notForEndUsers(startPermissionRefresh(ctx)),
    getJob: getJob(ctx),
    listJobs: listJobs(ctx),
    cancelJob: notForEndUsers(cancelJob(ctx)),
    watchJob: watchJob(ctx),
  }),
  eventService(ctx.db),
];

/** Starts the service. Stopping it waits for running work and closes the dependencies last. */
export async function startConnector(config: Config, overrides: Partial<Context> = {}): Promise<RunningService> {
  await applyMigrations({ url: config.DATABASE_URL, schema: DATABASE_SCHEMA, dir: MIGRATIONS });
  const { context: ctx, close } = await createContext(config, overrides);
  await removeAbandonedSpools().catch((err: unknown) => ctx.log.warn({ err }, 'could not remove abandoned files'));
  const { db, log, messaging } = ctx;
  await db.$connect();
  return startGrpcService({
    name: 'connector',
    config,
    log,
    services: services(ctx),
    dependencies: { postgresql: () => db.$queryRaw`SELECT 1`, nats: () => messaging.ping() },
    // Jobs are rows, and are queued when NATS is available again.
    worksWithout: ['nats'],
    startWork: () => [
      subscription(subscribeToDeletedCollections(ctx)),
      subscription(subscribeToDeletedDocuments(ctx)),
      consumePlans(ctx),
      consumeItems(ctx),
      repeat({ name: 'sweep', intervalMs: config.SWEEP_INTERVAL_MS, log }, (signal) => sweep(ctx, signal)),
      maintainSecrets(ctx),
      maintainEvents(db, log),
    ],
    close,
  });
}

const subscription = (unsubscribe: () => void): Running => ({ stop: async () => unsubscribe() });
