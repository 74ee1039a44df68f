import { randomBytes } from 'node:crypto';
import type { RunningService } from '@lectern/service-kit';
import { type Caller, prismaOptions } from '@lectern/service-kit';
import {
  createCaller,
  type TestDatabase,
  type TestNats,
  temporaryFolder,
  testDatabase,
  testNats,
} from '@lectern/testing';
import { type Config, readConfig } from '#config';
import type { Context } from '#context';
import { PrismaClient } from '#gen/prisma/client';
import { startConnector } from '#server';
import { type ConnectorClient, createConnectorClient } from './connector-client.ts';
import { type FakeCollection, startFakeCollection } from './fake-collection.ts';

/** The service in this process with real engines and a fake collection service. */
export interface TestSystem {
  readonly collection: FakeCollection;
  readonly database: TestDatabase;
  readonly nats: TestNats;
  readonly env: Record<string, string>;
  readonly config: Config;
  /** The address of the first replica. */
  readonly address: string;
  readonly client: ConnectorClient;
  /** Creates a client for a caller. It is closed with the system. */
  clientOf(caller: Caller): ConnectorClient;
  /** Queries the service's database. */
  rows<T>(sql: string, ...values: unknown[]): Promise<T[]>;
  /** Starts another replica on the same engines. */
  startReplica(overrides?: Partial<Context>): Promise<RunningService>;
  /** Stops the service and its replicas. The engines keep running. */
  stopReplicas(): Promise<void>;
  stop(): Promise<void>;
}

export interface SystemOptions {
  readonly env?: Record<string, string>;
  readonly overrides?: Partial<Context>;
  /** Starts a real collection service instead of the fake one and returns its address. */
  readonly startCollection?: (engines: Record<string, string>) => Promise<string>;
}

export async function startSystem(options: SystemOptions = {}): Promise<TestSystem> {
  const [collection, database, nats, folder] = await Promise.all([
    startFakeCollection(),
    testDatabase(),
    testNats(),
    temporaryFolder(),
  ]);
  const engines = { DATABASE_URL: database.url, NATS_URL: nats.url };
  const env = {
    GRPC_ADDRESS: '127.0.0.1:0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ...engines,
    COLLECTION_ADDRESS: (await options.startCollection?.(engines)) ?? collection.address,
    BLOB_DIR: folder.path,
    SWEEP_INTERVAL_MS: '500',
    LECTERN_MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    ...options.env,
  };
  const config = readConfig(env);
  const replicas: RunningService[] = [];
  const startReplica = async (overrides?: Partial<Context>) => {
    const replica = await startConnector(config, overrides);
    replicas.push(replica);
    return replica;
  };
  const stopReplicas = async () => {
    await Promise.all(replicas.splice(0).map((replica) => replica.stop()));
  };
  const first = await startReplica(options.overrides);
  const clients: ConnectorClient[] = [];
  const clientOf = (caller: Caller) => {
    const created = createConnectorClient(`127.0.0.1:${first.port}`, caller);
    clients.push(created);
    return created;
  };
  const client = clientOf(createCaller());
  const db = new PrismaClient(prismaOptions({ url: database.url, schema: 'connector' }));
  return {
    collection,
    database,
    nats,
    env,
    config,
    address: `127.0.0.1:${first.port}`,
    client,
    clientOf,
    rows: (sql, ...values) => db.$queryRawUnsafe(sql, ...values),
    startReplica,
    stopReplicas,
    stop: async () => {
      for (const each of clients) each.close();
      await db.$disconnect();
      await stopReplicas();
      await collection.stop();
      await nats.stop();
      await database.drop();
      await folder.remove();
    },
  };
}
