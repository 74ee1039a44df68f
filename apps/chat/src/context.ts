import { createExtractiveModel } from '@lectern/extractive';
import { createModels, type Models, modelSettings } from '@lectern/llm';
import { createDatabaseAdapter, createLogger, type Logger } from '@lectern/service-kit';
import type { Config } from '#config';
import { createTurnLeases, type TurnLeases } from '#conversations/turn-lease';
import { PrismaClient } from '#gen/prisma/client';
import { connectServices, type Services } from '#services/connect-services';

/** The service's PostgreSQL schema. */
export const SCHEMA = 'chat';

/** The service's dependencies. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: PrismaClient;
  readonly models: Models;
  readonly services: Services;
  readonly leases: TurnLeases;
  /** Turns in progress, including those whose client has disconnected. */
  readonly turns: Set<Promise<void>>;
  /** Aborted when the service stops, to end turns without a client. */
  readonly ending: AbortController;
  close(): Promise<void>;
}

/** Creates the clients that the service needs. Makes no calls yet. */
export function createContext(config: Config, overrides: Partial<Context> = {}): Context {
  const db = new PrismaClient({ adapter: createDatabaseAdapter({ url: config.DATABASE_URL, schema: SCHEMA }) });
  const services = connectServices(config);
  const log = createLogger({ service: 'chat', level: config.LOG_LEVEL });
  const leases = createTurnLeases(db, log);
  return {
    config,
    log,
    db,
    models: createModels(createExtractiveModel(), modelSettings(config)),
    services,
    leases,
    turns: new Set(),
    ending: new AbortController(),
    close: async () => {
      services.close();
      await leases.stop();
      await db.$disconnect();
    },
    ...overrides,
  };
}
