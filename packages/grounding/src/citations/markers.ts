/** `[3]`, but not the text of a Markdown link, `[3](…)`, or the label of a reference, `[3]:`. */
const MARKER = /\[(\d{1,3})\](?![(:])/g;

/** A citation marker found in a reply. */
export interface FoundMarker {
  readonly marker: number;
  /** Offsets of the bracketed number, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Returns the citation markers of a reply, in order. */
export function findMarkers(text: string): FoundMarker[] {
  return [...text.matchAll(MARKER)].map((match) => ({
    marker: Number(match[1]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Returns the reply without markers and the blank before each. */
export function withoutMarkers(text: string): string {
  return text.replace(/[ \t]*\[\d{1,3}\](?![(:])/g, '');
}
