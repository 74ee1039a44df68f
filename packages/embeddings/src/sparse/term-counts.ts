/** How often each term of a text occurs, and how many occurrences there are in all. */
export class TermCounts {
  readonly frequencies = new Map<string, number>();
  length = 0;

  /** Counts `term` as `occurrences` more of it. */
  add(term: string, occurrences: number): void {
    this.frequencies.set(term, (this.frequencies.get(term) ?? 0) + occurrences);
    this.length += occurrences;
  }
}
