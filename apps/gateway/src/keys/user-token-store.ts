import { TOKEN_RIGHTS, type TokenRight } from '@lectern/api-spec';
import { type CollectionScope, type Filters, newId } from '@lectern/service-kit';
import { Prisma, type PrismaClient } from '#gen/prisma/client';
import { hashKey, newKey } from '#keys/format';
import { type StoredKey, toStoredKey } from '#keys/key-store';
import { BATCH, inBatches } from '#retention/in-batches';

/** What a new token allows. */
export interface NewUserToken {
  readonly user: string;
  /** Undefined for all collections of the key. */
  readonly collections: readonly string[] | undefined;
  readonly filters: Filters | undefined;
  readonly rights: readonly TokenRight[];
  readonly expiresAt: Date;
}

/** Creates a token of a secret key. Returns its id and the token itself, which is shown once. */
export async function createUserToken(
  db: Prisma.TransactionClient,
  secretKey: string,
  { user, collections, filters, rights, expiresAt }: NewUserToken,
): Promise<{ readonly id: string; readonly token: string }> {
  const token = newKey('userToken');
  const id = newId('userToken');
  await db.userToken.create({
    data: {
      id,
      tokenHash: hashKey(token),
      keyHash: hashKey(secretKey),
      userEmail: user,
      allCollections: collections === undefined,
      collections: [...new Set(collections)],
      filters: filters === undefined ? Prisma.DbNull : JSON.parse(JSON.stringify(filters)),
      rights: [...rights],
      expiresAt,
    },
  });
  return { id, token };
}

/** The collections of both scopes. */
function intersect(scope: CollectionScope, only: readonly string[] | undefined): CollectionScope {
  if (only === undefined) return scope;
  return { kind: 'only', ids: scope.kind === 'all' ? only : only.filter((id) => scope.ids.includes(id)) };
}

const earlierOf = (a: Date, b: Date | null): Date => (b !== null && b < a ? b : a);

/**
 * Finds a user token by its SHA-256. It never allows more than the current settings of its key pair,
 * and ends with the secret key that created it.
 */
export async function findUserToken(
  db: Prisma.TransactionClient,
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<StoredKey | undefined> {
  const found = await db.userToken.findUnique({
    where: { tokenHash },
    include: { key: { include: { pair: true } } },
  });
  if (found === null) return undefined;
  const key = toStoredKey(found.key);
  const { filters } = found;
  return {
    ...key,
    kind: 'publishable',
    token: {
      user: found.userEmail,
      rights: TOKEN_RIGHTS.filter((right) => found.rights.includes(right)),
      filters: typeof filters === 'object' && filters !== null && !Array.isArray(filters) ? filters : undefined,
    },
    scope: intersect(key.scope, found.allCollections ? undefined : found.collections),
    expiresAt: earlierOf(found.expiresAt, key.expiresAt),
  };
}

/** Deletes expired tokens. */
export async function purgeUserTokens(db: PrismaClient, signal?: AbortSignal): Promise<void> {
  await inBatches(
    () => db.$executeRaw`DELETE FROM user_tokens WHERE id IN
    (SELECT id FROM user_tokens WHERE expires_at < now() - interval '1 day' LIMIT ${BATCH})`,
    signal,
  );
}
