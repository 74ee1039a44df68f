import {
  CollectionServiceDefinition,
  type Document,
  DocumentServiceDefinition,
  DocumentStatus,
  type IndexDocumentRequest,
  userPrincipal,
} from '@lectern/contracts';
import { createLogger, type GrpcServer, newId, notFound, serve, startGrpcServer } from '@lectern/service-kit';
import { findFreePort } from '@lectern/testing';

/** The item of a document. */
interface FakeItem {
  readonly connectorId: string;
  readonly externalId: string;
  readonly collectionId: string;
  readonly source: string;
}

/** A stored document. */
export interface FakeDocument extends FakeItem {
  readonly id: string;
  status: 'pending' | 'indexed' | 'failed' | 'deleted';
  error: { code: string; message: string } | undefined;
  /** The last request that indexed it. */
  request: IndexDocumentRequest | undefined;
  principals: readonly string[];
  /** The number of times that content was indexed. */
  indexings: number;
}

/** A stored group. */
interface FakeGroup {
  readonly connectorId: string;
  readonly generation: string;
  readonly members: readonly string[];
}

const unsupported = () => {
  throw new Error('Not supported by the fake collection service.');
};

const toMessage = (document: FakeDocument): Partial<Document> => ({
  id: document.id,
  title: document.request?.title ?? document.externalId,
  status: {
    pending: DocumentStatus.PENDING,
    indexed: DocumentStatus.INDEXED,
    failed: DocumentStatus.FAILED,
    deleted: DocumentStatus.DELETED,
  }[document.status],
});

/**
 * An in-memory collection service with the RPCs that connectors use. Its address stays the same
 * after a restart.
 */
export interface FakeCollection {
  readonly address: string;
  readonly documents: readonly FakeDocument[];
  readonly collections: Set<string>;
  /** Groups by principal. */
  readonly groups: Map<string, FakeGroup>;
  /** The number of group imports that were opened. */
  openings: number;
  /** The generations of group imports that were cancelled. */
  readonly cancelledImports: string[];
  /** Runs before each indexing. Can wait or throw. */
  beforeIndex: (request: IndexDocumentRequest, signal: AbortSignal) => Promise<void>;
  /** Runs before each document is marked as failed. */
  beforeFail: () => Promise<void>;
  register(item: FakeItem): FakeDocument;
  live(connectorId: string): FakeDocument[];
  stop(): Promise<void>;
  start(): Promise<void>;
}

