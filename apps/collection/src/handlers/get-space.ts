import { type GetSpaceRequest, isId, type SpaceChunk } from '@lectern/contracts';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { loadSpace } from '#spaces/load-space';

const CHUNK_BYTES = 1024 * 1024;

/** Returns the bytes of a space learned from the caller's corpus. */
export const getSpace = (context: Context) =>
  async function* getSpaceChunks({ id }: GetSpaceRequest, { caller }: ServiceCall): AsyncGenerator<SpaceChunk> {
    const known = isId('space', id) && (await context.db.space.count({ where: { id, teamId: caller.teamId } })) > 0;
    if (!known) throw notFound('space', id);
    const bytes = await loadSpace(context.db, id);
    for (let from = 0; from < bytes.byteLength; from += CHUNK_BYTES) {
      yield { data: Buffer.from(bytes.subarray(from, from + CHUNK_BYTES)) };
    }
  };
