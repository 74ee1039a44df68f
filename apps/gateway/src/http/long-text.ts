import { randomUUID } from 'node:crypto';

/** UTF-16 units of a text that are encoded in one go: a few tenths of a millisecond. */
const PIECE_LENGTH = 64 * 1024;

/**
 * Returns the fields of an object that contain long texts, for example the content of a document.
 * Does not look into nested objects.
 */
export function longTextsOf(value: unknown): readonly (readonly [name: string, text: string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, text]: [string, unknown]) =>
    typeof text === 'string' && text.length > PIECE_LENGTH ? [[name, text] as const] : [],
  );
}

/**
 * Yields the JSON of `wrap(value)` in chunks. For the largest document, `JSON.stringify` would
 * block all other requests for a third of a second; each chunk takes less than a millisecond.
 */
export function* jsonInPieces(value: object, wrap: (value: object) => object): Generator<string> {
  const mark = randomUUID();
  const texts = longTextsOf(value);
  const marks = texts.map(([name], at) => [name, `${mark}${at}`] as const);
  const frame = JSON.stringify(wrap({ ...value, ...Object.fromEntries(marks) }));
  const found = frame.matchAll(new RegExp(`${mark}(\\d+)`, 'g'));
  let at = 0;
  for (const match of found) {
    yield frame.slice(at, match.index);
    yield* encodedText(texts[Number(match[1])]?.[1] ?? '');
    at = match.index + match[0].length;
  }
  yield frame.slice(at);
}

function* encodedText(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PIECE_LENGTH, text.length);
    // Half a surrogate pair would be written as an escape.
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
}
