import { type CallOrigin, onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';

/**
 * Reads a learned space from the collection service. It is shared by all searches, so the first
 * caller's signal does not abort it.
 */
export async function loadSpace({ collections }: Context, id: string, origin: CallOrigin): Promise<Uint8Array> {
  const { metadata } = onBehalfOf(origin);
  const chunks: Uint8Array[] = [];
  for await (const { data } of collections.getSpace({ id }, { metadata })) chunks.push(data);
  return Buffer.concat(chunks);
}
