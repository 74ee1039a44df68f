import { CollectionServiceDefinition } from '@lectern/contracts';
import { createDenseEncoder, createSparseEncoder } from '@lectern/embeddings';
import { createLogger, notFound, reaches, requireReach, serve, startGrpcServer } from '@lectern/service-kit';
import { createVectorStore } from '@lectern/vector-store';

interface AddOptions {
  readonly team?: string;
  readonly principals?: readonly string[];
}

/** Two collections, `Handbook` and `Notes`, that every team has, and a way to index into them. */
export interface TestCatalogue {
  readonly address: string;
  add(
    collection: string,
    document: string,
    title: string,
    passages: readonly string[],
    options?: AddOptions,
  ): Promise<void>;
  stop(): Promise<void>;
}

const encoder = createDenseEncoder();
const sparse = createSparseEncoder();

const COLLECTIONS = [
  { id: 'col_handbook', name: 'Handbook', embeddingModel: encoder.model },
  { id: 'col_notes', name: 'Notes', embeddingModel: encoder.model },
];

const unused = () => Promise.reject(new Error('not part of this test'));

/** Answers ResolveCollections as the collection service does, over the wire. */
async function serveCollections() {
  return startGrpcServer({
    address: '127.0.0.1:0',
    log: createLogger({ service: 'test', level: 'silent' }),
    shutdownTimeoutMs: 200,
    services: [
      serve(CollectionServiceDefinition, {
        resolveCollections: async ({ ids }, { caller }) => {
          for (const id of ids) {
            if (!COLLECTIONS.some((collection) => collection.id === id)) throw notFound('collection', id);
            requireReach(caller, id);
          }
          const wanted = COLLECTIONS.filter(({ id }) => (ids.length > 0 ? ids.includes(id) : reaches(caller, id)));
          return { collections: wanted };
        },
        createCollection: unused,
        getCollection: unused,
        listCollections: unused,
        updateCollection: unused,
        deleteCollection: unused,
        refreshStats: unused,
      }),
    ],
  });
}

/** Starts the catalogue over a vector store. */
export async function startCatalogue(qdrantUrl: string, ownTeam: string): Promise<TestCatalogue> {
  const store = createVectorStore({ url: qdrantUrl });
  await store.ensureModel({ model: encoder.model, dimensions: encoder.dimensions });
  const server = await serveCollections();
  return {
    address: `127.0.0.1:${server.port}`,
    add: async (collection, document, title, passages, { team = ownTeam, principals = ['public'] } = {}) => {
      const dense = await encoder.embedDocuments(passages.map((text) => `${title}\n${text}`));
      const now = new Date().toISOString();
      await store.upsertPassages(
        encoder.model,
        passages.map((text, chunk) => ({
          team,
          collection,
          document,
          source: 'api',
          type: 'text',
          createdAt: now,
          updatedAt: now,
          principals: [...principals],
          version: 1,
          chunk,
          metadata: {},
          title,
          heading: '',
          text,
          start: 0,
          end: text.length,
          dense: dense[chunk]!,
          sparse: sparse.encodeDocument({ title, text }),
        })),
      );
    },
    stop: () => server.stop(),
  };
}
