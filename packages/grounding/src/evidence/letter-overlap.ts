/** Letters of a piece: long enough to be telling, short enough to be left whole by endings and compounds. */
const PIECE = 4;
/** Scripts that write words in one or two characters. */
const DENSE_PIECE = 2;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Compares texts with one text: the share of its pieces of four letters that the other has too, 0 to 1. */
export function createLetterOverlap(asked: string): (text: string) => number {
  const size = DENSE.test(asked) ? DENSE_PIECE : PIECE;
  const wanted = new Set(pieces(asked, size));
  return (text) => {
    const left = new Set(wanted);
    for (const piece of pieces(text, size)) left.delete(piece);
    return wanted.size === 0 ? 0 : 1 - left.size / wanted.size;
  };
}

/** The pieces of a text of the length that fits a question: its script decides. */
export function letterPieces(asked: string, text: string): Iterable<string> {
  return pieces(text, DENSE.test(asked) ? DENSE_PIECE : PIECE);
}

/** All runs of `size` characters; anything but letters and figures counts as one blank. */
function* pieces(text: string, size: number): Generator<string> {
  const plain = ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
  for (let at = 0; at + size <= plain.length; at += 1) yield plain.slice(at, at + size);
}
