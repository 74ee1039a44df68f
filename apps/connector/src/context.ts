import {
  type BlobStore,
  type ConnectorType,
  connectorTypes,
  createEgressGuard,
  type EgressGuard,
} from '@lectern/connectors';
import { createParserPool, type ParserPool } from '@lectern/documents';
import { createMessaging, type Messaging } from '@lectern/messaging';
import { connectGrpc, createDatabaseAdapter, createLogger, type Logger } from '@lectern/service-kit';
import { PrismaClient } from '#gen/prisma/client';
import { createDocumentIndex, type DocumentIndex } from './clients/document-index.ts';
import type { Config } from './config.ts';
import { createSources, type Sources } from './connectors/open-source.ts';
import { createRatePauses } from './connectors/rate-pauses.ts';
import type { MasterKeys } from './credentials/master-keys.ts';
import { createSecretStore, type SecretStore } from './credentials/secret-store.ts';
import { openBlobStore } from './files/open-blob-store.ts';
import { createJobMover, type JobMover } from './jobs/job-mover.ts';
import { createProgress, type Progress } from './jobs/progress.ts';

/** What the service's parts depend on. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly db: PrismaClient;
  readonly messaging: Messaging;
  readonly index: DocumentIndex;
  readonly parser: ParserPool;
  readonly blobs: BlobStore;
  readonly types: readonly ConnectorType[];
  readonly egress: EgressGuard;
  readonly masterKeys: MasterKeys | undefined;
  readonly secrets: SecretStore;
  readonly sources: Sources;
  readonly progress: Progress;
  readonly mover: JobMover;
}

/** A context and the end of what it opened. */
export interface OpenContext {
  readonly context: Context;
  close(): Promise<void>;
}

export const DATABASE_SCHEMA = 'connector';

/** Opens everything. What `overrides` brings is used as it is, and left open at the end. */
export async function createContext(config: Config, overrides: Partial<Context> = {}): Promise<OpenContext> {
  const log = overrides.log ?? createLogger({ service: 'connector', level: config.LOG_LEVEL });
  const closers: (() => unknown)[] = [];
  const own = <T>(value: T, close: (value: T) => unknown): T => {
    closers.unshift(() => close(value));
    return value;
  };

  const egress = overrides.egress ?? own(createEgressGuard({ allow: config.EGRESS_ALLOW }), (opened) => opened.close());
  const blobs = overrides.blobs ?? (await openBlobStore(config, egress));
  const messaging =
    overrides.messaging ??
    own(
      await createMessaging({ url: config.NATS_URL, name: 'connector', log, replicas: config.NATS_REPLICAS }),
      (opened) => opened.close(),
    );
  const db =
    overrides.db ??
    own(
      new PrismaClient({ adapter: createDatabaseAdapter({ url: config.DATABASE_URL, schema: DATABASE_SCHEMA }) }),
      (opened) => opened.$disconnect(),
    );
  const parser =
    overrides.parser ??
    own(
      createParserPool({
        size: config.PARSER_PROCESSES,
        timeoutMs: config.PARSER_TIMEOUT_MS,
        memoryLimitMb: config.PARSER_MEMORY_MB,
        maxInputBytes: config.MAX_FILE_BYTES,
      }),
      (opened) => opened.close(),
    );
  const index =
    overrides.index ??
    createDocumentIndex(own(connectGrpc(config.COLLECTION_ADDRESS), (connection) => connection.close()));
  const progress = overrides.progress ?? own(createProgress(messaging), (opened) => opened.close());
  const types = overrides.types ?? connectorTypes;
  const masterKeys = overrides.masterKeys ?? config.LECTERN_MASTER_KEYS;
  const secrets = overrides.secrets ?? createSecretStore(masterKeys, log);
  const pauses = own(createRatePauses(messaging), (opened) => opened.close());
  const sources =
    overrides.sources ??
    own(createSources({ config, db, log, blobs, egress, pauses, secrets, types }), (opened) => opened.close());

  // What it moves jobs with is the whole of what is made here.
  const mover =
    overrides.mover ??
    own(
      createJobMover(() => context),
      (opened) => opened.close(),
    );
  const context: Context = {
    ...{ config, log, db, messaging, index, parser, blobs, types, egress },
    ...{ masterKeys, secrets, sources, progress, mover },
  };

  return {
    context,
    close: async () => {
      for (const close of closers) await close();
    },
  };
}
