import { type CollectionScope, newId } from '@lectern/service-kit';
import type { KeyKind, PrismaClient } from '#gen/prisma/client';
import { hashKey, newKey } from '#keys/format';

/** A key as it is stored, with what its pair allows. */
export interface StoredKey {
  readonly pairId: string;
  readonly teamId: string;
  readonly kind: KeyKind;
  readonly scope: CollectionScope;
  readonly expiresAt: Date | null;
  /** When the key stops working because it was revoked or rotated out. */
  readonly endsAt: Date | null;
}

/** Both keys of a new pair; they are shown once. */
export interface NewKeyPair {
  readonly id: string;
  readonly teamId: string;
  readonly secretKey: string;
  readonly publishableKey: string;
}

/** Finds a key by its SHA-256. */
export async function findKey(db: PrismaClient, hash: Buffer<ArrayBuffer>): Promise<StoredKey | undefined> {
  const key = await db.apiKey.findUnique({ where: { hash }, include: { pair: true } });
  if (key === null) return undefined;
  const { pair } = key;
  return {
    pairId: pair.id,
    teamId: pair.teamId,
    kind: key.kind,
    scope: pair.allowAllCollections ? { kind: 'all' } : { kind: 'only', ids: pair.allowedCollections },
    expiresAt: pair.expiresAt,
    endsAt: pair.revokedAt ?? key.retiresAt,
  };
}

/** The team of that name, made where there is none. */
export async function ensureTeam(db: PrismaClient, name: string): Promise<string> {
  const team = await db.team.upsert({ where: { name }, create: { id: newId('team'), name }, update: {} });
  return team.id;
}

/** Makes a pair that reaches all collections of the team. */
export async function createKeyPair(db: PrismaClient, teamId: string, name: string): Promise<NewKeyPair> {
  const secretKey = newKey('secret');
  const publishableKey = newKey('publishable');
  const rowOf = (key: string, kind: KeyKind) => ({ hash: hashKey(key), kind, lastFour: key.slice(-4) });
  const pair = await db.keyPair.create({
    data: {
      id: newId('key'),
      teamId,
      name,
      keys: { create: [rowOf(secretKey, 'secret'), rowOf(publishableKey, 'publishable')] },
    },
  });
  return { id: pair.id, teamId, secretKey, publishableKey };
}

/** Revokes a pair; false where there is none of that id that still works. */
export async function revokeKeyPair(db: PrismaClient, id: string): Promise<boolean> {
  const { count } = await db.keyPair.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
  return count > 0;
}
