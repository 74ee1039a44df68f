import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { oneOf } from '#filter/conditions';
import { ScopedFilter } from '#scope/scoped-filter';

export interface SetPrincipals extends CallOptions {
  readonly team: string;
  readonly documents: readonly string[];
  /** Principals with read access; empty for no access. */
  readonly principals: readonly string[];
}

/** Document ids per request. */
const DOCUMENTS_PER_REQUEST = 500;

/** Replaces the principals of all passages of some documents. Vectors and texts do not change. */
export async function setPrincipals(
  connection: QdrantConnection,
  collection: string,
  { team, documents, principals, signal }: SetPrincipals,
): Promise<void> {
  for (let at = 0; at < documents.length; at += DOCUMENTS_PER_REQUEST) {
    const filter = ScopedFilter.within({ team })
      .and(oneOf('document', documents.slice(at, at + DOCUMENTS_PER_REQUEST)))
      .toQdrant();
    const operations = [{ set_payload: { payload: { principals: [...principals] }, filter } }];
    await connection.write('set principals', REQUESTS.change(collection, operations), {
      signal,
      ifMissing: () => undefined,
    });
  }
}
