import { CollectionServiceDefinition } from '@lectern/contracts';
import { createLsiEncoder, type LsiEncoder, lsiFromBytes } from '@lectern/embeddings';
import { connectGrpc, newId, onBehalfOf, systemCaller } from '@lectern/service-kit';

/** Where the collection service is, and who asks it. */
export interface CollectionAccess {
  readonly collectionAddress: string;
  readonly teamId: string;
}

/** A space that passages are in; without an encoder that of the embedding model itself. */
export interface TeamSpace {
  readonly id: string;
  readonly encoder: LsiEncoder | undefined;
}

/** As the collection service names the space of a model's own encoder. */
const BASE_SPACE = 'base';

/** The spaces that a collection's passages are in, newest first, as the search service is told them; none for a model that learns none. */
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
