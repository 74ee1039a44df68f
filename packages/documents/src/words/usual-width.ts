/** The widths of the characters 32 to 126 in most sans-serif type, in thousandths of the type size. */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];
const otherLetter = 556;
const ideograph = 1_000;
const firstIdeograph = 0x2e80;

/** Returns how wide a part of a text usually is compared with others, to split the width of a text between its words. */
export const usualWidth = (text: string, from = 0, to = text.length): number => {
  let sum = 0;
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index);
    sum += widths[code - 32] ?? (code >= firstIdeograph ? ideograph : otherLetter);
  }
  return sum;
};
