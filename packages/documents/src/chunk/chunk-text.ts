import { estimateTokens } from '@lectern/text';
import { type ChunkLimits, PassageReader } from '#chunk/passages';

/** A passage of a document. `text` is always `document.slice(start, end)`. */
export interface Chunk {
  readonly index: number;
  readonly text: string;
  /** UTF-16 offset into the document. */
  readonly start: number;
  /** UTF-16 offset of the first unit after the chunk. */
  readonly end: number;
  /** The headings above the passage, outermost first; for merged sections those that they share. */
  readonly headingPath: string[];
  /** Estimated tokens of `text`; see estimateTokens. */
  readonly tokens: number;
}

/** How large chunks become. */
export interface ChunkOptions {
  /** Most tokens of a chunk, at least 16. Default 350. */
  readonly targetTokens?: number;
  /** Most tokens that a chunk repeats of the one before it, up to half the target. Default a seventh of the target. */
  readonly overlapTokens?: number;
  /** The document's title; tops the heading path unless the first heading says the same. */
  readonly title?: string | undefined;
}

const smallestTarget = 16;
/** A section below this share of the target is merged with the next: its embedding would hang on a handful of words. */
const tinyShare = 1 / 5;

const chunkLimits = (options: ChunkOptions): ChunkLimits => {
  const target = Math.floor(options.targetTokens ?? 350);
  const overlap = Math.floor(options.overlapTokens ?? target / 7);
  if (!(target >= smallestTarget)) throw new RangeError(`targetTokens must be at least ${smallestTarget}`);
  if (!(overlap >= 0 && overlap <= target / 2)) {
    throw new RangeError('overlapTokens must be from 0 to half of targetTokens');
  }
  return { target, overlap, tiny: target * tinyShare };
};

/**
 * Cuts a document in the normal form into passages of at most `targetTokens`, in one pass over the text.
 *
 * A chunk never spans two sections, with two exceptions that retrieve better: a heading without text of its own goes
 * with the section below it, and a section smaller than a fifth of the target is merged with the following ones of its
 * level or deeper while they fit. Within a section whole paragraphs, lists, tables and code blocks are packed together;
 * one that is too large comes apart at sentence ends, rows or lines. Sections of several chunks are divided evenly, and
 * where prose continues from one chunk to the next, the next repeats the last sentences.
 *
 * @throws RangeError for sizes that make no sense
 */
export const chunkText = (text: string, options: ChunkOptions = {}): Chunk[] => {
  const reader = new PassageReader(text, chunkLimits(options));
  const chunks: Chunk[] = [];
  for (const { start, end, headingPath } of reader.passages(options.title)) {
    const tokens = estimateTokens(text, start, end);
    chunks.push({
      index: chunks.length,
      text: text.slice(start, end),
      start,
      end,
      headingPath: [...headingPath],
      tokens,
    });
  }
  return chunks;
};
