import { z } from 'zod';
import { jsonBody, optionalJsonBody, recordBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  flag,
  idParams,
  ids,
  integer,
  name,
  nullableTimestamp,
  ownId,
  pageQuery,
  recordId,
  text,
  updatedAt,
  wireSchemas,
} from '#fields';
import { formatIpRange, parseIpRange } from '#ip-ranges';
import { none, one, operation, pageOf } from '#operation';
import { language } from '#operations/account';
import { budgetSchema } from '#operations/budgets';
import { personSchema } from '#operations/people';
import { isHostPattern, isRefererPattern } from '#page-patterns';
import { HOST, IP_RANGE, REFERER } from '#patterns';
import { RIGHTS } from '#roles';

const MAX_ENTRIES = 100;
const MAX_ENTRY = 500;
const MAX_IP_RANGE = 49;
const MAX_PER_MINUTE = 1_000_000;
/** 30 days. */
export const MAX_OVERLAP_SECONDS = 2_592_000;
/** Completes “This API key may not …”. */
const MANAGE_KEYS = 'manage API keys';

const entry = z.string().trim().max(MAX_ENTRY);

const host = entry
  .toLowerCase()
  .refine(isHostPattern, 'must be a host, for example example.com, *.example.com or localhost:3000, without https://')
  .register(wireSchemas, { schema: { type: 'string', maxLength: MAX_ENTRY, pattern: HOST } });
const referer = entry
  .refine(isRefererPattern, 'must be a URL prefix, for example https://example.com/docs')
  .register(wireSchemas, { schema: { type: 'string', maxLength: MAX_ENTRY, pattern: REFERER } });

const ipRange = z
  .string()
  .trim()
  .max(MAX_IP_RANGE)
  .transform((value, issues) => {
    const range = parseIpRange(value);
    if (range !== undefined) return formatIpRange(range);
    issues.addIssue({
      code: 'custom',
      message: 'must be an IP address or a CIDR range, for example 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32',
    });
    return z.NEVER;
  })
  .register(wireSchemas, { schema: { type: 'string', maxLength: MAX_IP_RANGE, pattern: IP_RANGE } });
/** In the order of `RIGHTS`, each once. */
const rightsInOrder = (rights: readonly string[]) => RIGHTS.filter((right) => rights.includes(right));

const future = z.iso
  .datetime({ offset: true, error: 'must be a time, for example 2030-01-31T12:00:00Z' })
  .transform((value) => new Date(value))
  .refine((date) => date.getTime() > Date.now(), 'must be in the future');

const NAME = { description: 'A name for people, for example where the pair is used.' };
const ALL_COLLECTIONS = { description: 'True if the keys have access to all collections of the team.' };
const COLLECTIONS = {
  description: 'Ids of the collections that the keys have access to, if `allow_all_collections` is false.',
};
const HOSTS = {
  description:
    'Hosts whose pages can use the publishable key, with `*.` for all subdomains. An empty list allows every host.',
};
const REFERERS = {
  description: 'URL prefixes of pages that can use the publishable key. An empty list allows every page.',
};
const READS = {
  description:
    'What the publishable key reads: `public` for documents whose principals include `public`, `all` for every document in scope. New pairs have `public`. Only older pairs have `all`; it cannot be set.',
};
const SIGNATURE = { description: 'True if every request with the secret key must be signed.' };
const RIGHT_LIST = {
  description:
    'What the secret key may do. New pairs have the rights of the key that creates them, or all rights if a person creates them. The description of each operation names the right that it needs.',
};
const IPS = {
  description:
    'Addresses and CIDR ranges, IPv4 or IPv6, from which both keys and the user tokens of the pair can be used. An empty list allows every address. IPv4 addresses in IPv6 notation become IPv4, and bits after the prefix are cleared.',
};
const RATE = { description: 'Requests per minute. Null for the default limit of the kind of key.' };
const EXPIRES = { description: 'When both keys expire. Null for never. A new value must be in the future.' };

const publishableReads = z.enum(['public', 'all']).meta({ id: 'PublishableReads', ...READS });

const right = z.enum(RIGHTS).meta({ id: 'KeyRight', description: 'A right of a secret key.' });
const rights = z.array(right).min(1, 'must have at least one right').max(RIGHTS.length).transform(rightsInOrder);

