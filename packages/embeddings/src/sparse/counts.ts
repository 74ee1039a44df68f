/** How often each feature of a text occurs, and how many occurrences there are in all. */
export class Counts<Feature> {
  readonly frequencies = new Map<Feature, number>();
  length = 0;

  /** Counts `feature` as `occurrences` more of it. */
  add(feature: Feature, occurrences: number): void {
    this.frequencies.set(feature, (this.frequencies.get(feature) ?? 0) + occurrences);
    this.length += occurrences;
  }
}
