import { z } from 'zod';

/** An A4 page at 600 dpi has 35 million pixels. */
export const defaultMaxPixels = 40_000_000;

const ocrOptions = z.strictObject({
  /** Tesseract's codes of the languages to recognize, the most common one first. */
  languages: z
    .array(z.string().regex(/^[a-z]{3}(_[a-z]+)*$/))
    .min(1)
    .max(10),
  /** The maximum number of child processes that recognize text. */
  processes: z.int().min(1).max(64).default(1),
  /** Wall-clock time for one page. */
  pageTimeoutMs: z.int().min(1).max(3_600_000).default(300_000),
  /** Pages of one file to recognize; the rest are reported as unread. */
  maxPages: z.int().min(1).max(100_000).default(500),
  /** Largest image. */
  maxPixels: z.int().min(1).default(defaultMaxPixels),
});
export type OcrLimits = z.output<typeof ocrOptions>;

const poolOptions = z.strictObject({
  /** The maximum number of child processes. */
  size: z.int().min(1).max(64).default(2),
  /** Wall-clock time for one file. */
  timeoutMs: z.int().min(1).max(3_600_000).default(30_000),
  /** Resident memory of one child. */
  memoryLimitMb: z.int().min(128).default(512),
  /** Largest file. */
  maxInputBytes: z
    .int()
    .min(1)
    .default(100 * 1024 * 1024),
  /** Longest text of one file, in UTF-16 units. */
  maxTextChars: z.int().min(1).default(20_000_000),
  /**
   * The maximum number of bytes that the compressed parts of one file can expand to, counted while
   * inflating.
   */
  maxInflatedBytes: z
    .int()
    .min(1)
    .default(192 * 1024 * 1024),
  /** The number of files that one child parses before it is replaced. */
  maxFilesPerChild: z.int().min(1).default(1000),
  /** A child without work is ended after this time. */
  idleTimeoutMs: z.int().min(1).max(3_600_000).default(30_000),
  /** The maximum number of files waiting for a child. */
  maxQueued: z.int().min(0).default(1000),
  /** Text recognition in images; off by default. */
  ocr: ocrOptions.optional(),
});

/** Limits of a pool; all have defaults. */
export type ParserPoolOptions = z.input<typeof poolOptions>;
export type PoolLimits = z.output<typeof poolOptions>;

/** Applies the defaults. @throws RangeError that names the invalid fields */
export const poolLimits = (options: ParserPoolOptions): PoolLimits => {
  const parsed = poolOptions.safeParse(options);
  if (!parsed.success) throw new RangeError(z.prettifyError(parsed.error));
  return parsed.data;
};
