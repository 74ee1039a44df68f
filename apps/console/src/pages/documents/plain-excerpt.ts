interface Span {
  readonly start: number;
  readonly end: number;
}

/** What is omitted, or replaced by its first group: links, table lines, and marks of blocks and of bold text. */
const MARKS = [
  /!?\[([^\]\n]*)\]\([^)\s]*(?:\s+"[^"\n]*")?\)/g,
  /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/gm,
  /^[ \t]*(?:`{3,}|~{3,}).*$/gm,
  /^[ \t]*(?:[-*+]|>)(?=[ \t])/gm,
  /(?<!\S)#{1,6}(?!\S)/g,
  /(?<!\w)__(?=\S)|(?<=\S)__(?!\w)/g,
  /\*\*|`/g,
  /^[ \t]*\||\|[ \t]*$/gm,
] as const;

const KEPT = /^!?\[([^\]\n]*)\]\(/;

/** The spans that MARKS remove, in order. */
function removedSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const mark of MARKS) {
    for (const { 0: match, index } of text.matchAll(mark)) {
      const kept = KEPT.exec(match)?.[1];
      const end = index + match.length;
      if (kept === undefined) spans.push({ start: index, end });
      else {
        const start = index + match.indexOf('[') + 1;
        spans.push({ start: index, end: start }, { start: start + kept.length, end });
      }
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

/**
 * Returns an excerpt without Markdown marks and with single spaces, and its highlighted spans. `C#`
 * and `#12` stay.
 */
export function cleanExcerpt(
  excerpt: string,
  highlights: readonly Span[] = [],
): { readonly text: string; readonly highlights: readonly Span[] } {
  const removed = removedSpans(excerpt);
  /** The position in the result of each position in the excerpt. */
  const positions: number[] = [];
  let text = '';
  let next = 0;
  let removedTo = 0;
  for (let at = 0; at < excerpt.length; at += 1) {
    for (let span = removed[next]; span !== undefined && span.start <= at; span = removed[next]) {
      removedTo = Math.max(removedTo, span.end);
      next += 1;
    }
    positions.push(text.length);
    if (at < removedTo) continue;
    const character = excerpt[at] ?? '';
    if (!/\s/.test(character)) text += character;
    else if (text !== '' && !text.endsWith(' ')) text += ' ';
  }
  positions.push(text.length);
  const trimmed = text.trimEnd();
  const moved = highlights.flatMap(({ start, end }) => {
    const span = { start: positions[start] ?? 0, end: Math.min(positions[end] ?? 0, trimmed.length) };
    return span.start < span.end ? [span] : [];
  });
  return { text: trimmed, highlights: moved };
}

/** An excerpt without Markdown marks. */
export const plainExcerpt = (excerpt: string): string => cleanExcerpt(excerpt).text;
