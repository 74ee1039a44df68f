import type { RecognizedPage } from '#ocr/recognized-page';
import { ParseError } from '#parse-error';
import type { ChildLane, ParseInput } from '#pool/child-lane';
import type { OcrLimits } from '#pool/pool-limits';

/** After this many failed pages in a row, the rest of the file is not recognized: it would fail too. */
const maxFailedInARow = 5;
/** The most words whose boxes are kept of one file: about 300 pages. Of each page, at least one is kept. */
const maxWords = 100_000;

interface RecognizeOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onPage?: (() => void) | undefined;
}

/** The recognized pages of a file, and those that were not. */
export interface RecognizedPages {
  readonly recognized: readonly RecognizedPage[];
  readonly unreadPages: readonly number[];
  /** Why the first of the unread pages could not be recognized. */
  readonly failure: ParseError | undefined;
}

/**
 * Recognizes pages of a file, each as a task of its own, so that files take turns and a bad page
 * costs only itself.
 *
 * @throws like ParserPool.parse, but no ParseError
 */
export const recognizePages = async (
  lane: ChildLane,
  { languages, maxPages, maxPixels, processes }: OcrLimits,
  input: ParseInput,
  pages: readonly number[],
  { signal, onPage }: RecognizeOptions,
): Promise<RecognizedPages> => {
  const waiting = pages.slice(0, maxPages);
  const recognized: RecognizedPage[] = [];
  const unreadPages = pages.slice(maxPages);
  let failure: ParseError | undefined;
  let failedInARow = 0;
  let wordsLeft = maxWords;

  const recognize = async (page: number): Promise<void> => {
    try {
      const task = { type: 'recognize', page, languages, maxPixels } as const;
      const reply = await lane.run(input, task, { signal, onStart: onPage });
      if (reply.type !== 'recognized' || reply.page.page !== page) {
        throw new ParseError('parser_crashed', `Text recognition of page ${page} returned no result.`);
      }
      const words = reply.page.words.slice(0, Math.max(1, wordsLeft));
      wordsLeft -= words.length;
      failedInARow = 0;
      recognized.push({ ...reply.page, words });
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      failure ??= error;
      failedInARow += 1;
      unreadPages.push(page);
    }
    onPage?.();
  };
  const worker = async (): Promise<void> => {
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
      if (failedInARow >= maxFailedInARow) unreadPages.push(page);
      else await recognize(page);
    }
  };
  await Promise.all(Array.from({ length: Math.min(processes, waiting.length) }, worker));
  return { recognized, unreadPages: unreadPages.sort((a, b) => a - b), failure };
};
