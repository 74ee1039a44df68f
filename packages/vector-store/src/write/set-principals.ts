import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { oneOf, ScopedFilter } from '#scope/scoped-filter';

export interface SetPrincipals extends CallOptions {
  readonly team: string;
  readonly documents: readonly string[];
  /** Who may read them from now on; empty for nobody. */
  readonly principals: readonly string[];
}

/** Document ids in one request. */
const DOCUMENTS_A_REQUEST = 500;

/** Says anew on every passage of some documents who may read it; vectors and texts stay. */
export async function setPrincipals(
  connection: QdrantConnection,
  collection: string,
  { team, documents, principals, signal }: SetPrincipals,
): Promise<void> {
  for (let at = 0; at < documents.length; at += DOCUMENTS_A_REQUEST) {
    const filter = ScopedFilter.within({ team })
      .and(oneOf('document', documents.slice(at, at + DOCUMENTS_A_REQUEST)))
      .toQdrant();
    const operations = [{ set_payload: { payload: { principals: [...principals] }, filter } }];
    await connection.write('set principals', REQUESTS.change(collection, operations), {
      signal,
      ifMissing: () => undefined,
    });
  }
}
