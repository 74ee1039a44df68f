import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { applyMigrations, type Running, repeat } from '@lectern/service-kit';
import { createApp } from '#app';
import { purgeClients } from '#apps/client-store';
import { chargeExpiredReservations, purgeBudgetUse } from '#budgets/reservations';
import { resolveTestChargesWhileActive } from '#budgets/test-charges';
import type { Config } from '#config';
import { type Context, closeContext, createContext, DATABASE_SCHEMA } from '#context';
import { startHttpServer } from '#http/http-server';
import { purgeRequests } from '#idempotency/request-store';
import { purgeGrants } from '#identity/app-grant-store';
import { purgeChallenges } from '#identity/challenge-store';
import { purgeLinks } from '#identity/link-store';
import { purgeAttempts } from '#identity/oidc/attempts';
import { definedProviderStore } from '#identity/oidc/defined-providers';
import { rewrapClientSecrets } from '#identity/oidc/provider-store';
import { purgeSessions } from '#identity/session-store';
import { purgeUserTokens } from '#keys/user-token-store';
import { removeOldData } from '#retention/remove-old-data';
import { startScheduleDeliveries, startScheduleRuns } from '#schedules/workers';
import { purgeSearches } from '#search-log/read-searches';
import { purgeSignatures } from '#signatures/use-signature';
import { rewrapSlackSecrets } from '#slack/app-store';
import { purgeSlack } from '#slack/inbox';
import { startSlackSockets } from '#slack/sockets';
import { startSlackWorker } from '#slack/worker';
import { purgeUsage } from '#usage/usage-counts';
import { purgeDeliveries } from '#webhooks/purge-deliveries';
import { rewrapWebhookSecrets } from '#webhooks/webhook-secrets';
import { finishDeletions } from '#webhooks/webhook-store';

/** The folder of the migrations. */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

const LAST_USED_MS = 2_000;
const FAILED_SIGN_INS_MS = 2_000;
const PURGE_MS = 60_000;
const PROVIDERS_MS = 5_000;
const CHARGES_MS = 1_000;

/** Starts the periodic tasks. */
function startTasks(ctx: Context): Running {
  const { appsUsed, config, db, failedSignIns, log, lastUsed, secrets, searchLog, sessionTimes, sessionsUsed, usage } =
    ctx;
  const storeProviders = definedProviderStore(db, secrets, config.OIDC_PROVIDERS, log);
  const providers = repeat({ name: 'identity providers', intervalMs: PROVIDERS_MS, log }, storeProviders);
  const charges = repeat({ name: 'charges of test runs', intervalMs: CHARGES_MS, log }, (signal) =>
    resolveTestChargesWhileActive(ctx, signal),
  );
  const purges: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>> = {
    signatures: () => purgeSignatures(db),
    requests: () => purgeRequests(db),
    usage: () => purgeUsage(db, config.USAGE_RETENTION_DAYS),
    searches: () => purgeSearches(db, config.SEARCH_ANALYTICS_RETENTION_DAYS),
    reservations: () => chargeExpiredReservations(db),
    'use of budgets': () => purgeBudgetUse(db, config.USAGE_RETENTION_DAYS),
    'old data': (signal) => removeOldData(db, signal),
    sessions: (signal) => purgeSessions(db, sessionTimes, signal),
    links: () => purgeLinks(db),
    attempts: (signal) => purgeAttempts(db, signal),
    'user tokens': (signal) => purgeUserTokens(db, signal),
    challenges: () => purgeChallenges(db),
    apps: (signal) => purgeGrants(db, signal),
    'clients of apps': (signal) => purgeClients(db, signal),
    webhooks: () => finishDeletions(db),
    deliveries: (signal) => purgeDeliveries(db, signal),
    'events of Slack': (signal) => purgeSlack(db, signal),
  };
  // One failure must not stop the others. One after another, so that requests keep the connections.
  const purge = repeat({ name: 'purge', intervalMs: PURGE_MS, log }, async (signal) => {
    for (const [name, remove] of Object.entries(purges)) {
      if (signal.aborted) return;
      await remove(signal).catch((err: unknown) => log.warn({ err, work: name }, 'could not purge; will retry'));
    }
  });
  const tasks = [
    lastUsed.start(log, LAST_USED_MS),
    sessionsUsed.start(log, LAST_USED_MS),
    appsUsed.start(log, LAST_USED_MS),
    failedSignIns.start(log, FAILED_SIGN_INS_MS),
    usage.start(log),
    searchLog.start(log),
    ctx.webhooks.start(),
    providers,
    charges,
    purge,
    startSlackWorker(ctx),
    startScheduleRuns(ctx),
    startScheduleDeliveries(ctx),
    startSlackSockets(ctx),
  ];
  return { stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))) };
}

/**
 * Starts the gateway. It listens as soon as its own database is migrated; the services behind it
 * can start later.
 */
export async function startGateway(
  config: Config,
  overrides: Partial<Context> = {},
): Promise<Running & { readonly port: number }> {
  await applyMigrations({ url: config.DATABASE_URL, schema: DATABASE_SCHEMA, dir: MIGRATIONS_DIR });
  const ctx = createContext(config, overrides);
  await rewrapClientSecrets(ctx.db, ctx.secrets, ctx.log);
  await rewrapWebhookSecrets(ctx.db, ctx.secrets, ctx.log);
  await rewrapSlackSecrets(ctx.db, ctx.secrets, ctx.log);
  const server = await startHttpServer(createApp(ctx), config);
  const tasks = startTasks(ctx);
  ctx.log.info({ port: server.port }, 'gateway is listening');
  return {
    port: server.port,
    stop: async () => {
      ctx.lifecycle.drain();
      await delay(config.DRAIN_MS);
      ctx.lifecycle.stop();
      await server.stop(config.SHUTDOWN_TIMEOUT_MS, ctx.lifecycle.end);
      await tasks.stop();
      await closeContext(ctx);
    },
  };
}
