/** Limits for a JSON body, counted in its bytes before parsing. */
export interface JsonLimits {
  /** Values of every kind, including objects and lists. */
  readonly values: number;
  /** Property names in all objects together. */
  readonly keys: number;
}

/** Bytes of a property name as sent, including escapes. */
export const MAX_KEY_BYTES = 4_096;

/**
 * Nesting depth of objects and lists. Validation reports the field below level 20; this limit keeps
 * parsing cheap.
 */
export const MAX_NESTING = 64;

/** For operations with small bodies: searches, chats, records. */
export const SMALL_JSON: JsonLimits = { values: 10_000, keys: 2_000 };

/** For bodies that carry documents, long lists or settings; only secret keys send them. */
export const LARGE_JSON: JsonLimits = { values: 50_000, keys: 15_000 };
