import {
  AgentServiceDefinition,
  ChatServiceDefinition,
  CollectionServiceDefinition,
  DocumentServiceDefinition,
  DocumentStatus,
  ModelEndpointServiceDefinition,
  QuestionServiceDefinition,
  RunServiceDefinition,
  TestCaseServiceDefinition,
  type TestCharge,
} from '@lectern/contracts';
import {
  type Caller,
  connectGrpc,
  createLogger,
  type GrpcClient,
  prismaOptions,
  type Running,
  repeat,
  systemCaller,
} from '@lectern/service-kit';
import { callAs, sharedServices, testDatabase, waitUntil } from '@lectern/testing';
import { type Config, readConfig } from '#config';
import type { Context } from '#context';
import { PrismaClient } from '#gen/prisma/client';
import { startChat } from '#server';

/**
 * The chat service in this process, on its own database. The services that it calls are shared by
 * all tests of a run.
 */
export interface TestSystem {
  readonly chat: GrpcClient<typeof ChatServiceDefinition>;
  readonly questions: GrpcClient<typeof QuestionServiceDefinition>;
  readonly testCases: GrpcClient<typeof TestCaseServiceDefinition>;
  readonly agents: GrpcClient<typeof AgentServiceDefinition>;
  readonly collections: GrpcClient<typeof CollectionServiceDefinition>;
  readonly documents: GrpcClient<typeof DocumentServiceDefinition>;
  readonly runs: GrpcClient<typeof RunServiceDefinition>;
  /** Runs a statement in the database of the chat service. */
  readonly db: PrismaClient;
  query(statement: string): Promise<unknown>;
  /** Creates a collection with these texts by title for readers, and waits until all of them are indexed. */
  addCollection(
    caller: Caller,
    name: string,
    texts: Readonly<Record<string, string>>,
    principals?: string[],
  ): Promise<string>;
  /** Starts another chat service on the same database with other context members or settings. */
  startAnother(
    overrides: Partial<Context>,
    settings: Partial<Config>,
  ): Promise<{
    readonly chat: GrpcClient<typeof ChatServiceDefinition>;
    readonly endpoints: GrpcClient<typeof ModelEndpointServiceDefinition>;
    stop(): Promise<void>;
  }>;
  stop(): Promise<void>;
}

/** Decides about a charge like the gateway. Returns the reason of a refusal; undefined grants it. */
/** Returns why a charge is refused. Null for no decision. */
type Decide = (charge: TestCharge) => string | undefined | null;

/** Decides and settles charges like the gateway. */
function startCharging(testCases: GrpcClient<typeof TestCaseServiceDefinition>, decide: Decide): Running {
  const options = () => callAs(systemCaller('gateway'));
  const log = createLogger({ service: 'chat', level: 'silent' });
  return repeat({ name: 'test charges', intervalMs: 20, log }, async () => {
    const { charges } = await testCases.listTestCharges({}, options());
    const granted: string[] = [];
    const refused: { id: string; reason: string }[] = [];
    const settled: string[] = [];
    for (const charge of charges) {
      if (charge.ended) settled.push(charge.id);
      const reason = decide(charge);
      if (charge.ended || reason === null) continue;
      if (reason === undefined) granted.push(charge.id);
      else refused.push({ id: charge.id, reason });
    }
    if (charges.length > 0) await testCases.resolveTestCharges({ granted, refused, settled }, options());
  });
}

/** Starts the chat service. `stop` stops everything in reverse order. */
export async function startSystem(
  overrides: Partial<Context> = {},
  decide: Decide = () => undefined,
): Promise<TestSystem> {
  const closing: (() => unknown)[] = [];
  const stop = async () => {
    for (const close of closing.reverse()) await close();
  };
  const closeLater = async <T>(starting: Promise<T>, close: (what: T) => unknown): Promise<T> => {
    const what = await starting;
    closing.push(() => close(what));
    return what;
  };
  try {
    const database = await closeLater(testDatabase(), (engine) => engine.drop());
    const services = await sharedServices('collection', 'search', 'agent');
    const config = readConfig({
      ...services,
      DATABASE_URL: database.url,
      GRPC_ADDRESS: '127.0.0.1:0',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    });
    const connect = async (members: Partial<Context>, settings: Partial<Config>) => {
      const app = await startChat({ ...config, ...settings }, members);
      const connection = connectGrpc(`127.0.0.1:${app.port}`);
      const deadlineMs = 60_000;
      return {
        chat: connection.client(ChatServiceDefinition, { deadlineMs }),
        endpoints: connection.client(ModelEndpointServiceDefinition, { deadlineMs }),
        questions: connection.client(QuestionServiceDefinition, { deadlineMs }),
        testCases: connection.client(TestCaseServiceDefinition, { deadlineMs }),
        stop: async () => {
          connection.close();
          await app.stop();
        },
      };
    };
    const { chat, questions, testCases } = await closeLater(connect(overrides, {}), (app) => app.stop());
    const charging = startCharging(testCases, decide);
    closing.push(() => charging.stop());
    const db = await closeLater(
      Promise.resolve(new PrismaClient(prismaOptions({ url: database.url, schema: 'chat', maxConnections: 1 }))),
      (client) => client.$disconnect(),
    );
    const toCollection = connectGrpc(services.COLLECTION_ADDRESS!);
    const toAgent = connectGrpc(services.AGENT_ADDRESS!);
    closing.push(
      () => toCollection.close(),
      () => toAgent.close(),
    );
    const collections = toCollection.client(CollectionServiceDefinition);
    const documents = toCollection.client(DocumentServiceDefinition);

    return {
      chat,
      questions,
      testCases,
      agents: toAgent.client(AgentServiceDefinition),
      runs: toAgent.client(RunServiceDefinition),
      db,
      query: (statement) => db.$executeRawUnsafe(statement),
      collections,
      documents,
      addCollection: async (caller, name, texts, principals = []) => {
        const { id: collectionId } = await collections.createCollection({ name }, callAs(caller));
        for (const [title, content] of Object.entries(texts)) {
          const url = `https://docs.example.com/${title}`;
          await documents.createDocument({ collectionId, title, content, url, principals }, callAs(caller));
        }
        const isIndexed = async () => {
          const request = { collectionId, status: DocumentStatus.INDEXED, page: { page: 1, limit: 100 } };
          const { page } = await documents.listDocuments(request, callAs(caller));
          return page?.total === Object.keys(texts).length;
        };
        await waitUntil(isIndexed, { what: `${name} to be indexed`, timeoutMs: 20_000 });
        return collectionId;
      },
      startAnother: connect,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