export async function startFakeCollection(): Promise<FakeCollection> {
  const documents: FakeDocument[] = [];
  const collections = new Set<string>();
  const byId = (id: string): FakeDocument => {
    const found = documents.find((document) => document.id === id && document.status !== 'deleted');
    if (found === undefined) throw notFound('document', id);
    return found;
  };
  const remove = (document: FakeDocument) => {
    document.status = 'deleted';
  };
  const register = (item: FakeItem): FakeDocument => {
    const known = fake.live(item.connectorId).find(({ externalId }) => externalId === item.externalId);
    if (known !== undefined) return known;
    const state = { status: 'pending', error: undefined, request: undefined, principals: [], indexings: 0 } as const;
    const created: FakeDocument = { ...item, id: newId('document'), ...state };
    documents.push(created);
    return created;
  };
  const index = async (request: IndexDocumentRequest, signal: AbortSignal) => {
    byId(request.id);
    await fake.beforeIndex(request, signal);
    const document = byId(request.id);
    if (!collections.has(document.collectionId)) throw notFound('collection', document.collectionId);
    document.request = request;
    document.principals = request.principals;
    document.status = 'indexed';
    document.error = undefined;
    document.indexings += 1;
    return toMessage(document);
  };
  const log = createLogger({ service: 'fake-collection', level: 'silent' });
  let server: GrpcServer | undefined;
  // Outgoing connections never use this port, so it stays free while the server is stopped.
  const address = `127.0.0.1:${await findFreePort()}`;

  const fake: FakeCollection = {
    address,
    documents,
    collections,
    groups: new Map(),
    openings: 0,
    cancelledImports: [],
    register,
    beforeIndex: async () => undefined,
    beforeFail: async () => undefined,
    live: (connectorId) => documents.filter((d) => d.connectorId === connectorId && d.status !== 'deleted'),
    stop: async () => {
      await server?.stop();
      server = undefined;
    },
    start: async () => {
      server = await startGrpcServer({
        address,
        log,
        shutdownTimeoutMs: 0,
        services: [
          serve(CollectionServiceDefinition, {
            getCollection: async ({ id }) => {
              if (!collections.has(id)) throw notFound('collection', id);
              return { id, name: 'Fake' };
            },
            createCollection: unsupported,
            listCollections: unsupported,
            resolveCollections: async (_request, { caller: { userEmail } }) => ({
              collections: [],
              spaces: [],
              principals: userEmail === undefined ? undefined : { values: ['public', userPrincipal(userEmail)] },
            }),
            getSpace: unsupported,
            updateCollection: unsupported,
            deleteCollection: unsupported,
            refreshStats: unsupported,
          }),
          serve(DocumentServiceDefinition, {
            registerDocuments: async ({ connectorId, collectionId, source, items }) => {
              if (!collections.has(collectionId)) throw notFound('collection', collectionId);
              const registered = items.map(({ externalId }) =>
                register({ connectorId, collectionId, source, externalId }),
              );
              return { documents: registered.map(toMessage) };
            },
            indexDocument: (request, { signal }) => index(request, signal),
            indexItem: async ({ connectorId, collectionId, source, externalId, ...content }, { signal }) => {
              if (!collections.has(collectionId)) throw notFound('collection', collectionId);
              const { id } = register({ connectorId, collectionId, source, externalId });
              return index({ id, ...content }, signal);
            },
            setPermissions: async ({ connectorId, items }) => {
              const principalsById = new Map(items.map((item) => [item.externalId, item.principals]));
              const known = fake.live(connectorId).filter((document) => principalsById.has(document.externalId));
              for (const document of known) document.principals = principalsById.get(document.externalId) ?? [];
              return { documents: known.length };
            },
            replaceGroups: async ({ connectorId, generation, groups, complete, part, cancelled }) => {
              if (part === 0) fake.openings += 1;
              if (cancelled) fake.cancelledImports.push(generation);
              for (const group of groups) fake.groups.set(group.principal, { connectorId, generation, ...group });
              if (complete) {
                for (const [principal, group] of fake.groups) {
                  if (group.connectorId === connectorId && group.generation !== generation)
                    fake.groups.delete(principal);
                }
              }
              return {};
            },
            dropGroups: async ({ connectorId }) => {
              for (const [principal, group] of fake.groups) {
                if (group.connectorId === connectorId) fake.groups.delete(principal);
              }
              return {};
            },
            listGroupConnectors: async () => ({ connectors: [] }),
            failDocument: async ({ id, error }) => {
              const document = byId(id);
              await fake.beforeFail();
              document.status = 'failed';
              document.error = error;
              return toMessage(document);
            },
            deleteDocument: async ({ id }) => {
              remove(byId(id));
              return { id };
            },
            deleteConnectorDocuments: async ({ connectorId }) => {
              const live = fake.live(connectorId);
              live.forEach(remove);
              return { deleted: live.length };
            },
            createDocument: unsupported,
            createDocuments: unsupported,
            getDocument: async ({ id }) => toMessage(byId(id)),
            getDocumentPages: unsupported,
            getDocumentContent: unsupported,
            getDocumentSummary: unsupported,
            filterReadable: async ({ ids }) => ({ ids: [...ids] }),
            getIndexingState: unsupported,
            listDocuments: unsupported,
          }),
        ],
      });
    },
  };
  await fake.start();
  return fake;
}
