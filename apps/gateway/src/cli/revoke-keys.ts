import type { PrismaClient } from '#gen/prisma/client';
import { revokeKeyPair } from '#keys/key-store';

/** Revokes a pair. Throws where there is none of that id that still works. */
export async function revokeKeys(db: PrismaClient, id: string): Promise<string> {
  if (!(await revokeKeyPair(db, id))) throw new Error(`There is no active pair with the id ${id}.`);
  return `${id} is revoked. It stops working within 5 s.`;
}
