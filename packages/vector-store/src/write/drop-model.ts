import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';

/** Deletes a model's collection if it exists. */
export async function dropModel(
  connection: QdrantConnection,
  collection: string,
  { signal }: CallOptions,
): Promise<void> {
  await connection.write('delete collection', REQUESTS.drop(collection), { signal, ifMissing: () => false });
}
