/**
 * Returns the text of a message or a delta: a string, or the text parts of a list (Mistral also
 * sends thinking parts).
 */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map(partText).join('');
}

function partText(part: unknown): string {
  if (typeof part !== 'object' || part === null || !('type' in part) || !('text' in part)) return '';
  return part.type === 'text' && typeof part.text === 'string' ? part.text : '';
}
