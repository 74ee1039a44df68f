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
  /**
   * The headings above the passage, outermost first; for merged sections, their common headings.
   */
  readonly headingPath: string[];
  /** Estimated tokens of `text`; see estimateTokens. */
  readonly tokens: number;
}

/** The sizes of chunks. */
export interface ChunkOptions {
  /** The maximum number of tokens of a chunk, at least 16. Default 350. */
  readonly targetTokens?: number;
  /**
   * The maximum number of tokens that a chunk repeats from the previous one, at most half the
   * target. Default: a seventh of it.
   */
  readonly overlapTokens?: number;
  /** The document's title; begins the heading path unless the first heading repeats it. */
  readonly title?: string | undefined;
}

const minTarget = 16;
/**
 * A section smaller than this share of the target is merged with the next, because few words make a
 * poor embedding.
 */
const tinyShare = 1 / 5;

const chunkLimits = (options: ChunkOptions): ChunkLimits => {
  const target = Math.floor(options.targetTokens ?? 350);
  const overlap = Math.floor(options.overlapTokens ?? target / 7);
  if (!(target >= minTarget)) throw new RangeError(`targetTokens must be at least ${minTarget}`);
  if (!(overlap >= 0 && overlap <= target / 2)) {
    throw new RangeError('overlapTokens must be from 0 to half of targetTokens');
  }
  return { target, overlap, tiny: target * tinyShare };
};

/**
 * Splits a document in the normal form into passages of at most `targetTokens`, in one pass.
 *
 * A chunk never spans two sections, with two exceptions that improve retrieval: a heading without text
 * joins the section below it, and a section smaller than a fifth of the target is merged with the
 * following ones of its level or deeper while they fit. Within a section, whole paragraphs, lists,
 * tables and code blocks are packed together; larger ones are split at sentence ends, rows or lines.
 * Long sections are divided evenly, and a chunk of continued prose repeats the last sentences.
 *
 * @throws RangeError for invalid sizes
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
