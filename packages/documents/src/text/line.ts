/** A part of a line; a gap wider than the space between words separates it from the next one. */
export interface Piece {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** For each word of the text, its index in the words of the page. Absent if they are not known. */
  readonly words?: readonly number[];
}

/** One line of a page. Coordinates are PDF units from the lower left corner. */
export interface Line {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  /** Type size of most characters. */
  readonly size: number;
  /** The parts of the line from left to right. Absent if it has only one. */
  readonly pieces?: readonly Piece[];
  /** For each word of the text, its index in the words of the page. Absent if they are not known. */
  readonly words?: readonly number[];
}
