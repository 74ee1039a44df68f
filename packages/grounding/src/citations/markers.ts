import { codeSpans, type Span } from '@lectern/text';
import type { CitationEvent } from '#citations/reply-event';

/** `[3]`, but not the text of a Markdown link, `[3](…)`, or the label of a reference, `[3]:`. */
const MARKER = /\[(\d{1,3})\](?![(:])/g;

/** A citation marker found in a reply. */
export interface FoundMarker {
  readonly marker: number;
  /** Offsets of the bracketed number, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Returns the citation markers of a reply, in order: not numbers in code, and not those in cited text. */
export function findMarkers(text: string, citations: readonly CitationEvent[] = []): FoundMarker[] {
  const cited = citations.map(({ textStart, textEnd }) => ({ start: textStart, end: textEnd }));
  const found = Array.from(text.matchAll(MARKER), (match) => ({
    marker: Number(match[1]),
    start: match.index,
    end: match.index + match[0].length,
  }));
  return found.length === 0 ? [] : outside(outside(found, codeSpans(text)), cited);
}

/** Returns the reply without markers and the blanks before each. Code stays unchanged. */
export function withoutMarkers(text: string): string {
  let result = '';
  let from = 0;
  for (const { start, end } of findMarkers(text)) {
    let before = start;
    while (before > from && /[ \t]/.test(text[before - 1] ?? '')) before -= 1;
    result += text.slice(from, before);
    from = end;
  }
  return result + text.slice(from);
}

/** Returns the markers that are in none of the spans. */
function outside(markers: readonly FoundMarker[], spans: readonly Span[]): FoundMarker[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start);
  let at = 0;
  let reached = 0;
  return markers.filter(({ start }) => {
    for (let span = sorted[at]; span && span.start <= start; span = sorted[++at]) reached = Math.max(reached, span.end);
    return start >= reached;
  });
}
