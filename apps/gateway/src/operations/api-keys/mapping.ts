import { apiKeys, RIGHTS } from '@lectern/api-spec';
import { digestOf } from '@lectern/service-kit';
import { PREFIXES } from '#keys/format';
import type { NewKeys, PairSettings, StoredPair } from '#keys/pair-store';
import { time } from '#operations/convert';

function prefix({ keys }: StoredPair, kind: 'publishable' | 'secret'): string {
  const lastFour = keys.find((key) => key.kind === kind)?.lastFour ?? '';
  return `${PREFIXES[kind]}…${lastFour}`;
}

const laterOf = (a: Date | null, b: Date | undefined) => (a !== null && b !== undefined && a > b ? a : (b ?? a));

/** A pair with its keys shortened. `usedAt` is the last use, if it is not stored yet. */
export function pairRecord(pair: StoredPair, usedAt?: Date) {
  return {
    id: pair.id,
    name: pair.name,
    allow_all_collections: pair.allowAllCollections,
    allowed_collections: pair.allowedCollections,
    allowed_hosts: pair.allowedHosts,
    allowed_referers: pair.allowedReferers,
    rights: RIGHTS.filter((right) => pair.rights.includes(right)),
    allowed_ips: pair.allowedIps,
    publishable_reads: pair.publishableReads,
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

/**
 * The revision of the editable fields and of the revocation. Use and rotation of the keys are
 * excluded.
 */
export function pairRevision(pair: StoredPair): string {
  const record = pairRecord(pair);
  const settings = Object.keys(apiKeys.pairFields).map((name) => [name, Reflect.get(record, name)]);
  return digestOf([...settings, record.revokedAt]);
}

/** A pair with its keys, which are shown once. */
export function newPairRecord(pair: StoredPair, { publishableKey, secretKey }: NewKeys, usedAt?: Date) {
  return { ...pairRecord(pair, usedAt), publishableKey, secretKey };
}

type Changes = { readonly [Name in keyof apiKeys.PairFields]?: apiKeys.PairFields[Name] | undefined };

/** Converts the settings in a body. */
export function settingsOf(body: Changes): Partial<PairSettings> {
  const settings = {
    name: body.name,
    allowAllCollections: body.allow_all_collections,
    allowedCollections: body.allowed_collections && [...new Set(body.allowed_collections)],
    allowedHosts: body.allowed_hosts,
    allowedReferers: body.allowed_referers,
    rights: body.rights,
    allowedIps: body.allowed_ips && [...new Set(body.allowed_ips)],
    // `all` never widens a pair: it can only repeat the value of an older pair.
    publishableReads: body.publishable_reads === 'public' ? 'public' : undefined,
    requireSignature: body.require_signature,
    rateLimitPerMinute: body.rate_limit_per_minute,
    expiresAt: body.expires_at,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
