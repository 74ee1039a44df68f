import { notFound } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';

/** Returns the bytes of a ready space. Throws `not_found` if it does not exist or is retired. */
export async function loadSpace(db: PrismaClient, id: string): Promise<Uint8Array> {
  const content = await db.spaceContent.findUnique({ where: { spaceId: id }, select: { bytes: true } });
  if (content === null) throw notFound('space', id);
  return content.bytes;
}
