import { time } from '#http/time';
import { PREFIXES } from '#keys/format';
import type { NewKeys, StoredPair } from '#keys/pair-store';

function prefix({ keys }: StoredPair, kind: 'publishable' | 'secret'): string {
  const lastFour = keys.find((key) => key.kind === kind)?.lastFour ?? '';
  return `${PREFIXES[kind]}…${lastFour}`;
}

const laterOf = (a: Date | null, b: Date | undefined) => (a !== null && b !== undefined && a > b ? a : (b ?? a));

/** A pair as it is read: its keys by their prefix and last four characters only. `usedAt` is a use that is not written down yet. */
export function pairRecord(pair: StoredPair, usedAt?: Date) {
  return {
    id: pair.id,
    name: pair.name,
    allow_all_collections: pair.allowAllCollections,
    allowed_collections: pair.allowedCollections,
    allowed_hosts: pair.allowedHosts,
    allowed_referers: pair.allowedReferers,
    require_signature: pair.requireSignature,
    rate_limit_per_minute: pair.rateLimitPerMinute,
    expires_at: time(pair.expiresAt ?? undefined),
    publishableKeyPrefix: prefix(pair, 'publishable'),
    secretKeyPrefix: prefix(pair, 'secret'),
    lastUsedAt: time(laterOf(pair.lastUsedAt, usedAt) ?? undefined),
    createdAt: time(pair.createdAt),
    updatedAt: time(pair.updatedAt),
    revokedAt: time(pair.revokedAt ?? undefined),
  };
}

/** A pair with its keys, as it is shown once. */
export function newPairRecord(pair: StoredPair, { publishableKey, secretKey }: NewKeys, usedAt?: Date) {
  return { ...pairRecord(pair, usedAt), publishableKey, secretKey };
}
