/** Removes the targets of Markdown links and images, and URLs, for analysis. Offsets change. */
export function readableText(text: string): string {
  return text.replace(/\]\([^)\s]*(?:\s+"[^"]*")?\)/g, ']').replace(/\bhttps?:\/\/[^\s)>\]]+/gi, ' ');
}
