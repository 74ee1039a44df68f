/**
 * Returns the start of a text of at most `maxBytes` UTF-8 bytes, without splitting a character.
 * Always a copy, because a slice would keep the whole string in memory.
 */
export function cutText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return bytes.toString('utf8');
  let end = Math.max(0, maxBytes);
  // A byte 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
