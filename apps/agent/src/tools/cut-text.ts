/**
 * The beginning of a text, at most so many bytes of UTF-8, never half a character. Always a copy: a slice of a string keeps the whole string
 * in memory for as long as itself, which may be a document of many megabytes.
 */
export function cutText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return bytes.toString('utf8');
  let end = Math.max(0, maxBytes);
  // A byte 10xxxxxx goes on with a character that began before it.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
