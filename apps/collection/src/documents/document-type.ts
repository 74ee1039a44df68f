const HTML = /<(?:!doctype html|html|body|p|div|h[1-6]|table)\b[^>]*>/i;
const MARKDOWN = /^(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|```|>\s|\|.+\|)|\[[^\]\n]+\]\([^)\s]+\)|\*\*[^*\n]+\*\*/m;

/** Detects the type of a text from the API: `html`, `markdown` or `text`. */
export function documentTypeOf(content: string): 'html' | 'markdown' | 'text' {
  const head = content.slice(0, 20_000);
  if (HTML.test(head)) return 'html';
  return MARKDOWN.test(head) ? 'markdown' : 'text';
}