/** The settings of a pair that a caller can choose. */
export const pairFields = {
  name: name.meta(NAME),
  allow_all_collections: z.boolean().meta(ALL_COLLECTIONS),
  allowed_collections: ids.meta(COLLECTIONS),
  allowed_hosts: z.array(host).max(MAX_ENTRIES).meta(HOSTS),
  allowed_referers: z.array(referer).max(MAX_ENTRIES).meta(REFERERS),
  rights: rights.meta(RIGHT_LIST),
  allowed_ips: z.array(ipRange).max(MAX_ENTRIES).meta(IPS),
  publishable_reads: publishableReads,
  require_signature: z.boolean().meta(SIGNATURE),
  rate_limit_per_minute: z.int().min(1).max(MAX_PER_MINUTE).nullable().meta(RATE),
  expires_at: future.nullable().meta(EXPIRES),
};

export type PairFields = z.output<z.ZodObject<typeof pairFields>>;

const { name: requiredName, ...optionalFields } = pairFields;
const publishable_reads = z
  .literal('public', 'must be public: new publishable keys read public documents only')
  .meta({ description: 'What the publishable key reads. New keys read public documents only.' });

const newPairBody = z
  .strictObject({
    name: requiredName,
    ...z.object({ ...optionalFields, publishable_reads }).partial().shape,
  })
  .meta({
    examples: [{ name: 'Website', allowed_collections: [exampleId('collection')], allowed_hosts: ['example.com'] }],
  });

const pairChanges = z
  .strictObject(pairFields)
  .partial()
  .meta({ examples: [{ rate_limit_per_minute: 600 }] });

const rotation = z
  .strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(0)
      .meta({ description: 'Seconds for which the old keys keep working, at most 30 days.' }),
  })
  .meta({ examples: [{ overlapSeconds: 3_600 }] });

const collections = z.array(z.string()).meta(COLLECTIONS);
const expiresAt = z.iso.datetime({ precision: 3 }).nullable().meta(EXPIRES);

const pair = {
  id: ownId('key'),
  name: z.string().meta(NAME),
  allow_all_collections: z.boolean().meta(ALL_COLLECTIONS),
  allowed_collections: collections,
  allowed_hosts: z.array(z.string()).meta(HOSTS),
  allowed_referers: z.array(z.string()).meta(REFERERS),
  rights: z.array(right).meta(RIGHT_LIST),
  allowed_ips: z.array(z.string()).meta(IPS),
  publishable_reads: publishableReads,
  require_signature: z.boolean().meta(SIGNATURE),
  rate_limit_per_minute: z.int().nullable().meta(RATE),
  expires_at: expiresAt,
  publishableKeyPrefix: text('The publishable key, shortened to its prefix and its last four characters.'),
  secretKeyPrefix: text('The secret key, shortened to its prefix and its last four characters.'),
  lastUsedAt: nullableTimestamp('When a key of the pair was last used. Null for never.'),
  createdAt,
  updatedAt,
  revokedAt: nullableTimestamp('When the pair was revoked. Null for an active pair.'),
};
const EXAMPLE = {
  id: exampleId('key'),
  name: 'Website',
  allow_all_collections: false,
  allowed_collections: [exampleId('collection')],
  allowed_hosts: ['example.com'],
  allowed_referers: [],
  rights: ['search', 'chat'],
  allowed_ips: ['203.0.113.0/24'],
  publishable_reads: 'public',
  require_signature: false,
  rate_limit_per_minute: null,
  expires_at: null,
  publishableKeyPrefix: 'lectern_pk_…q7Zt',
  secretKeyPrefix: 'lectern_sk_…x2Lb',
  lastUsedAt: null,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
  revokedAt: null,
};

export const pairSchema = z.object(pair).meta({
  id: 'ApiKeyPair',
  description: 'A publishable and a secret key. The keys themselves are not shown.',
  examples: [EXAMPLE],
});

const newPairSchema = z
  .object({
    ...pair,
    publishableKey: text('The publishable key. Shown only in this response.'),
    secretKey: text('The secret key. Shown only in this response. Keep it on servers.'),
  })
  .meta({
    id: 'NewApiKeyPair',
    description: 'A pair with its keys. The keys are shown only in this response.',
    examples: [{ ...EXAMPLE, publishableKey: 'lectern_pk_…', secretKey: 'lectern_sk_…' }],
  });

