import { joinRules, type PageRules, type Rule } from '#layout/rules';

/** An image with one bit per pixel, 1 for ink; each row begins with a new word, most significant bit first. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly wordsPerRow: number;
  readonly words: Int32Array;
}

/** Shorter lines, in inches, are parts of letters. */
const minLength = 0.5;
/** The same as a share of the shorter side of the image: the resolution that an image declares can be wrong. */
const minShare = 0.05;
/** Thicker ones are pictures and dark areas. */
const maxThickness = 0.06;
/** Gaps in a line, in pixels: noise of the scan. */
const maxGap = 2;
/** A page with more lines is a drawing. */
const maxRuns = 50_000;
const maxRules = 500;

/** Pixels from `from` to `to` in one row (or column) of an image. */
interface Run {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Calls `visit` for each pixel with ink, row by row. */
const eachInk = ({ width, height, wordsPerRow, words }: Bitmap, visit: (x: number, y: number) => void): void => {
  for (let y = 0; y < height; y++) {
    for (let index = 0; index < wordsPerRow; index++) {
      let bits = words[y * wordsPerRow + index] ?? 0;
      while (bits !== 0) {
        const bit = Math.clz32(bits);
        const x = index * 32 + bit;
        if (x < width) visit(x, y);
        bits &= ~(0x80000000 >>> bit);
      }
    }
  }
};

/** Collects runs of ink along one direction, from pixels in the order of that direction. */
class RunFinder {
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #minPixels: number;
  readonly runs: Run[] = [];

  constructor(lines: number, minPixels: number) {
    this.#starts = new Int32Array(lines).fill(-1);
    this.#ends = new Int32Array(lines).fill(-1);
    this.#minPixels = minPixels;
  }

  add(line: number, at: number): void {
    if (at - (this.#ends[line] ?? 0) > maxGap + 1 || this.#starts[line] === -1) {
      this.#close(line);
      this.#starts[line] = at;
    }
    this.#ends[line] = at;
  }

  finish(): readonly Run[] {
    for (let line = 0; line < this.#starts.length; line++) this.#close(line);
    return this.runs;
  }

  #close(line: number): void {
    const [from = -1, to = -1] = [this.#starts[line], this.#ends[line]];
    if (from !== -1 && to - from + 1 >= this.#minPixels && this.runs.length < maxRuns)
      this.runs.push({ at: line, from, to });
  }
}

/** Returns the runs of lines: those of dark areas lie on each other in too many rows. */
const thinRuns = (runs: readonly Run[], maxPixels: number): Run[] => {
  const groups: { last: number; from: number; to: number; runs: Run[] }[] = [];
  let open: typeof groups = [];
  for (const run of [...runs].sort((a, b) => a.at - b.at)) {
    open = open.filter(({ last }) => run.at - last <= 1);
    const group = open.find(({ from, to }) => run.from <= to && run.to >= from);
    if (group) {
      Object.assign(group, { last: run.at, from: Math.min(group.from, run.from), to: Math.max(group.to, run.to) });
      group.runs.push(run);
    } else {
      const added = { last: run.at, from: run.from, to: run.to, runs: [run] };
      groups.push(added);
      open.push(added);
    }
  }
  return groups
    .filter(({ runs: [first], last }) => first !== undefined && last - first.at < maxPixels)
    .flatMap((group) => group.runs);
};

/** The lines of an image, as runs of its pixels. */
export interface ImageRules {
  readonly horizontal: readonly Run[];
  readonly vertical: readonly Run[];
}

/** Finds the horizontal and vertical lines of an image. */
export const findImageRules = (image: Bitmap, dpi: number): ImageRules => {
  const minPixels = Math.max(dpi * minLength, Math.min(image.width, image.height) * minShare);
  const rows = new RunFinder(image.height, minPixels);
  const columns = new RunFinder(image.width, minPixels);
  eachInk(image, (x, y) => {
    rows.add(y, x);
    columns.add(x, y);
  });
  const maxPixels = Math.max(2, dpi * maxThickness);
  return { horizontal: thinRuns(rows.finish(), maxPixels), vertical: thinRuns(columns.finish(), maxPixels) };
};

/** Returns the lines in points from the lower left corner; none if there are too many. */
export const toPageRules = (
  { horizontal, vertical }: ImageRules,
  height: number,
  pointsPerPixel: number,
): PageRules | undefined => {
  const across = horizontal.map(
    ({ at, from, to }): Rule => ({
      at: (height - at) * pointsPerPixel,
      from: from * pointsPerPixel,
      to: to * pointsPerPixel,
    }),
  );
  const down = vertical.map(
    ({ at, from, to }): Rule => ({
      at: at * pointsPerPixel,
      from: (height - to) * pointsPerPixel,
      to: (height - from) * pointsPerPixel,
    }),
  );
  const rules = { horizontal: joinRules(across), vertical: joinRules(down) };
  return rules.horizontal.length + rules.vertical.length > maxRules ? undefined : rules;
};

/** Returns the image without lines, as a PBM file. */
export const withoutRules = (image: Bitmap, { horizontal, vertical }: ImageRules): Uint8Array => {
  const { width, height, wordsPerRow } = image;
  const words = image.words.slice();
  const erase = (x: number, y: number): void => {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    const index = y * wordsPerRow + (x >> 5);
    words[index] = (words[index] ?? 0) & ~(0x80000000 >>> (x & 31));
  };
  // The pixels next to a line are its blurred edges.
  for (const { at, from, to } of horizontal)
    for (let x = from; x <= to; x++) for (let y = at - 1; y <= at + 1; y++) erase(x, y);
  for (const { at, from, to } of vertical)
    for (let y = from; y <= to; y++) for (let x = at - 1; x <= at + 1; x++) erase(x, y);
  const header = Buffer.from(`P4\n${width} ${height}\n`, 'latin1');
  const bytesPerRow = Math.ceil(width / 8);
  const file = new Uint8Array(header.length + bytesPerRow * height);
  file.set(header);
  for (let y = 0; y < height; y++) {
    for (let byte = 0; byte < bytesPerRow; byte++) {
      const word = words[y * wordsPerRow + (byte >> 2)] ?? 0;
      file[header.length + y * bytesPerRow + byte] = (word >>> (24 - (byte & 3) * 8)) & 0xff;
    }
  }
  return file;
};
