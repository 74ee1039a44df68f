/** The text of a message's content or of a delta's: a string, or a list of parts among which only those of text are said (Mistral's thoughts are not). */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map(partText).join('');
}

function partText(part: unknown): string {
  if (typeof part !== 'object' || part === null || !('type' in part) || !('text' in part)) return '';
  return part.type === 'text' && typeof part.text === 'string' ? part.text : '';
}
