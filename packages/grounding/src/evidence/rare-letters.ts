import { letterPieces } from '#evidence/letter-overlap';
import type { Pausable } from '#evidence/pausable';

/** How much of a question one of several texts holds, against the others. */
export interface RareLetters {
  /** Share of the question's pieces of four letters, each by its rarity among the texts (as BM25's idf) and how often it comes (f / (f + 1)). */
  readonly share: number;
  /** The same less the best of the texts of other documents. */
  readonly margin: number;
  /** The same less what texts of other documents have on average. */
  readonly overAverage: number;
}

/** A text and the document that it is of. */
export interface LetterText {
  readonly documentId: string;
  readonly text: string;
}

/** What the margins are where there is no other document to compare with. */
const NO_OTHER = 0.05;

/** Pieces that are counted between two pauses. */
const PIECES_PER_STEP = 500;

/** Compares texts with a question by pieces of four letters, which bear compounds, endings and spellings. In the order of the texts. */
export function* compareLetters(asked: string, texts: readonly LetterText[]): Pausable<RareLetters[]> {
  const wanted = [...new Set(letterPieces(asked, asked))];
  const counted: { readonly documentId: string; readonly counts: ReadonlyMap<string, number> }[] = [];
  for (const { documentId, text } of texts) {
    counted.push({ documentId, counts: yield* countPieces(letterPieces(asked, text)) });
    yield;
  }
  const weights: number[] = [];
  for (const [at, piece] of wanted.entries()) {
    const holding = counted.filter(({ counts }) => counts.has(piece)).length;
    weights.push(Math.log(1 + (counted.length - holding + 0.5) / (holding + 0.5)));
    if (at % PIECES_PER_STEP === 0) yield;
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares: { readonly documentId: string; readonly share: number }[] = [];
  for (const { documentId, counts } of counted) {
    const held = wanted.reduce((sum, piece, at) => {
      const count = counts.get(piece) ?? 0;
      return sum + ((weights[at] ?? 0) * count) / (count + 1);
    }, 0);
    shares.push({ documentId, share: total === 0 ? 0 : held / total });
    yield;
  }
  return shares.map(({ documentId, share }) => {
    const others = shares.filter((other) => other.documentId !== documentId).map((other) => other.share);
    if (others.length === 0) return { share, margin: NO_OTHER, overAverage: NO_OTHER };
    const average = others.reduce((sum, other) => sum + other, 0) / others.length;
    return { share, margin: share - Math.max(...others), overAverage: share - average };
  });
}

function* countPieces(pieces: Iterable<string>): Pausable<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  let read = 0;
  for (const piece of pieces) {
    counts.set(piece, (counts.get(piece) ?? 0) + 1);
    read += 1;
    if (read % PIECES_PER_STEP === 0) yield;
  }
  return counts;
}
