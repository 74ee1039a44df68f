import { AppError } from '@lectern/service-kit';
import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { isConflict } from '#connection/translate-error';
import { collectionVectors, PAYLOAD_INDEXES, VECTORS } from '#layout/collection-layout';

/** An embedding model and the length of its vectors. */
export interface EmbeddingModel {
  readonly model: string;
  readonly dimensions: number;
}

/** What has to be true of a collection that we are to write to. */
const storedLayout = z.object({
  config: z.object({
    params: z.object({
      vectors: z.object({ [VECTORS.dense]: z.object({ size: z.int() }) }),
      sparse_vectors: z.object({ [VECTORS.sparse]: z.object({ modifier: z.literal('idf') }) }),
    }),
  }),
  payload_schema: z.record(z.string(), z.unknown()),
});

/** Makes the collection of a model where there is none, checks it where there is one, and adds the payload indexes that it lacks. */
export async function ensureModel(
  connection: QdrantConnection,
  collection: string,
  { model, dimensions }: EmbeddingModel,
  options: CallOptions,
): Promise<void> {
  await checkVersion(connection, options);
  let stored = await describe(connection, collection, options);
  if (!stored) {
    await create(connection, collection, dimensions, options);
    stored = await describe(connection, collection, options);
  }
  const layout = storedLayout.safeParse(stored);
  if (!layout.success) {
    throw new AppError(
      'conflict',
      `The vector store holds something else under the name of the embedding model ${model}.`,
      {
        cause: layout.error,
      },
    );
  }
  const stands = layout.data.config.params.vectors[VECTORS.dense].size;
  if (stands !== dimensions) {
    const message = `The embedding model ${model} gives ${dimensions} dimensions, but its stored vectors have ${stands}. Index under another model name.`;
    throw new AppError('conflict', message, { details: { model, dimensions, storedDimensions: stands } });
  }
  await addMissingIndexes(connection, collection, layout.data.payload_schema, options);
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

/** Another process may be making the same collection at this moment; whoever comes second is refused, which is as good. */
async function create(
  connection: QdrantConnection,
  collection: string,
  dimensions: number,
  options: CallOptions,
): Promise<void> {
  try {
    await connection.write('create collection', REQUESTS.create(collection, collectionVectors(dimensions)), options);
  } catch (error) {
    if (!(error instanceof AppError && isConflict(error.cause))) throw error;
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
