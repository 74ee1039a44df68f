import { createEgressGuard } from '@lectern/egress';
import { createExtractiveModel } from '@lectern/extractive';
import { createModels, createTeamModels, type EndpointOptions, type Models, modelSettings } from '@lectern/llm';
import { createLogger, createSecrets, type Logger, prismaOptions, type Secrets } from '@lectern/service-kit';
import type { Config } from '#config';
import { createTurnLeases, type TurnLeases } from '#conversations/turn-lease';
import { PrismaClient } from '#gen/prisma/client';
import { readTeamChoice } from '#model-endpoints/team-choice';
import { connectServices, type Services } from '#services/connect-services';

/** The service's PostgreSQL schema. */
export const SCHEMA = 'chat';

/** The service's dependencies. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: PrismaClient;
  /** The models of the installation. */
  readonly models: Models;
  /** The models that a team can use: its own and those of the installation. */
  readonly modelsOf: (teamId: string) => Models;
  /** Seals the keys of model endpoints. */
  readonly secrets: Secrets;
  /** How to connect to model endpoints. */
  readonly endpointOptions: EndpointOptions;
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
  const db = new PrismaClient(prismaOptions({ url: config.DATABASE_URL, schema: SCHEMA }));
  const services = connectServices(config);
  const log = createLogger({ service: 'chat', level: config.LOG_LEVEL });
  const leases = createTurnLeases(db, log);
  const egress = createEgressGuard({ allow: config.EGRESS_ALLOW });
  const settings = modelSettings(config);
  const models = overrides.models ?? createModels(createExtractiveModel(), settings);
  const secrets = createSecrets(config.LECTERN_MASTER_KEYS, log, {
    what: 'the keys of model endpoints',
    service: 'chat service',
  });
  const endpointOptions = { fetch: egress.fetchWithinOrigin, retry: settings.retry };
  const teamModels = createTeamModels(models, endpointOptions);
  return {
    config,
    log,
    db,
    models,
    modelsOf: (teamId) => teamModels(() => readTeamChoice(db, secrets, teamId)),
    secrets,
    endpointOptions,
    services,
    leases,
    turns: new Set(),
    ending: new AbortController(),
    close: async () => {
      services.close();
      await egress.close();
      await leases.stop();
      await db.$disconnect();
    },
    ...overrides,
  };
}
