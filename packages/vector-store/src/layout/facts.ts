import { createHash } from 'node:crypto';

/** A value that facets count and filters compare. */
export type FactValue = string | number | boolean;

/** What is stored beside a passage for filters and facets on what has no index of its own: fact lists by bucket. */
export type Facts = Readonly<Record<string, readonly string[]>>;

/** What facts are made from. */
export interface FactSource {
  readonly title: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly author?: string | undefined;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * Metadata keys are the users' own, so they cannot have an index each. A fact is one text, `metadata.topic=s:leave`, in one of so many lists
 * chosen by the field's hash. Counting a field walks its list alone, so that the many values of another field (an address, an id) rarely slow it.
 */
const BUCKETS = 16;

/** Longer texts are compared by their hash and never shown as facet values. */
export const MAX_FACET_TEXT = 512;

/** Deeper objects in metadata are not searched. */
const MAX_DEPTH = 10;

/** The field that holds how the words of a title begin. No metadata field can have its name. */
const TITLE_FIELD = 'title';

/** Most characters of a beginning. Longer ones are found by their character grams. */
const BEGINNING_LENGTH = 3;

const TITLE_WORDS = /[\p{L}\p{N}]+/gu;
const MARKS = /\p{M}+/gu;

/** The payload keys of all buckets. */
export const FACT_KEYS: readonly string[] = Array.from({ length: BUCKETS }, (_, at) => `facts.${bucketName(at)}`);

/** The payload key of the list that holds a field's facts. */
export function factKey(field: string): string {
  return `facts.${bucketOf(field)}`;
}

/** The fact that a field has this value, or that one of its values is this. */
export function valueFact(field: string, value: FactValue): string {
  return `${prefixOf(field)}${encodeValue(value)}`;
}

/** The fact that a field has any value. */
export function presenceFact(field: string): string {
  return `${escapeField(field)}?`;
}

/** The value that a fact gives a field; undefined for facts of other fields, of presence, and of texts too long to show. */
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
 * All facts of a document, each once: every value of its metadata under its path (`metadata.owner.team`), each element of a list by itself, the
 * author, the UTC days of its dates, and how the words of its title begin. Null, empty lists and objects inside lists have no value.
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
  walk(TITLE_FIELD, titleBeginnings(title), 1);
  return Object.fromEntries([...facts].map(([bucket, list]) => [bucket, [...list]]));
}

/** The key and the fact of a title of which a word begins like this; at most three characters count. */
export function titleFact(beginning: string): { readonly key: string; readonly fact: string } {
  return { key: factKey(TITLE_FIELD), fact: valueFact(TITLE_FIELD, foldedStart(beginning, BEGINNING_LENGTH)) };
}

function titleBeginnings(title: string): string[] {
  const words = title.normalize('NFKC').match(TITLE_WORDS) ?? [];
  const lengths = Array.from({ length: BEGINNING_LENGTH }, (_, at) => at + 1);
  return words.flatMap((word) => lengths.map((length) => foldedStart(word, length)));
}

/** Small letters without accents. */
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

/** Keeps `=` and `?` to what they mean in a fact. */
function escapeField(field: string): string {
  return field.replace(/[%=?]/g, encodeURIComponent);
}

/** FNV-1a over UTF-16 units. Stored facts depend on it: it must never change. */
function bucketOf(field: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < field.length; at++) hash = Math.imul(hash ^ field.charCodeAt(at), 0x01000193);
  return bucketName((hash >>> 0) % BUCKETS);
}

function bucketName(at: number): string {
  return `b${at}`;
}
