/** What a JSON body may hold, counted in its bytes before it is parsed. */
export interface JsonLimits {
  /** Values of every kind, objects and lists among them. */
  readonly values: number;
  /** Names in all objects together. */
  readonly keys: number;
}

/** Bytes of a name as it is sent, with its escapes. */
export const MAX_KEY_BYTES = 4_096;

/** Objects and lists in one another. The body's check names the field beyond 20; this bound keeps parsing cheap. */
export const MAX_NESTING = 64;

/** Of operations whose bodies are small: searches, chats, records. */
export const SMALL_JSON: JsonLimits = { values: 10_000, keys: 2_000 };

/** Of bodies that carry documents, long lists or settings; secret keys alone send them. */
export const LARGE_JSON: JsonLimits = { values: 50_000, keys: 15_000 };
