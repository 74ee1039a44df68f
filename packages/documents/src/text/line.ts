/** One line of a page. Coordinates are PDF units from the lower left corner. */
export interface Line {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  /** Type size of most characters. */
  readonly size: number;
}
