import { z } from 'zod';
import { ids, name } from '#http/fields';
import { isHostEntry } from '#keys/allowed-hosts';
import { isRefererEntry } from '#keys/allowed-referers';
import type { PairSettings } from '#keys/pair-settings';

const MAX_ENTRIES = 100;
const MAX_ENTRY = 500;
const MAX_PER_MINUTE = 1_000_000;

const entry = z.string().trim().max(MAX_ENTRY);

const host = entry
  .toLowerCase()
  .refine(isHostEntry, 'must be a host such as example.com, *.example.com or localhost:3000, without https://');
const referer = entry.refine(isRefererEntry, 'must be the beginning of an address, such as https://example.com/docs');

const future = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2030-01-31T12:00:00Z' })
  .transform((text) => new Date(text))
  .refine((date) => date.getTime() > Date.now(), 'must be in the future');

/** A pair's settings, for its creation and its update. */
export const pairFields = {
  name,
  allow_all_collections: z.boolean(),
  allowed_collections: ids,
  allowed_hosts: z.array(host).max(MAX_ENTRIES),
  allowed_referers: z.array(referer).max(MAX_ENTRIES),
  publishable_reads: z.enum(['public', 'all']),
  require_signature: z.boolean(),
  rate_limit_per_minute: z.int().min(1).max(MAX_PER_MINUTE).nullable(),
  expires_at: future.nullable(),
};

type Fields = z.output<z.ZodObject<typeof pairFields>>;
type Body = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** The settings that a body gives. */
export function settingsOf(body: Body): Partial<PairSettings> {
  const given = {
    name: body.name,
    allowAllCollections: body.allow_all_collections,
    allowedCollections: body.allowed_collections && [...new Set(body.allowed_collections)],
    allowedHosts: body.allowed_hosts,
    allowedReferers: body.allowed_referers,
    // `all` never widens a pair: it can only repeat the value of an older pair.
    publishableReads: body.publishable_reads === 'public' ? 'public' : undefined,
    requireSignature: body.require_signature,
    rateLimitPerMinute: body.rate_limit_per_minute,
    expiresAt: body.expires_at,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
