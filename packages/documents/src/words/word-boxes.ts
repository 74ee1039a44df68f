import { maxWordsPerPage } from '#ocr/recognized-page';
import { type Box, boxUnits } from '#words/page-words';

/** A page as PDF.js shows it: its size, and the transformation from PDF units to its upper left corner. */
export interface PageView {
  readonly width: number;
  readonly height: number;
  readonly transform: readonly number[];
}

/** A text of a PDF: its matrix, with the point where it begins, and its width in PDF units. */
export interface TextRun {
  readonly transform: readonly number[];
  readonly width: number;
}

/** How far letters go above and below their baseline, as shares of the type size. */
const ascent = 0.82;
const descent = 0.22;

const toUnits = (value: number, whole: number): number =>
  Math.round(Math.min(1, Math.max(0, value / whole || 0)) * boxUnits);

/** Collects the boxes of the words of a PDF page. */
export class WordBoxes {
  readonly #view: PageView;
  readonly #boxes: Box[] = [];

  constructor(view: PageView) {
    this.#view = view;
  }

  /** The boxes in the order in which they were added. */
  get boxes(): readonly Box[] {
    return this.#boxes;
  }

  /** Adds the box of a part of a text, from one share of its width to another. Returns its index. */
  add(run: TextRun, from: number, to: number): number {
    if (this.#boxes.length >= maxWordsPerPage) return maxWordsPerPage;
    return this.#boxes.push(this.#boxOf(run, from, to)) - 1;
  }

  /** Extends the box of a word by a part of a text. */
  extend(index: number, run: TextRun, from: number, to: number): void {
    const box = this.#boxes[index];
    if (box === undefined) return;
    const more = this.#boxOf(run, from, to);
    this.#boxes[index] = [
      Math.min(box[0], more[0]),
      Math.min(box[1], more[1]),
      Math.max(box[2], more[2]),
      Math.max(box[3], more[3]),
    ];
  }

  #boxOf({ transform, width }: TextRun, from: number, to: number): Box {
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
    const [ma = 1, mb = 0, mc = 0, md = 1, mx = 0, my = 0] = this.#view.transform;
    const length = Math.hypot(a, b) || 1;
    const [alongX, alongY] = [(a / length) * width, (b / length) * width];
    // The corners of the letters, then the box around them.
    const x1 = x + alongX * from;
    const y1 = y + alongY * from;
    const x2 = x + alongX * to;
    const y2 = y + alongY * to;
    const shownX = (pointX: number, pointY: number): number => ma * pointX + mc * pointY + mx;
    const shownY = (pointX: number, pointY: number): number => mb * pointX + md * pointY + my;
    const [upX, upY, downX, downY] = [c * ascent, d * ascent, -c * descent, -d * descent];
    const xs1 = shownX(x1 + upX, y1 + upY);
    const xs2 = shownX(x1 + downX, y1 + downY);
    const xs3 = shownX(x2 + upX, y2 + upY);
    const xs4 = shownX(x2 + downX, y2 + downY);
    const ys1 = shownY(x1 + upX, y1 + upY);
    const ys2 = shownY(x1 + downX, y1 + downY);
    const ys3 = shownY(x2 + upX, y2 + upY);
    const ys4 = shownY(x2 + downX, y2 + downY);
    const [left, right] = [Math.min(xs1, xs2, xs3, xs4), Math.max(xs1, xs2, xs3, xs4)];
    const [top, bottom] = [Math.min(ys1, ys2, ys3, ys4), Math.max(ys1, ys2, ys3, ys4)];
    const view = this.#view;
    return [
      toUnits(left, view.width),
      toUnits(top, view.height),
      toUnits(right, view.width),
      toUnits(bottom, view.height),
    ];
  }
}
