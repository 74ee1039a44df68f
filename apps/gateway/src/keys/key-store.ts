import type { Role } from '@lectern/api-spec';
import type { CollectionScope } from '@lectern/service-kit';
import type { KeyKind, Prisma, PublishableReads } from '#gen/prisma/client';

/** A signed-in person. */
interface SignedIn {
  readonly sessionId: string;
  readonly email: string;
  /** The own role, or a higher one of a group. */
  readonly role: Role;
  /** The principals of the person's groups. */
  readonly groups: readonly string[];
}

/**
 * A stored key with the settings of its pair, or a session. A session has the access of a secret
 * key, limited by the role of its person.
 */
export interface StoredKey {
  /** The id of the pair, or of the signed-in person. */
  readonly pairId: string;
  /** The name of the pair or of the person. */
  readonly pairName: string;
  /** Set for a session. */
  readonly person?: SignedIn;
  readonly teamId: string;
  readonly kind: KeyKind;
  readonly scope: CollectionScope;
  /** Limits the publishable key. Empty allows every host. */
  readonly allowedHosts: readonly string[];
  /** Limits the publishable key. Empty allows every page. */
  readonly allowedReferers: readonly string[];
  /**
   * What the pair's publishable key reads: every document in scope, or only those whose principals
   * include `public`.
   */
  readonly publishableReads: PublishableReads;
  readonly requireSignature: boolean;
  /** Undefined for the default of the key's kind. */
  readonly rateLimitPerMinute: number | undefined;
  readonly expiresAt: Date | null;
  /** When the key stops working because it was revoked or rotated out. */
  readonly endsAt: Date | null;
}

/** Finds a key by its SHA-256. */
export async function findKey(
  db: Prisma.TransactionClient,
  hash: Uint8Array<ArrayBuffer>,
): Promise<StoredKey | undefined> {
  const key = await db.apiKey.findUnique({ where: { hash }, include: { pair: true } });
  if (key === null) return undefined;
  const { pair } = key;
  return {
    pairId: pair.id,
    pairName: pair.name,
    teamId: pair.teamId,
    kind: key.kind,
    scope: pair.allowAllCollections ? { kind: 'all' } : { kind: 'only', ids: pair.allowedCollections },
    allowedHosts: pair.allowedHosts,
    allowedReferers: pair.allowedReferers,
    publishableReads: pair.publishableReads,
    requireSignature: pair.requireSignature,
    rateLimitPerMinute: pair.rateLimitPerMinute ?? undefined,
    expiresAt: pair.expiresAt,
    endsAt: pair.revokedAt ?? key.retiresAt,
  };
}
