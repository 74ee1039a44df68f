import {
  CollectionServiceDefinition,
  DatabaseServiceDefinition,
  DocumentServiceDefinition,
  SearchServiceDefinition,
} from '@lectern/contracts';
import { createEgressGuard, type EgressGuard } from '@lectern/egress';
import { createExtractiveModel } from '@lectern/extractive';
import { createModels, type Models, modelSettings } from '@lectern/llm';
import {
  connectGrpc,
  createDatabaseAdapter,
  createLogger,
  createSecrets,
  type GrpcClient,
  type Logger,
  type Secrets,
} from '@lectern/service-kit';
import { type ApprovalWaits, createApprovalWaits } from '#approvals/approval-waits';
import type { Config } from '#config';
import { PrismaClient } from '#gen/prisma/client';
import { createMemories } from '#memories/create-memories';
import type { Memories } from '#memories/memories';
import { createMemoryIndex, type MemoryIndex } from '#memories/memory-index';
import { type ActiveRuns, createActiveRuns } from '#runs/active-runs';
import { readTemplates } from '#templates/read-templates';
import type { Template } from '#templates/template';

/** The service's PostgreSQL schema. */
export const SCHEMA = 'agent';

/** The service's dependencies. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: PrismaClient;
  readonly collections: GrpcClient<typeof CollectionServiceDefinition>;
  readonly documents: GrpcClient<typeof DocumentServiceDefinition>;
  readonly search: GrpcClient<typeof SearchServiceDefinition>;
  readonly databases: GrpcClient<typeof DatabaseServiceDefinition>;
  readonly models: Models;
  readonly memories: Memories;
  /** The copy of memories in the vector store. */
  readonly memoryIndex: MemoryIndex;
  readonly egress: EgressGuard;
  /** Seals the secrets of tool servers. */
  readonly secrets: Secrets;
  /** The approvals that runs of this process wait for. */
  readonly approvals: ApprovalWaits;
  /** The active runs of this process. */
  readonly runs: ActiveRuns;
  /** By name. */
  readonly templates: readonly Template[];
  close(): Promise<void>;
}

/** Creates the clients that the service needs. Makes no calls yet. */
export function createContext(config: Config, overrides: Partial<Context> = {}): Context {
  const db = new PrismaClient({ adapter: createDatabaseAdapter({ url: config.DATABASE_URL, schema: SCHEMA }) });
  const log = createLogger({ service: 'agent', level: config.LOG_LEVEL });
  const memoryIndex = createMemoryIndex(config, log);
  const collection = connectGrpc(config.COLLECTION_ADDRESS);
  const search = connectGrpc(config.SEARCH_ADDRESS);
  const connector = connectGrpc(config.CONNECTOR_ADDRESS);
  const egress = createEgressGuard({ allow: config.EGRESS_ALLOW });
  return {
    config,
    log,
    db,
    collections: collection.client(CollectionServiceDefinition, { deadlineMs: 5_000 }),
    documents: collection.client(DocumentServiceDefinition),
    search: search.client(SearchServiceDefinition),
    // The timeout of a query, plus its connection.
    databases: connector.client(DatabaseServiceDefinition, { deadlineMs: 25_000 }),
    models: createModels(createExtractiveModel(), modelSettings(config)),
    memories: createMemories({ db, memoryIndex, log }),
    memoryIndex,
    egress,
    secrets: createSecrets(config.LECTERN_MASTER_KEYS, log, {
      what: 'the secrets of tool servers',
      service: 'agent service',
    }),
    approvals: createApprovalWaits(db),
    runs: createActiveRuns(),
    templates: readTemplates(),
    close: async () => {
      for (const connection of [collection, search, connector]) connection.close();
      await egress.close();
      await db.$disconnect();
    },
    ...overrides,
  };
}
