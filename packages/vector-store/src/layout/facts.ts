import { createHash } from 'node:crypto';

/** A value that facets count and filters compare. */
export type FactValue = string | number | boolean;

/**
 * Lists of facts by bucket, stored with a passage for filters and facets on fields without their
 * own index.
 */
export type Facts = Readonly<Record<string, readonly string[]>>;

/** The fields that facts are derived from. */
export interface FactSource {
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly author?: string | undefined;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * Metadata keys are chosen by users, so they cannot have one index each. A fact is a text like
 * `metadata.topic=s:leave` in one of these lists, chosen by the hash of the field's name. Counting
 * a field reads only its list, so another field with many values (an address, an id) rarely slows
 * it down.
 */
const BUCKETS = 16;

/** Longer texts are compared by hash and never returned as facet values. */
export const MAX_FACET_TEXT = 512;

/** Deeper objects in metadata are not searchable. */
const MAX_DEPTH = 10;

/** The name of the field with the prefixes of title words. No metadata field can have it. */
const TITLE_FIELD = 'title';

/** The longest prefix. Longer ones are found by their character grams. */
const MAX_PREFIX_LENGTH = 3;

const TITLE_WORDS = /[\p{L}\p{N}]+/gu;
const MARKS = /\p{M}+/gu;

/** The payload keys of all buckets. */
export const FACT_KEYS: readonly string[] = Array.from({ length: BUCKETS }, (_, at) => `facts.${bucketName(at)}`);

/** Returns the payload key of the list that holds a field's facts. */
export function factKey(field: string): string {
  return `facts.${bucketOf(field)}`;
}

/** Returns the fact that a field has this value, or contains it. */
export function valueFact(field: string, value: FactValue): string {
  return `${prefixOf(field)}${encodeValue(value)}`;
}

/** Returns the fact that a field has any value. */
export function presenceFact(field: string): string {
  return `${escapeField(field)}?`;
}

/**
 * Returns the value that a fact holds for a field; undefined for facts of other fields, presence
 * facts, and hashed texts.
 */
export function factValue(field: string, fact: string): FactValue | undefined {
  const prefix = prefixOf(field);
  if (!fact.startsWith(prefix)) return undefined;
  const text = fact.slice(prefix.length + 2);
  switch (fact[prefix.length]) {
    case 's':
      return text;
    case 'n':
      return Number(text);
    case 'b':
      return text === 'true';
    default:
      return undefined;
  }
}

/**
 * Returns all facts of a document without duplicates: every metadata value under its path
 * (`metadata.owner.team`), each element of a list, the author, the UTC days of its dates, and the
 * prefixes of its title's words. Null, empty lists and objects inside lists have no value.
 */
export function factsOf({ title, metadata, author, createdAt, updatedAt }: FactSource): Facts {
  const facts = new Map<string, Set<string>>();
  const add = (field: string, fact: string): void => {
    const bucket = bucketOf(field);
    const known = facts.get(bucket);
    if (known) known.add(fact);
    else facts.set(bucket, new Set([fact]));
  };
  const walk = (field: string, value: unknown, depth: number): void => {
    for (const element of Array.isArray(value) ? value : [value]) {
      if (element === null || element === undefined) continue;
      add(field, presenceFact(field));
      if (isFactValue(element)) add(field, valueFact(field, element));
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === MAX_DEPTH) return;
    for (const [key, inner] of Object.entries(value)) walk(`${field}.${key}`, inner, depth + 1);
  };
  for (const [key, value] of Object.entries(metadata)) walk(`metadata.${key}`, value, 1);
  walk('author', metadata.author ?? author, 1);
  walk('createdAt', createdAt.slice(0, 'YYYY-MM-DD'.length), 1);
  walk('updatedAt', updatedAt.slice(0, 'YYYY-MM-DD'.length), 1);
  walk(TITLE_FIELD, titlePrefixes(title), 1);
  return Object.fromEntries([...facts].map(([bucket, list]) => [bucket, [...list]]));
}

/** Returns the key and the fact for a prefix of a title's word; at most three characters count. */
export function titleFact(prefix: string): { readonly key: string; readonly fact: string } {
  return { key: factKey(TITLE_FIELD), fact: valueFact(TITLE_FIELD, foldedStart(prefix, MAX_PREFIX_LENGTH)) };
}

function titlePrefixes(title: string): string[] {
  const words = title.normalize('NFKC').match(TITLE_WORDS) ?? [];
  const lengths = Array.from({ length: MAX_PREFIX_LENGTH }, (_, at) => at + 1);
  return words.flatMap((word) => lengths.map((length) => foldedStart(word, length)));
}

/** Lowercases text and removes accents. */
function foldedStart(word: string, length: number): string {
  const folded = word
    .slice(0, length * 4)
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKS, '');
  return Array.from(folded).slice(0, length).join('');
}

function isFactValue(value: unknown): value is FactValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function encodeValue(value: FactValue): string {
  if (typeof value === 'number') return `n:${value === 0 ? 0 : value}`;
  if (typeof value === 'boolean') return `b:${value}`;
  return value.length <= MAX_FACET_TEXT ? `s:${value}` : `h:${createHash('sha256').update(value).digest('hex')}`;
}

const prefixOf = (field: string): string => `${escapeField(field)}=`;

/** Escapes the separators of a fact. */
function escapeField(field: string): string {
  return field.replace(/[%=?]/g, encodeURIComponent);
}

/** Hashes the UTF-16 units by FNV-1a. Never change it: stored facts depend on it. */
function bucketOf(field: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < field.length; at++) hash = Math.imul(hash ^ field.charCodeAt(at), 0x01000193);
  return bucketName((hash >>> 0) % BUCKETS);
}

function bucketName(at: number): string {
  return `b${at}`;
}
