import { RIGHTS, type Right, type Role, type TokenRight } from '@lectern/api-spec';
import type { CollectionScope, Filters } from '@lectern/service-kit';
import type { ApiKey, KeyKind, KeyPair, Prisma, PublishableReads } from '#gen/prisma/client';

/** A signed-in person. */
interface SignedIn {
  readonly sessionId: string;
  readonly email: string;
  /** The person's own role, or a higher one of a group. */
  readonly role: Role;
  /** The principals of the person's groups. */
  readonly groups: readonly string[];
  /** A BCP 47 tag. Null without a choice. */
  readonly language: string | null;
}

/** The user of a user token, and what the token allows. */
interface TokenUser {
  readonly user: string;
  readonly rights: readonly TokenRight[];
  readonly filters: Filters | undefined;
}

/** An app that a person connected. */
interface ConnectedApp {
  readonly grantId: string;
  /** The URL that its tokens are for. */
  readonly resource: string;
  /** The person. */
  readonly email: string;
  /** The principals of the person's groups. */
  readonly groups: readonly string[];
}

/**
 * A stored key with the settings of its pair, a user token, a session or the token of an app. A session
 * has the access of a secret key, limited by the role of its person; a user token that of a publishable
 * key, and chat; an app that of a member, limited to MCP and its scopes.
 */
export interface StoredKey {
  /** The id of the pair, or of the person of a session or an app. */
  readonly pairId: string;
  /** The name of the pair or of the person. */
  readonly pairName: string;
  /** Set for a session. */
  readonly person?: SignedIn;
  /** Set for a user token. */
  readonly token?: TokenUser;
  /** Set for the token of an app. */
  readonly app?: ConnectedApp;
  readonly teamId: string;
  readonly kind: KeyKind;
  readonly scope: CollectionScope;
  /** What the secret key of the pair, or the app, may do. */
  readonly rights: readonly Right[];
  /** Where the keys can be used. Empty allows every address. */
  readonly allowedIps: readonly string[];
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
  return key === null ? undefined : toStoredKey(key);
}

/** Combines a key with the settings of its pair. */
export function toStoredKey({ pair, ...key }: ApiKey & { readonly pair: KeyPair }): StoredKey {
  return {
    pairId: pair.id,
    pairName: pair.name,
    teamId: pair.teamId,
    kind: key.kind,
    scope: pair.allowAllCollections ? { kind: 'all' } : { kind: 'only', ids: pair.allowedCollections },
    rights: RIGHTS.filter((right) => pair.rights.includes(right)),
    allowedIps: pair.allowedIps,
    allowedHosts: pair.allowedHosts,
    allowedReferers: pair.allowedReferers,
    publishableReads: pair.publishableReads,
    requireSignature: pair.requireSignature,
    rateLimitPerMinute: pair.rateLimitPerMinute ?? undefined,
    expiresAt: pair.expiresAt,
    endsAt: pair.revokedAt ?? key.retiresAt,
  };
}
