import {
  CollectionServiceDefinition,
  DatabaseServiceDefinition,
  DocumentServiceDefinition,
  SearchServiceDefinition,
  TeamModelServiceDefinition,
} from '@lectern/contracts';
import { createEgressGuard, type EgressGuard } from '@lectern/egress';
import { createExtractiveModel } from '@lectern/extractive';
import { createModels, createTeamModels, type Models, modelSettings, openTeamChoice } from '@lectern/llm';
import {
  type CallOrigin,
  connectGrpc,
  createLogger,
  createSecrets,
  type GrpcClient,
  isUnimplemented,
  type Logger,
  onBehalfOf,
  prismaOptions,
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
  /** The models that the team of a call can use: its own and those of the installation. */
  readonly modelsFor: (call: CallOrigin) => Models;
  readonly memories: Memories;
  /** The copy of memories in the vector store. */
  readonly memoryIndex: MemoryIndex;
  readonly egress: EgressGuard;
  /** Seals the secrets of tool servers, and opens the keys of model endpoints. */
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
  const db = new PrismaClient(prismaOptions({ url: config.DATABASE_URL, schema: SCHEMA }));
  const log = createLogger({ service: 'agent', level: config.LOG_LEVEL });
  const memoryIndex = createMemoryIndex(config, log);
  const collection = connectGrpc(config.COLLECTION_ADDRESS);
  const search = connectGrpc(config.SEARCH_ADDRESS);
  const connector = connectGrpc(config.CONNECTOR_ADDRESS);
  const chat = config.CHAT_ADDRESS === undefined ? undefined : connectGrpc(config.CHAT_ADDRESS);
  const egress = createEgressGuard({ allow: config.EGRESS_ALLOW });
  const secrets = createSecrets(config.LECTERN_MASTER_KEYS, log, {
    what: 'the secrets of tool servers and model endpoints',
    service: 'agent service',
  });
  return {
    config,
    log,
    db,
    collections: collection.client(CollectionServiceDefinition, { deadlineMs: 5_000 }),
    documents: collection.client(DocumentServiceDefinition),
    search: search.client(SearchServiceDefinition),
    // The timeout of a query, plus its connection.
    databases: connector.client(DatabaseServiceDefinition, { deadlineMs: 25_000 }),
    modelsFor: createModelsFor(config, chat, egress, secrets),
    memories: createMemories({ db, memoryIndex, log }),
    memoryIndex,
    egress,
    secrets,
    approvals: createApprovalWaits(db),
    runs: createActiveRuns(),
    templates: readTemplates(),
    close: async () => {
      for (const connection of [collection, search, connector, chat]) connection?.close();
      await egress.close();
      await db.$disconnect();
    },
    ...overrides,
  };
}

/** Reads the models of a team from the chat service for each run, so that a removed endpoint is never used. */
function createModelsFor(
  config: Config,
  chat: ReturnType<typeof connectGrpc> | undefined,
  egress: EgressGuard,
  secrets: Secrets,
): Context['modelsFor'] {
  const settings = modelSettings(config);
  const installation = createModels(createExtractiveModel(), settings);
  if (chat === undefined) return () => installation;
  const client = chat.client(TeamModelServiceDefinition, { deadlineMs: 5_000 });
  const teamModels = createTeamModels(installation, { fetch: egress.fetchWithinOrigin, retry: settings.retry });
  return (call) =>
    teamModels(async () => {
      const stored = await client.getTeamModels({}, onBehalfOf(call)).catch((error: unknown) => {
        // During an upgrade, a replica of the chat service can be older than this one and not know endpoints.
        // Such runs use the models of the installation.
        if (isUnimplemented(error)) return { endpoints: [], defaultModel: undefined };
        throw error;
      });
      return openTeamChoice(stored, secrets, call.caller.teamId);
    });
}
