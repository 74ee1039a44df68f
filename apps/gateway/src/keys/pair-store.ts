import { newId } from '@lectern/service-kit';
import type { ApiKey, KeyKind, KeyPair, Prisma } from '#gen/prisma/client';
import { deleteResponsesAbout } from '#idempotency/request-store';
import { hashKey, newKey } from '#keys/format';

/** A database client, or a transaction of one. */
type Db = Prisma.TransactionClient;

/** The settings of a pair that a management operation can change. */
export interface PairSettings {
  readonly name: string;
  readonly allowAllCollections: boolean;
  readonly allowedCollections: string[];
  readonly allowedHosts: string[];
  readonly allowedReferers: string[];
  readonly rights: string[];
  readonly allowedIps: string[];
  /** Can only be narrowed: see `settingsOf`. */
  readonly publishableReads: 'public';
  readonly requireSignature: boolean;
  /** Null for the default of the key's kind. */
  readonly rateLimitPerMinute: number | null;
  /** Null for never. */
  readonly expiresAt: Date | null;
}

/** The two keys of a pair. They are shown once. */
export interface NewKeys {
  readonly secretKey: string;
  readonly publishableKey: string;
}

/** A new pair with its keys. */
export interface NewKeyPair extends NewKeys {
  readonly id: string;
  readonly teamId: string;
}

/** A pair with the stored records of its current keys. */
export type StoredPair = KeyPair & { readonly keys: readonly ApiKey[] };

const WITH_CURRENT_KEYS = { keys: { where: { retiresAt: null } } } as const;

function newKeys(): {
  readonly keys: NewKeys;
  readonly rows: { hash: Uint8Array<ArrayBuffer>; kind: KeyKind; lastFour: string }[];
} {
  const keys = { secretKey: newKey('secret'), publishableKey: newKey('publishable') };
  const rowOf = (key: string, kind: KeyKind) => ({ hash: hashKey(key), kind, lastFour: key.slice(-4) });
  return { keys, rows: [rowOf(keys.secretKey, 'secret'), rowOf(keys.publishableKey, 'publishable')] };
}

/** Creates a pair with access to all collections of the team, unless the settings limit it. */
export async function createKeyPair(
  db: Db,
  teamId: string,
  name: string,
  settings: Omit<Partial<PairSettings>, 'name'> = {},
): Promise<NewKeyPair> {
  const { keys, rows } = newKeys();
  const pair = await db.keyPair.create({
    data: { id: newId('key'), teamId, name, ...settings, keys: { create: rows } },
  });
  return { id: pair.id, teamId, ...keys };
}

/** Finds a pair of a team, including a revoked one. */
export async function findPair(db: Db, teamId: string, id: string): Promise<StoredPair | undefined> {
  return (await db.keyPair.findFirst({ where: { id, teamId }, include: WITH_CURRENT_KEYS })) ?? undefined;
}

/** Returns a page of the pairs of a team, newest first, and their total number. */
export async function listPairs(
  db: Db,
  teamId: string,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ readonly pairs: readonly StoredPair[]; readonly total: number }> {
  const where = { teamId };
  const order = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const pairs = await db.keyPair.findMany({ where, orderBy: order, skip, take, include: WITH_CURRENT_KEYS });
  return { pairs, total: await db.keyPair.count({ where }) };
}

/** Locks a pair's row until the transaction ends. */
export async function lockPair(tx: Db, id: string): Promise<void> {
  await tx.$queryRaw`SELECT FROM key_pairs WHERE id = ${id} FOR NO KEY UPDATE`;
}

/** Updates an active pair. Returns false if there is none. */
export async function updatePair(db: Db, id: string, changes: Partial<PairSettings>): Promise<boolean> {
  const { count } = await db.keyPair.updateMany({ where: { id, revokedAt: null }, data: changes });
  return count > 0;
}

/**
 * Revokes a pair and deletes the responses stored for its retries. Returns false if no active pair
 * has this id.
 */
export async function revokeKeyPair(db: Db, id: string): Promise<boolean> {
  const { count } = await db.keyPair.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
  if (count > 0) await deleteResponsesAbout(db, [id]);
  return count > 0;
}

/**
 * Creates new keys for a pair. All older keys stop working after the overlap at the latest. Run it
 * in a transaction. Returns undefined if there is no active pair.
 */
export async function rotateKeyPair(db: Db, id: string, overlapSeconds: number): Promise<NewKeys | undefined> {
  // Locks the row of the pair, so that concurrent rotations run one after the other.
  const { count } = await db.keyPair.updateMany({ where: { id, revokedAt: null }, data: { updatedAt: new Date() } });
  if (count === 0) return undefined;
  const retiresAt = new Date(Date.now() + overlapSeconds * 1_000);
  await db.apiKey.updateMany({
    where: { pairId: id, OR: [{ retiresAt: null }, { retiresAt: { gt: retiresAt } }] },
    data: { retiresAt },
  });
  const { keys, rows } = newKeys();
  await db.apiKey.createMany({ data: rows.map((row) => ({ ...row, pairId: id })) });
  return keys;
}

/** How many deleted collections a pair remembers. */
const MAX_DELETED = 1_000;

/**
 * Removes a deleted collection from the scopes of all pairs of its team. They remember it, because the events
 * of its documents' deletions may not have been sent yet.
 */
export async function dropCollectionFromScopes(db: Db, teamId: string, collectionId: string): Promise<void> {
  await db.$executeRaw`UPDATE key_pairs SET allowed_collections = array_remove(allowed_collections, ${collectionId}),
      deleted_collections = (array_prepend(${collectionId}, deleted_collections))[1:${MAX_DELETED}::int]
    WHERE team_id = ${teamId} AND ${collectionId} = ANY(allowed_collections)`;
}
