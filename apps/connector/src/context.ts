import { type BlobStore, type ConnectorType, connectorTypes } from '@lectern/connectors';
import { createParserPool, type ParserPool, type ParserPoolOptions } from '@lectern/documents';
import { createEgressGuard, type EgressGuard } from '@lectern/egress';
import { createMessaging, type Messaging } from '@lectern/messaging';
import { type ByteBudget, createByteBudget } from '@lectern/resilience';
import { connectGrpc, createLogger, type Logger, type MasterKeys, prismaOptions } from '@lectern/service-kit';
import { createDocumentIndex, type DocumentIndex } from '#clients/document-index';
import type { Config } from '#config';
import { createSecretStore, type SecretStore } from '#credentials/secret-store';
import { openBlobStore } from '#files/blobs';
import { PrismaClient } from '#gen/prisma/client';
import { createRatePauses } from '#sources/rate-pauses';
import { createSources, type Sources } from '#sources/sources';
import { createDispatcher, type Dispatcher } from '#sync/scheduler/dispatcher';
import { createProgress, type Progress } from '#sync/scheduler/progress';
import { createItemWrites, type ItemWrites } from '#sync/store/items';
import { MAX_TEXT_BYTES } from '#sync/worker/text-bytes';
import { MAX_ARRIVED_BYTES } from '#uploads/receive-upload';

/** The dependencies of the service. */
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
  readonly itemWrites: ItemWrites;
  /** Limits the texts that are indexed at the same time. */
  readonly texts: ByteBudget;
  /** Limits the uploaded bytes that have arrived and are not durable yet. */
  readonly arrivedFiles: ByteBudget;
  readonly progress: Progress;
  readonly dispatcher: Dispatcher;
}

/** A context, and a function that closes what it opened. */
export interface OpenContext {
  readonly context: Context;
  close(): Promise<void>;
}

export const DATABASE_SCHEMA = 'connector';

/** Returns the settings of text recognition; none if it is off. */
const ocrOf = (config: Config): Pick<ParserPoolOptions, 'ocr'> =>
  config.OCR_LANGUAGES.length === 0
    ? {}
    : {
        ocr: {
          languages: config.OCR_LANGUAGES,
          processes: config.OCR_PROCESSES,
          pageTimeoutMs: config.OCR_PAGE_TIMEOUT_MS,
          maxPages: config.OCR_MAX_PAGES,
          maxPixels: config.OCR_MAX_MEGAPIXELS * 1_000_000,
        },
      };

/** Opens all dependencies except those in `overrides`, which the caller closes. */
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
    own(new PrismaClient(prismaOptions({ url: config.DATABASE_URL, schema: DATABASE_SCHEMA })), (opened) =>
      opened.$disconnect(),
    );
  const parser =
    overrides.parser ??
    own(
      createParserPool({
        size: config.PARSER_PROCESSES,
        timeoutMs: config.PARSER_TIMEOUT_MS,
        memoryLimitMb: config.PARSER_MEMORY_MB,
        maxInputBytes: config.MAX_FILE_BYTES,
        ...ocrOf(config),
      }),
      (opened) => opened.close(),
    );
  const index =
    overrides.index ??
    createDocumentIndex(own(connectGrpc(config.COLLECTION_ADDRESS), (connection) => connection.close()));
  const itemWrites = overrides.itemWrites ?? createItemWrites(db, config.WORK_LEASE_MS);
  const texts = overrides.texts ?? createByteBudget(MAX_TEXT_BYTES);
  const arrivedFiles = overrides.arrivedFiles ?? createByteBudget(MAX_ARRIVED_BYTES);
  const progress = overrides.progress ?? own(createProgress(messaging), (opened) => opened.close());
  const types = overrides.types ?? connectorTypes;
  const masterKeys = overrides.masterKeys ?? config.LECTERN_MASTER_KEYS;
  const secrets = overrides.secrets ?? createSecretStore(masterKeys, log);
  const pauses = own(createRatePauses(messaging), (opened) => opened.close());
  const sources =
    overrides.sources ??
    own(createSources({ config, db, log, blobs, egress, pauses, secrets, types }), (opened) => opened.close());

  // The dispatcher uses the context that is created below.
  const dispatcher =
    overrides.dispatcher ??
    own(
      createDispatcher(() => context),
      (opened) => opened.close(),
    );
  const context: Context = {
    ...{ config, log, db, messaging, index, parser, blobs, types, egress },
    ...{ masterKeys, secrets, sources, itemWrites, texts, arrivedFiles, progress, dispatcher },
  };

  return {
    context,
    close: async () => {
      for (const close of closers) await close();
    },
  };
}
