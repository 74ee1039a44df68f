import type { PrismaClient } from '#gen/prisma/client';
import { moveConnector } from '../connectors/connector-machine.ts';
import { lockConnector } from '../connectors/lock-connector.ts';
import type { SecretOwner } from '../credentials/secret-store.ts';

export const AUTHORIZE_AGAIN =
  'The source does not accept the authorisation any more: it was revoked or has expired. Authorise the connector again (POST /api/v1/oauth/init).';

/**
 * Has a connector wait for its user, because the provider confirmed that what was tried does not hold. Unless the user has authorised it
 * anew in the meantime.
 */
export async function loseAuthorization(
  db: PrismaClient,
  { id }: SecretOwner,
  tried: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockConnector(tx, id);
    const unchanged = await tx.connectorSecret.count({ where: { connectorId: id, sealed: tried } });
    if (unchanged > 0) await moveConnector(tx, id, 'pending_auth', { statusReason: AUTHORIZE_AGAIN });
  });
}
