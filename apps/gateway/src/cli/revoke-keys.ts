import { recordAudit } from '#audit/record-audit';
import { operator } from '#cli/operator';
import type { PrismaClient } from '#gen/prisma/client';
import { revokePairWithLinks } from '#identity/link-store';
import { lockPeople } from '#identity/person-store';

/** Revokes a pair. Throws if there is no active pair with this id. */
export async function revokeKeys(db: PrismaClient, id: string): Promise<string> {
  await db.$transaction(async (tx) => {
    const pair = await tx.keyPair.findUnique({ where: { id } });
    if (pair !== null) await lockPeople(tx, pair.teamId);
    if (pair === null || !(await revokePairWithLinks(tx, id)))
      throw new Error(`There is no active pair with the id ${id}.`);
    await recordAudit(tx, operator(pair.teamId), { action: 'revokeApiKey', resourceType: 'api_key', resourceId: id });
  });
  return `${id} is revoked. It stops working within 5 s.`;
}
