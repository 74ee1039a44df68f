import { digestOf } from '@lectern/service-kit';
import { z } from 'zod';
import { timestamp } from '#http/answer-schema';
import { time } from '#http/time';
import { PREFIXES } from '#keys/format';
import type { NewKeys, StoredPair } from '#keys/pair-store';
import { pairFields } from '#operations/api-keys/fields';

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
  const settings = Object.keys(pairFields).map((name) => [name, Reflect.get(record, name)]);
  return digestOf([...settings, record.revokedAt]);
}

/** A pair with its keys, as it is shown once. */
export function newPairRecord(pair: StoredPair, { publishableKey, secretKey }: NewKeys, usedAt?: Date) {
  return { ...pairRecord(pair, usedAt), publishableKey, secretKey };
}

const publishableReads = z.enum(['public', 'all']).meta({
  description:
    'What the publishable key reads: `public` for documents whose principals include `public`, `all` for every document in scope. New pairs have `public`. Only older pairs have `all`; it cannot be set.',
});

const pair = {
  id: z.string(),
  name: z.string(),
  allow_all_collections: z.boolean(),
  allowed_collections: z.array(z.string()),
  allowed_hosts: z.array(z.string()),
  allowed_referers: z.array(z.string()),
  publishable_reads: publishableReads,
  require_signature: z.boolean(),
  rate_limit_per_minute: z.int().nullable().meta({ description: 'null: the standard limit' }),
  expires_at: timestamp.nullable(),
  publishableKeyPrefix: z.string(),
  secretKeyPrefix: z.string(),
  lastUsedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  revokedAt: timestamp.nullable(),
};
const EXAMPLE = {
  id: 'key_01h455vb4pex5vsknk084sn02q',
  name: 'Website',
  allow_all_collections: false,
  allowed_collections: ['col_01h455vb4pex5vsknk084sn02q'],
  allowed_hosts: ['example.com'],
  allowed_referers: [],
  publishable_reads: 'public',
  require_signature: false,
  rate_limit_per_minute: null,
  expires_at: null,
  publishableKeyPrefix: 'lectern_pk_…q7Zt',
  secretKeyPrefix: 'lectern_sk_…x2Lb',
  lastUsedAt: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  revokedAt: null,
};

export const pairSchema = z.object(pair).meta({
  id: 'ApiKeyPair',
  description: 'A publishable and a secret key, without the keys',
  examples: [EXAMPLE],
});

export const newPairSchema = z.object({ ...pair, publishableKey: z.string(), secretKey: z.string() }).meta({
  id: 'NewApiKeyPair',
  description: 'A pair with its keys, which are shown this once',
  examples: [{ ...EXAMPLE, publishableKey: 'lectern_pk_…', secretKey: 'lectern_sk_…' }],
});

export const ownKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    teamId: z.string(),
    kind: z.enum(['publishable', 'secret']),
    allow_all_collections: z.boolean(),
    allowed_collections: z.array(z.string()),
    publishable_reads: publishableReads,
    require_signature: z.boolean(),
    rate_limit_per_minute: z.int(),
    expires_at: timestamp.nullable(),
  })
  .meta({
    id: 'OwnKey',
    description: 'What a key may do',
    examples: [
      {
        id: EXAMPLE.id,
        name: 'Website',
        teamId: 'team_01h455vb4pex5vsknk084sn02q',
        kind: 'secret',
        allow_all_collections: true,
        allowed_collections: [],
        publishable_reads: 'public',
        require_signature: false,
        rate_limit_per_minute: 3_000,
        expires_at: null,
      },
    ],
  });
