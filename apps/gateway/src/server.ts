import { fileURLToPath } from 'node:url';
import { applyMigrations, type Running } from '@lectern/service-kit';
import { createApp } from '#app';
import type { Config } from '#config';
import { type Context, closeContext, createContext, DATABASE_SCHEMA } from '#context';
import { startHttpServer } from '#http/http-server';

/** Where Prisma's migrations are. */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

/** Starts the gateway. It listens once its own database is up to date; the services behind it may come later. */
export async function startGateway(
  config: Config,
  overrides: Partial<Context> = {},
): Promise<Running & { readonly port: number }> {
  await applyMigrations({ url: config.DATABASE_URL, schema: DATABASE_SCHEMA, dir: MIGRATIONS_DIR });
  const ctx = createContext(config, overrides);
  const server = await startHttpServer(createApp(ctx), config);
  ctx.log.info({ port: server.port }, 'gateway listens');
  return {
    port: server.port,
    stop: async () => {
      ctx.lifecycle.stop();
      await server.stop(config.SHUTDOWN_TIMEOUT_MS, ctx.lifecycle.end);
      await closeContext(ctx);
    },
  };
}
