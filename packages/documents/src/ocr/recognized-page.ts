import { z } from 'zod';

/** For each word of a text, its index in the words of the page. */
const indexes = z.array(z.int().min(0)).readonly();

const piece = z.strictObject({
  text: z.string(),
  left: z.number(),
  right: z.number(),
  words: indexes.exactOptional(),
});

const line = z.strictObject({
  text: z.string(),
  left: z.number(),
  right: z.number(),
  baseline: z.number(),
  size: z.number(),
  pieces: z.array(piece).readonly().exactOptional(),
  words: indexes.exactOptional(),
});

const rule = z.strictObject({ at: z.number(), from: z.number(), to: z.number() });
const rules = z.array(rule).max(1_000).readonly();

export const wordBox = z.strictObject({
  text: z.string(),
  /** 0 to 100. */
  confidence: z.number().min(0).max(100),
  /** Left, top, right and bottom edge, as shares of the page's width and height. */
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly(),
});

/** The text of a page, recognized in its image. */
export const recognizedPage = z.strictObject({
  /** The number of the page, starting at 1. */
  page: z.int().min(1),
  /** The size of the image in pixels. */
  width: z.int().min(0),
  height: z.int().min(0),
  /** The mean confidence of the words, 0 to 100; 0 for a page without words. */
  confidence: z.number().min(0).max(100),
  lines: z.array(line).readonly(),
  words: z.array(wordBox).readonly(),
  /** The horizontal and vertical lines in the image. */
  rules: z.strictObject({ horizontal: rules, vertical: rules }).exactOptional(),
});

export type WordBox = z.infer<typeof wordBox>;
export type RecognizedPage = z.infer<typeof recognizedPage>;

/** The most words whose boxes are kept of one page. A dense newspaper page has about 5,000. */
export const maxWordsPerPage = 10_000;
