import type { AgentTool } from '@lectern/contracts';
import {
  CollectionServiceDefinition,
  ConnectorServiceDefinition,
  type CreateDocumentRequest,
  DocumentServiceDefinition,
  DocumentStatus,
} from '@lectern/contracts';
import { type Caller, connectGrpc, newId } from '@lectern/service-kit';
import { callAs, sharedServices, type TestDatabase, testDatabase, waitUntil } from '@lectern/testing';
import { readConfig } from '#config';
import { type Context, createContext } from '#context';
import { ALL_TOOLS } from '#tools/all-tools';
import type { ToolOutcome } from '#tools/tool';

type RunTool = (tool: AgentTool, input: unknown, caller: Caller, signal?: AbortSignal) => Promise<ToolOutcome>;

/**
 * The services that tools call, shared by all tests of a run, with helpers to add data.
 */
export interface ToolServices {
  readonly context: Context;
  /** Executes a tool like a run of an agent does. The scope of the caller is already restricted. */
  readonly run: RunTool;
  /** Returns the same function with other clients. */
  runIn(context: Context): RunTool;
  addCollection(caller: Caller, name: string): Promise<string>;
  /** Creates documents and waits until all of them are indexed. */
  addDocuments(
    caller: Caller,
    collectionId: string,
    documents: readonly Partial<CreateDocumentRequest>[],
  ): Promise<string[]>;
  /** Connects a collection to a database with the role in its URL. */
  addDatabase(
    caller: Caller,
    collectionId: string,
    name: string,
    url: string,
    principals?: readonly string[],
  ): Promise<string>;
  /** Creates a database to query. It is deleted with the services. */
  newDatabase(): Promise<TestDatabase>;
  stop(): Promise<void>;
}

export async function startToolServices(): Promise<ToolServices> {
  const closing: (() => unknown)[] = [];
  const closeLater = <T>(resource: T, close: (resource: T) => unknown): T => {
    closing.push(() => close(resource));
    return resource;
  };
  const database = closeLater(await testDatabase(), (one) => one.drop());
  const services = await sharedServices('collection', 'search', 'connector');
  const config = readConfig({ ...services, DATABASE_URL: database.url, LOG_LEVEL: 'silent' });
  const context = closeLater(createContext(config), (one) => one.close());
  const toCollection = closeLater(connectGrpc(services.COLLECTION_ADDRESS!), (one) => one.close());
  const toConnector = closeLater(connectGrpc(services.CONNECTOR_ADDRESS!), (one) => one.close());
  const collections = toCollection.client(CollectionServiceDefinition);
  const documents = toCollection.client(DocumentServiceDefinition);
  const connectors = toConnector.client(ConnectorServiceDefinition);
  const runIn =
    (context: Context): RunTool =>
    (tool, input, caller, signal = new AbortController().signal) =>
      ALL_TOOLS[tool].run(context, { caller, requestId: newId('request'), signal, log: context.log }, input);
  return {
    context,
    run: runIn(context),
    runIn,
    addCollection: async (caller, name) => (await collections.createCollection({ name }, callAs(caller))).id,
    addDocuments: async (caller, collectionId, requests) => {
      const created = await Promise.all(
        requests.map((request) => documents.createDocument({ collectionId, ...request }, callAs(caller))),
      );
      const ids = created.map(({ id }) => id);
      for (const id of ids) {
        const isIndexed = async () =>
          (await documents.getDocument({ id }, callAs(caller))).status === DocumentStatus.INDEXED;
        await waitUntil(isIndexed, { what: `${id} to be indexed`, timeoutMs: 30_000 });
      }
      return ids;
    },
    addDatabase: async (caller, collectionId, name, address, principals) => {
      const url = new URL(address);
      const created = await connectors.createConnector(
        {
          name,
          type: 'postgresql',
          collectionId,
          config: {
            host: url.hostname,
            port: Number(url.port),
            database: url.pathname.slice(1),
            sslMode: 'disable',
            ...(principals === undefined ? {} : { principals: [...principals] }),
          },
          credentials: { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
        },
        callAs(caller),
      );
      return created.id;
    },
    newDatabase: async () => closeLater(await testDatabase(), (one) => one.drop()),
    stop: async () => {
      for (const close of closing.reverse()) await close();
    },
  };
}
