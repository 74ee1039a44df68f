import {
  CollectionServiceDefinition,
  DocumentServiceDefinition,
  EventServiceDefinition,
  SearchModelServiceDefinition,
  SearchRuleServiceDefinition,
  SynonymServiceDefinition,
} from '@lectern/contracts';
import { connectGrpc } from '@lectern/service-kit';
import { testDatabase, testNats, testQdrant } from '@lectern/testing';
import { readConfig } from '#config';
import type { Context } from '#context';
import { startCollection } from '#server';

/** Starts the service with its own engines, and clients for it. */
export async function startTestCollection(overrides: Partial<Context> = {}, settings: Record<string, string> = {}) {
  const [database, nats, qdrant] = await Promise.all([testDatabase(), testNats(), testQdrant()]);
  const config = readConfig({
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    QDRANT_URL: qdrant.url,
    QDRANT_PREFIX: `test_${crypto.randomUUID()}_`,
    GRPC_ADDRESS: '127.0.0.1:0',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    SWEEP_INTERVAL_MS: '100',
    SHUTDOWN_TIMEOUT_MS: '1000',
    ...settings,
  });
  const service = await startCollection(config, overrides);
  const connection = connectGrpc(`127.0.0.1:${service.port}`);
  return {
    context: service.context,
    nats,
    collections: connection.client(CollectionServiceDefinition),
    documents: connection.client(DocumentServiceDefinition),
    events: connection.client(EventServiceDefinition),
    searchModels: connection.client(SearchModelServiceDefinition),
    searchRules: connection.client(SearchRuleServiceDefinition),
    synonyms: connection.client(SynonymServiceDefinition),
    stop: async () => {
      connection.close();
      await service.stop();
      await Promise.all([nats.stop(), qdrant.stop(), database.drop()]);
    },
  };
}

export type TestCollection = Awaited<ReturnType<typeof startTestCollection>>;
