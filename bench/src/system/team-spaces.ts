import { CollectionServiceDefinition } from '@lectern/contracts';
import { createLsiEncoder, type LsiEncoder, lsiFromBytes } from '@lectern/embeddings';
import { connectGrpc, newId, onBehalfOf, systemCaller } from '@lectern/service-kit';

/** The collection service and the caller. */
export interface CollectionAccess {
  readonly collectionAddress: string;
  readonly teamId: string;
}

/** A space with passages. Without an encoder, the embedding model's own space. */
export interface TeamSpace {
  readonly id: string;
  readonly encoder: LsiEncoder | undefined;
}

/** The collection service's name for the embedding model's own space. */
const BASE_SPACE = 'base';

/**
 * Returns the spaces of a collection's passages, newest first, like the search service gets them.
 * Empty for a model that is not trained.
 */
export async function readTeamSpaces(
  { collectionAddress, teamId }: CollectionAccess,
  collection: string,
  signal: AbortSignal,
): Promise<readonly TeamSpace[]> {
  const connection = connectGrpc(collectionAddress);
  try {
    const collections = connection.client(CollectionServiceDefinition);
    const call = onBehalfOf({ caller: systemCaller(teamId), requestId: newId('request'), signal });
    const { spaces } = await collections.resolveCollections({ ids: [collection] }, call);
    const read: TeamSpace[] = [];
    for (const id of spaces.flatMap(({ ids }) => ids)) {
      if (id === BASE_SPACE) {
        read.push({ id, encoder: undefined });
        continue;
      }
      const chunks: Uint8Array[] = [];
      for await (const { data } of collections.getSpace({ id }, call)) chunks.push(data);
      read.push({ id, encoder: createLsiEncoder(lsiFromBytes(Buffer.concat(chunks))) });
    }
    return read;
  } finally {
    connection.close();
  }
}
