import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';

/** Deletes a model's collection; nothing happens where there is none. */
export async function dropModel(
  connection: QdrantConnection,
  collection: string,
  { signal }: CallOptions,
): Promise<void> {
  await connection.write(
    'delete collection',
    (api, init) => api.deleteCollection({ collection_name: collection }, init),
    { signal, ifMissing: () => false },
  );
}
