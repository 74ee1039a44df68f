import { prismaOptions } from '@lectern/service-kit';
import { testDatabase } from '@lectern/testing';
import { readConfig } from '#config';
import { type Context, DATABASE_SCHEMA } from '#context';
import { PrismaClient } from '#gen/prisma/client';
import { createKeyPair, type NewKeyPair } from '#keys/pair-store';
import { ensureTeam } from '#keys/team-store';
import { startGateway } from '#server';
import { createSamplePeople, restoreSampleSlackApps, SAMPLE } from './people.ts';
import { KNOWN } from './records.ts';
import { type Replica, startReplica } from './replica.ts';
import { type Services, startServices } from './services.ts';
import { slackApi } from './slack-api.ts';

export interface TestGateway {
  readonly url: string;
  readonly databaseUrl: string;
  readonly port: number;
  readonly db: PrismaClient;
  readonly services: Services;
  /** Restores the sample Slack app. */
  restoreSlackApps(): Promise<void>;
  readonly keys: NewKeyPair;
  /** A pair of another team. */
  readonly otherKeys: NewKeyPair;
  /** Sends a request, by default with the secret key. */
  send(method: string, path: string, init?: SendInit): Promise<TestResponse>;
  /** Starts another gateway process with the same database and services. */
  startReplica(env?: Record<string, string>): Promise<Replica>;
  /** Stops only the gateway. `stop` includes this. */
  stopGateway(): Promise<void>;
  stop(): Promise<void>;
}

export interface SendInit {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: NonNullable<RequestInit['body']>;
  readonly headers?: Record<string, string>;
  /** Null sends no key. */
  readonly key?: string | null;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly json: any;
}

/** Less than a test's time limit, so that a failure names the request that hangs. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Sends a request to a gateway. */
export async function send(
  url: string,
  secretKey: string,
  method: string,
  path: string,
  init: SendInit,
): Promise<TestResponse> {
  const { json, key = secretKey } = init;
  // Operations that set a session require the header; others ignore it.
  const headers: Record<string, string> = { 'X-Lectern-CSRF': '1', ...(key === null ? {} : { 'X-Service-Key': key }) };
  if (json !== undefined) headers['Content-Type'] = 'application/json';
  const body = json === undefined ? init.body : JSON.stringify(json);
  const exchange = async () => {
    const response = await fetch(url + path, {
      method: method.toUpperCase(),
      headers: { ...headers, ...init.headers },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    });
    return { response, text: await response.text() };
  };
  const { response, text } = await exchange().catch((cause: unknown) => {
    throw new Error(`${method.toUpperCase()} ${path}: ${cause}`, { cause });
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** Starts a gateway on a free port with its own database, fake services and two teams. */
export async function startTestGateway(
  env: Record<string, string> = {},
  overrides: Partial<Context> = {},
): Promise<TestGateway> {
  const database = await testDatabase();
  const services = await startServices();
  const { address } = services;
  const settings = {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    SEARCH_ADDRESS: address,
    CHAT_ADDRESS: address,
    AGENT_ADDRESS: address,
    COLLECTION_ADDRESS: address,
    CONNECTOR_ADDRESS: address,
    SHUTDOWN_TIMEOUT_MS: '1000',
    RATE_LIMIT_SECRET_PER_MINUTE: '1000000',
    RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '1000000',
    RATE_LIMIT_PERSON_PER_MINUTE: '1000000',
    RATE_LIMIT_SIGN_INS_PER_MINUTE: '1000000',
    LECTERN_MASTER_KEYS: SAMPLE.masterKeys,
    // Providers of tests run on this machine.
    EGRESS_ALLOW: '127.0.0.1',
    SLACK_API_URL: slackApi,
    ...env,
  };
  const gateway = await startGateway(readConfig(settings), overrides);
  const options = prismaOptions({ url: database.url, schema: DATABASE_SCHEMA, maxConnections: 2 });
  const db = new PrismaClient(options);
  const keys = await createKeyPair(db, await ensureTeam(db, 'First team'), 'test');
  services.teamId = keys.teamId;
  const otherKeys = await createKeyPair(db, await ensureTeam(db, 'Other team'), 'test');
  const data = { id: KNOWN.key, teamId: keys.teamId, name: 'Sample' };
  await db.keyPair.create({ data });
  await createSamplePeople(db, keys.teamId);
  const restoreSlackApps = () => restoreSampleSlackApps(db, keys.teamId);
  await restoreSlackApps();
  const url = `http://127.0.0.1:${gateway.port}`;
  const replicas: Replica[] = [];
  let stopped: Promise<void> | undefined;
  const stopGateway = () => {
    stopped ??= gateway.stop();
    return stopped;
  };
  return {
    url,
    databaseUrl: database.url,
    port: gateway.port,
    db,
    services,
    restoreSlackApps,
    keys,
    otherKeys,
    send: (method, path, init = {}) => send(url, keys.secretKey, method, path, init),
    startReplica: async (more = {}) => {
      const replica = await startReplica({ ...settings, ...more });
      replicas.push(replica);
      return replica;
    },
    stopGateway,
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await stopGateway();
      await db.$disconnect();
      await services.stop();
      await database.drop();
    },
  };
}
