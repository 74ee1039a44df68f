/** An excerpt without the Markdown marks of headings and bold text. `C#` and `#12` stay. */
export const plainExcerpt = (excerpt: string): string =>
  excerpt
    .replace(/(?<!\S)#{1,6}(?!\S)|\*\*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
