/** Counts how often each feature of a text occurs, and all occurrences together. */
export class Counts<Feature> {
  readonly frequencies = new Map<Feature, number>();
  length = 0;

  /** Adds `occurrences` of `feature`. */
  add(feature: Feature, occurrences: number): void {
    this.frequencies.set(feature, (this.frequencies.get(feature) ?? 0) + occurrences);
    this.length += occurrences;
  }
}
