import { createExtractiveModel } from '@lectern/extractive';
import { createModels, type Models, modelSettings } from '@lectern/llm';
import { createDatabaseAdapter, createLogger, type Logger } from '@lectern/service-kit';
import type { Config } from '#config';
import { createTurnLeases, type TurnLeases } from '#conversations/turn-lease';
import { PrismaClient } from '#gen/prisma/client';
import { connectServices, type Services } from '#services/connect-services';

/** The service's PostgreSQL schema. */
export const SCHEMA = 'chat';

/** What the service works with. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: PrismaClient;
  readonly models: Models;
  readonly services: Services;
  readonly leases: TurnLeases;
  /** Turns that are under way, their clients gone or not. */
  readonly turns: Set<Promise<void>>;
  /** Aborted when the service ends; turns that nobody listens to any more end with it. */
  readonly ending: AbortController;
  close(): Promise<void>;
}

/** Connects to everything the service needs; nothing is called yet. */
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
