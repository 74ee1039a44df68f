/** A text without what nobody reads in it: targets of Markdown links and images, bare web addresses. For analysis only, offsets do not hold. */
export function readableText(text: string): string {
  return text.replace(/\]\([^)\s]*(?:\s+"[^"]*")?\)/g, ']').replace(/\bhttps?:\/\/[^\s)>\]]+/gi, ' ');
}
