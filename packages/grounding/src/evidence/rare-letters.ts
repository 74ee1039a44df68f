import { letterPieces } from '#evidence/letter-overlap';

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

/** Compares texts with a question by pieces of four letters, which bear compounds, endings and spellings. In the order of the texts. */
export function compareLetters(asked: string, texts: readonly LetterText[]): RareLetters[] {
  const wanted = [...new Set(letterPieces(asked, asked))];
  const counted = texts.map(({ documentId, text }) => ({ documentId, counts: countPieces(letterPieces(asked, text)) }));
  const weights = wanted.map((piece) => {
    const holding = counted.filter(({ counts }) => counts.has(piece)).length;
    return Math.log(1 + (counted.length - holding + 0.5) / (holding + 0.5));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = counted.map(({ documentId, counts }) => {
    const held = wanted.reduce((sum, piece, at) => {
      const count = counts.get(piece) ?? 0;
      return sum + ((weights[at] ?? 0) * count) / (count + 1);
    }, 0);
    return { documentId, share: total === 0 ? 0 : held / total };
  });
  return shares.map(({ documentId, share }) => {
    const others = shares.filter((other) => other.documentId !== documentId).map((other) => other.share);
    if (others.length === 0) return { share, margin: NO_OTHER, overAverage: NO_OTHER };
    const average = others.reduce((sum, other) => sum + other, 0) / others.length;
    return { share, margin: share - Math.max(...others), overAverage: share - average };
  });
}

function countPieces(pieces: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return counts;
}