const ownKeySchema = z
  .object({
    id: recordId('key', 'The id of the pair.'),
    name: text('The name of the pair.'),
    teamId: recordId('team', 'The id of the team, for paths with `{teamId}`.'),
    kind: z.enum(['publishable', 'secret', 'user_token', 'session']).meta({
      id: 'CallerKind',
      description:
        'The kind of the key that sent the request, `user_token` for a user token of the pair, or `session` for a signed-in person. Then `id` and `name` are those of the person.',
    }),
    person: personSchema.nullable().meta({ description: 'The signed-in person. Null for a key.' }),
    language: language.nullable().meta({
      description: 'The language that the signed-in person chose. Null: that of the browser, or the caller is a key.',
    }),
    user: z.string().nullable().meta({ description: 'The user of a user token. Null for any other caller.' }),
    allow_all_collections: flag(ALL_COLLECTIONS.description),
    allowed_collections: collections,
    rights: z
      .array(right)
      .meta({ description: 'What the caller may do. A publishable key and a person do not depend on rights.' }),
    publishable_reads: publishableReads,
    require_signature: flag(SIGNATURE.description),
    rate_limit_per_minute: integer('The limit of this key in requests per minute.'),
    expires_at: expiresAt,
    budget: budgetSchema.nullable().meta({ description: 'The budget of the caller. Null for a publishable key.' }),
  })
  .meta({
    id: 'OwnKey',
    description: 'The team, the kind and the access of a key.',
    examples: [
      {
        id: EXAMPLE.id,
        name: 'Website',
        teamId: exampleId('team'),
        kind: 'secret',
        person: null,
        language: null,
        user: null,
        allow_all_collections: true,
        allowed_collections: [],
        rights: [...RIGHTS],
        publishable_reads: 'public',
        require_signature: false,
        rate_limit_per_minute: 3_000,
        expires_at: null,
        budget: null,
      },
    ],
  });

export const getOwnKey = operation({
  id: 'getOwnKey',
  method: 'get',
  path: '/api/v1/key',
  summary: 'Get the key that sends the request',
  description:
    'Returns the team, the kind, the scope, the limit and the budget of the key that sends the request. With a session, it also returns the signed-in person.',
  access: 'publishable',
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(ownKeySchema),
});

export const listApiKeys = operation({
  id: 'listApiKeys',
  method: 'get',
  path: '/api/v1/api-keys',
  summary: 'List key pairs',
  description: 'Lists all key pairs of the team, newest first, including revoked pairs.',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(pairSchema)),
});

export const createApiKey = operation({
  id: 'createApiKey',
  method: 'post',
  path: '/api/v1/api-keys',
  summary: 'Create a key pair',
  description:
    'Creates a publishable and a secret key. Both are shown only in this response. A pair that names collections has access to only these, unless `allow_all_collections` is true.',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  versioned: true,
  params: none,
  query: none,
  body: jsonBody(newPairBody),
  success: 201,
  response: one(newPairSchema),
  returnsSecret: true,
});

export const getApiKey = operation({
  id: 'getApiKey',
  method: 'get',
  path: '/api/v1/api-keys/{id}',
  summary: 'Get a key pair',
  description: 'Returns the settings of a key pair, including a revoked one. The keys themselves are not shown.',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  versioned: true,
  params: idParams('key'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(pairSchema),
});

export const updateApiKey = operation({
  id: 'updateApiKey',
  method: 'put',
  path: '/api/v1/api-keys/{id}',
  summary: 'Update a key pair',
  description:
    'Changes the given settings of a key pair. Changes take effect within 5 seconds. A request that narrows the scope ends open streams of the pair.',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  versioned: true,
  params: idParams('key'),
  query: none,
  body: recordBody(pairChanges, pairSchema, ['lastUsedAt']),
  success: 200,
  response: one(pairSchema),
});

export const rotateApiKey = operation({
  id: 'rotateApiKey',
  method: 'post',
  path: '/api/v1/api-keys/{id}/rotate',
  summary: 'Rotate a key pair',
  description:
    'Creates new keys for a pair and returns them once. The old keys stop working within 5 seconds, or after `overlapSeconds`.',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  versioned: true,
  params: idParams('key'),
  query: none,
  body: optionalJsonBody(rotation),
  success: 200,
  response: one(newPairSchema),
  returnsSecret: true,
});

export const revokeApiKey = operation({
  id: 'revokeApiKey',
  method: 'delete',
  path: '/api/v1/api-keys/{id}',
  summary: 'Revoke a key pair',
  description: 'Revokes both keys. They stop working within 5 seconds. The record of the pair can still be read.',
  access: 'secret',
  fullScopeTo: MANAGE_KEYS,
  versioned: true,
  params: idParams('key'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});
