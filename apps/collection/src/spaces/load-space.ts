import { notFound } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';

/** Bytes of a ready space. Throws `not_found` where there is none, or it has retired. */
export async function loadSpace(db: PrismaClient, id: string): Promise<Uint8Array> {
  const content = await db.spaceContent.findUnique({ where: { spaceId: id }, select: { bytes: true } });
  if (content === null) throw notFound('space', id);
  return content.bytes;
}
