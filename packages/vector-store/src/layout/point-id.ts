import { createHash } from 'node:crypto';
import { v5 } from 'uuid';

/**
 * The version of the form of stored points. Points of an older form are found, and are stored again
 * in the background.
 */
export const POINTS_VERSION = 1;

/** Never change these: the ids of all stored points depend on them. */
const KEY = 'lectern point of document ';
const FORMER_NAMESPACE = '6c9d3a52-0f7e-5b41-9d38-4e1ab7c2f610';

/** The custom UUID version of RFC 9562. Ids of earlier versions of Lectern are UUIDv5. */
const VERSION = '8';
const VERSION_AT = 14;
/** The variant of RFC 9562, with two bits of the hash. */
const VARIANTS = '89ab';

/** The key is the UUID up to its last group, which has six digits for the version and six for the chunk. */
const KEY_LENGTH = 23;
const DIGITS = 6;
const CHUNK_AT = 30;
const MAX_NUMBER = 16 ** DIGITS - 1;
const FIRST = '0'.repeat(DIGITS);

/**
 * Returns the id of a passage's point: a UUIDv8 of the document's key, the version and the chunk.
 * Indexing a passage again replaces its point, so indexing can be repeated safely, and a ranking
 * knows the document of each passage without reading it.
 */
export function pointId(document: string, version: number, chunk: number): string {
  return `${documentKey(document)}-${digitsOf('version', version)}${digitsOf('chunk', chunk)}`;
}

/**
 * Returns the key of a document, the first part of its points' ids: 74 bits of a keyed SHA-256.
 * Document ids are made by the services, so no caller can choose two of the same key. Two documents
 * with the same key would count as one and replace each other's passages. By chance that is
 * astronomically improbable: 1 in 400 million for ten million documents of all teams together, 1 in
 * 4 million for 100 million.
 */
export function documentKey(document: string): string {
  const hex = createHash('sha256').update(KEY).update(document).digest('hex');
  const variant = VARIANTS.charAt(Number.parseInt(hex.charAt(15), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${VERSION}${hex.slice(12, 15)}-${variant}${hex.slice(16, 19)}`;
}

/** Returns the key of a point's document; undefined for the id of an earlier version of Lectern. */
export function keyOf(id: string): string | undefined {
  return id.charAt(VERSION_AT) === VERSION ? id.slice(0, KEY_LENGTH) : undefined;
}

/** Returns the version in a point's id; not for a former id. */
export function versionOf(id: string): number {
  return Number.parseInt(id.slice(KEY_LENGTH + 1, CHUNK_AT), 16);
}

/** Returns the id of another passage of the same version of the document; not for a former id. */
export function siblingOf(id: string, chunk: number): string {
  return `${id.slice(0, CHUNK_AT)}${chunk === 0 ? FIRST : digitsOf('chunk', chunk)}`;
}

/**
 * Returns the id that earlier versions of Lectern gave the same passage, a UUIDv5. It shows nothing
 * about the document.
 */
export function formerPointId(document: string, version: number, chunk: number): string {
  return v5(`${document}:${version}:${chunk}`, FORMER_NAMESPACE);
}

function digitsOf(name: string, value: number): string {
  if (!Number.isInteger(value) || value < 0 || value > MAX_NUMBER) {
    throw new RangeError(`The ${name} of a passage is ${value}. It must be an integer from 0 to ${MAX_NUMBER}.`);
  }
  return value.toString(16).padStart(DIGITS, '0');
}
