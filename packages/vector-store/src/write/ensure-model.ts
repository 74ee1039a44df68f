import { AppError } from '@lectern/service-kit';
import type { Schemas } from '@qdrant/js-client-rest';
import { z } from 'zod';
import type { DocumentVectors } from '#connection/document-vectors';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { isConflict, isMissing } from '#connection/translate-error';
import { PAYLOAD_INDEXES, SPARSE_VECTOR, VECTORS } from '#layout/collection-layout';
import { type CollectionSettings, newCollection } from '#layout/collection-settings';

/** An embedding model and the length of its vectors. */
export interface EmbeddingModel {
  readonly model: string;
  readonly dimensions: number;
}

/** The layout that a collection needs before passages are written to it. */
const storedLayout = z.object({
  config: z.object({
    params: z.object({
      vectors: z.object({ [VECTORS.dense]: z.object({ size: z.int() }) }),
      sparse_vectors: z.object({
        [VECTORS.sparse]: z.object({ modifier: z.literal('idf') }),
        [VECTORS.document]: z.object({ modifier: z.literal('idf') }).optional(),
      }),
    }),
  }),
  payload_schema: z.record(z.string(), z.unknown()),
});

/**
 * Creates a model's collection if it does not exist, checks it if it does, and adds a missing vector
 * and missing payload indexes.
 */
export async function ensureModel(
  connection: QdrantConnection,
  collection: string,
  { model, dimensions }: EmbeddingModel,
  options: CallOptions,
  { documentVectors, settings }: { readonly documentVectors: DocumentVectors; readonly settings: CollectionSettings },
): Promise<void> {
  await checkVersion(connection, options);
  let stored = await describe(connection, collection, options);
  if (!stored) {
    await create(connection, collection, newCollection(dimensions, settings), options);
    stored = await describe(connection, collection, options);
  }
  const layout = storedLayout.safeParse(stored);
  if (!layout.success) {
    throw new AppError(
      'conflict',
      `The vector store has a collection with another layout for the embedding model ${model}. Delete it or choose another model name.`,
      {
        cause: layout.error,
      },
    );
  }
  const storedDimensions = layout.data.config.params.vectors[VECTORS.dense].size;
  if (storedDimensions !== dimensions) {
    const message = `The embedding model ${model} returns ${dimensions} dimensions, but its stored vectors have ${storedDimensions}. Index under another model name.`;
    throw new AppError('conflict', message, { details: { model, dimensions, storedDimensions } });
  }
  await addMissing(connection, collection, layout.data, options, documentVectors);
}

/**
 * Adds to a stored collection of an earlier version what it lacks. Does nothing if the model has no
 * collection, or one with another layout.
 */
export async function upgradeModel(
  connection: QdrantConnection,
  collection: string,
  options: CallOptions,
  documentVectors: DocumentVectors,
): Promise<void> {
  const layout = storedLayout.safeParse(await describe(connection, collection, options));
  if (layout.success) await addMissing(connection, collection, layout.data, options, documentVectors);
}

const hasDocumentVector = ({ params }: z.infer<typeof storedLayout>['config']) =>
  params.sparse_vectors[VECTORS.document] !== undefined;

async function addMissing(
  connection: QdrantConnection,
  collection: string,
  { config, payload_schema }: z.infer<typeof storedLayout>,
  options: CallOptions,
  documentVectors: DocumentVectors,
): Promise<void> {
  if (!hasDocumentVector(config)) await addDocumentVector(connection, collection, options);
  documentVectors.forget(collection);
  await addMissingIndexes(connection, collection, payload_schema, options);
}

/**
 * The first Qdrant version that counts words within a filter (`params.idf.corpus`). Earlier
 * versions ignore the parameter and count over the whole collection.
 */
const FIRST_VERSION = [1, 19] as const;

async function checkVersion(connection: QdrantConnection, options: CallOptions): Promise<void> {
  const version = await connection.version(options);
  if (version === undefined) return;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isRecent = major > FIRST_VERSION[0] || (major === FIRST_VERSION[0] && minor >= FIRST_VERSION[1]);
  if (isRecent) return;
  connection.warn(
    `Qdrant ${version} computes keyword scores over the documents of all teams and readers, so scores can reveal that a word exists elsewhere. Upgrade to Qdrant ${FIRST_VERSION.join('.')} or later.`,
  );
}

function describe(connection: QdrantConnection, collection: string, options: CallOptions): Promise<unknown> {
  return connection.read('get collection', REQUESTS.describe(collection), {
    ...options,
    ifMissing: () => undefined,
  });
}

/**
 * Creates the collection. Another process can create it at the same time, so a conflict is a
 * success.
 */
async function create(
  connection: QdrantConnection,
  collection: string,
  request: Schemas['CreateCollection'],
  options: CallOptions,
): Promise<void> {
  try {
    await connection.write('create collection', REQUESTS.create(collection, request), options);
  } catch (error) {
    if (!(error instanceof AppError && isConflict(error.cause))) throw error;
  }
}

/**
 * Adds the vector of whole documents to a collection of an older version. Another process can add it
 * at the same time, so a conflict is a success if the collection has the vector now. Qdrant before
 * 1.18 cannot add vectors and returns 404. Without the vector, searches do without it.
 */
async function addDocumentVector(
  connection: QdrantConnection,
  collection: string,
  options: CallOptions,
): Promise<void> {
  try {
    await connection.write(
      'add vector',
      REQUESTS.addSparseVector(collection, VECTORS.document, SPARSE_VECTOR),
      options,
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (isMissing(error.cause)) {
      connection.warn(
        'This version of Qdrant cannot add a vector to an existing collection, so documents are ranked by single passages only. Upgrade to Qdrant 1.19 or later, then run `npm run reindex`.',
      );
      return;
    }
    if (!isConflict(error.cause)) throw error;
    const layout = storedLayout.safeParse(await describe(connection, collection, options));
    if (layout.success && hasDocumentVector(layout.data.config)) return;
    connection.warn(
      `Qdrant did not add the vector of whole documents to the collection ${collection}, so documents are ranked by single passages only: ${error.message} Fix the cause, then run \`npm run reindex\`.`,
    );
  }
}

async function addMissingIndexes(
  connection: QdrantConnection,
  collection: string,
  existing: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<void> {
  for (const [field_name, field_schema] of Object.entries(PAYLOAD_INDEXES)) {
    if (Object.hasOwn(existing, field_name)) continue;
    await connection.write('create index', REQUESTS.createIndex(collection, { field_name, field_schema }), options);
  }
}
