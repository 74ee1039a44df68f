import { createDatabaseAdapter, createLogger, type Logger } from '@lectern/service-kit';
import { type Clients, type Connections, connectServices, createClients } from '#clients';
import type { Config } from '#config';
import { PrismaClient } from '#gen/prisma/client';
import { createKeyCache, type KeyCache } from '#keys/key-cache';
import { createLifecycle, type Lifecycle } from '#lifecycle';

/** What the gateway's parts depend on. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: PrismaClient;
  readonly keys: KeyCache;
  readonly connections: Connections;
  readonly clients: Clients;
  readonly lifecycle: Lifecycle;
}

export const DATABASE_SCHEMA = 'gateway';

/** Makes the context. Lazy: neither database nor services need to be there yet. */
export function createContext(config: Config, overrides: Partial<Context> = {}): Context {
  const adapter = createDatabaseAdapter({ url: config.DATABASE_URL, schema: DATABASE_SCHEMA });
  const db = overrides.db ?? new PrismaClient({ adapter });
  const connections = overrides.connections ?? connectServices(config);
  return {
    config,
    log: createLogger({ service: 'gateway', level: config.LOG_LEVEL }),
    db,
    keys: createKeyCache(db),
    connections,
    clients: createClients(connections, config),
    lifecycle: createLifecycle(),
    ...overrides,
  };
}

/** Closes what the context opened. */
export async function closeContext({ connections, db }: Context): Promise<void> {
  for (const connection of Object.values(connections)) connection.close();
  await db.$disconnect();
}
