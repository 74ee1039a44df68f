import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { applyMigrations, type Running, repeat } from '@lectern/service-kit';
import { createApp } from '#app';
import { chargeExpiredReservations, purgeBudgetUse } from '#budgets/reservations';
import type { Config } from '#config';
import { type Context, closeContext, createContext, DATABASE_SCHEMA } from '#context';
import { startHttpServer } from '#http/http-server';
import { purgeRequests } from '#idempotency/request-store';
import { purgeLinks } from '#identity/link-store';
import { purgeSessions } from '#identity/session-store';
import { removeOldData } from '#retention/remove-old-data';
import { purgeSignatures } from '#signatures/use-signature';
import { purgeUsage } from '#usage/usage-counts';

/** The folder of the migrations. */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

const LAST_USED_MS = 2_000;
const PURGE_MS = 60_000;

/** Starts the periodic tasks. */
function startTasks({ config, db, log, lastUsed, sessionTimes, sessionsUsed, usage }: Context): Running {
  const purge = repeat({ name: 'purge', intervalMs: PURGE_MS, log }, async (signal) => {
    await purgeSignatures(db);
    await purgeRequests(db);
    await purgeUsage(db, config.USAGE_RETENTION_DAYS);
    await chargeExpiredReservations(db);
    await purgeBudgetUse(db, config.USAGE_RETENTION_DAYS);
    await removeOldData(db, signal);
    await purgeSessions(db, sessionTimes);
    await purgeLinks(db);
  });
  const tasks = [lastUsed.start(log, LAST_USED_MS), sessionsUsed.start(log, LAST_USED_MS), usage.start(log), purge];
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
