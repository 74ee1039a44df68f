import { isId } from '@lectern/contracts';
import type { EgressGuard } from '@lectern/egress';
import { AppError, newId } from '@lectern/service-kit';
import { fetchClientDocument, isDocumentUrl } from '#apps/client-document';
import type { ClientMetadata } from '#apps/client-metadata';
import type { AppClient, Prisma, PrismaClient } from '#gen/prisma/client';
import { BATCH, inBatches } from '#retention/in-batches';

/** Clients that were not used yet: this many registered ones, and this many with a document. */
const MAX_UNUSED = 10_000;

/** True if a client can have this id. Others can contain characters that the database does not store. */
export const isClientId = (id: string): boolean => isId('appClient', id) || isDocumentUrl(id);

/** Deletes the oldest unused clients of a kind above the maximum, so that registrations never stop. */
async function dropUnused(db: PrismaClient, isDocument: boolean): Promise<void> {
  // Arrays, because PostgreSQL can repeat a subquery for each row.
  await db.$executeRaw`DELETE FROM app_clients WHERE id = ANY(ARRAY
    (SELECT id FROM app_clients WHERE last_used_at IS NULL AND id = ANY(ARRAY
      (SELECT id FROM app_clients AS client
        WHERE last_used_at IS NULL AND (fresh_until IS NOT NULL) = ${isDocument}
        AND NOT EXISTS (SELECT FROM app_grants WHERE client_id = client.id)
        ORDER BY created_at DESC, id DESC LIMIT ${BATCH} OFFSET ${MAX_UNUSED}))
      FOR UPDATE SKIP LOCKED))`;
}

/** Registers a client. */
export async function registerClient(db: PrismaClient, { name, redirectUris }: ClientMetadata): Promise<AppClient> {
  const client = await db.appClient.create({ data: { id: newId('appClient'), name, redirectUris: [...redirectUris] } });
  await dropUnused(db, false);
  return client;
}

/**
 * Finds a registered client, or one that describes itself at its URL: its document is read again when it
 * is no longer fresh. Returns undefined for an unknown id. Throws `upstream_error`.
 */
export async function findClient(
  { db, egress }: { readonly db: PrismaClient; readonly egress: EgressGuard },
  clientId: string,
): Promise<AppClient | undefined> {
  if (!isClientId(clientId)) return undefined;
  const known = await db.appClient.findUnique({ where: { id: clientId } });
  if (!isDocumentUrl(clientId)) return known ?? undefined;
  if (known?.freshUntil && known.freshUntil.getTime() > Date.now()) return known;
  const { name, redirectUris, freshUntil } = await fetchClientDocument(egress, clientId);
  const data = { name, redirectUris: [...redirectUris], freshUntil };
  const client = await db.appClient.upsert({
    where: { id: clientId },
    create: { id: clientId, ...data },
    update: data,
  });
  if (known === null) await dropUnused(db, true);
  return client;
}

/** Stores that a person gave a client access. Throws `not_found` if the client was deleted meanwhile. */
export async function noteClientUse(db: Prisma.TransactionClient, id: string): Promise<void> {
  const { count } = await db.appClient.updateMany({ where: { id }, data: { lastUsedAt: new Date() } });
  if (count > 0) return;
  throw new AppError('not_found', 'The request of this app has expired. Connect it again from the app.');
}

/** Deletes clients without access: after an hour if they were never used, otherwise after 180 days. */
export async function purgeClients(db: PrismaClient, signal?: AbortSignal): Promise<void> {
  await inBatches(
    () => db.$executeRaw`DELETE FROM app_clients WHERE id = ANY(ARRAY
    (SELECT id FROM app_clients AS client
      WHERE coalesce(last_used_at + interval '180 days', created_at + interval '1 hour') < now()
      AND NOT EXISTS (SELECT FROM app_grants WHERE client_id = client.id) LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
    signal,
  );
}
