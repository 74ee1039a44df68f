import { requireLanguages } from '#ocr/languages';
import { ParseError } from '#parse-error';
import type { OcrState, ParsedDocument, RenderedImage } from '#parsed-document';
import { ChildLane, type ParseInput } from '#pool/child-lane';
import { defaultMaxPixels, type ParserPoolOptions, type PoolLimits, poolLimits } from '#pool/pool-limits';
import { recognizePages } from '#pool/recognize';
import type { WorkerMessage } from '#worker/protocol';

export interface ParseOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Called once when the file turns out to need text recognition, which can take minutes. From then
   * on, the file no longer occupies a parser process.
   */
  readonly onRecognize?: (() => void) | undefined;
  /** Called when recognition of a page starts and ends. */
  readonly onPage?: (() => void) | undefined;
}

/** Parses files in child processes. */
export interface ParserPool {
  /**
   * Parses one file.
   * @throws ParseError if the file cannot be parsed; ParserPoolError if the pool is closed or its
   * queue is full; the signal's reason if it aborts
   */
  parse(input: ParseInput, options?: ParseOptions): Promise<ParsedDocument>;
  /**
   * Renders one page of a PDF or image as a PNG.
   * @param page the number of the page, starting at 1
   * @throws like parse; ParseError `no_page` if the file has no such page
   */
  renderPage(input: ParseInput, page: number, options?: Pick<ParseOptions, 'signal'>): Promise<RenderedImage>;
  /**
   * Kills all children and rejects the files being parsed. Resolves when the processes have exited.
   */
  close(): Promise<void>;
}

/** Text recognition gives way to everything else on the machine. */
const ocrNiceness = 5;

/**
 * Two lanes of child processes: one reads text, the other recognizes the text of images, page by
 * page. So a scan of 500 pages delays neither files with text nor shorter scans.
 */
class TwoLanePool implements ParserPool {
  readonly #limits: PoolLimits;
  readonly #text: ChildLane;
  readonly #ocr: ChildLane | undefined;

  constructor(limits: PoolLimits) {
    const { ocr } = limits;
    this.#limits = limits;
    this.#text = new ChildLane({ ...limits, niceness: 0 });
    this.#ocr =
      ocr && new ChildLane({ ...limits, size: ocr.processes, timeoutMs: ocr.pageTimeoutMs, niceness: ocrNiceness });
  }

  async parse(input: ParseInput, options: ParseOptions = {}): Promise<ParsedDocument> {
    const { signal } = options;
    const none = { recognized: undefined, unreadPages: [] };
    const first = await this.#parse(input, this.#ocr && none, signal);
    if (first.type === 'parsed') return first.document;
    if (first.type !== 'ocr_needed' || !this.#ocr || !this.#limits.ocr) throw noResult();
    options.onRecognize?.();
    const { failure, ...pages } = await recognizePages(this.#ocr, this.#limits.ocr, input, first.pages, options);
    const second = await this.#parse(input, pages, signal).catch((error: unknown) => {
      // The file has no other text: the reason is more useful than its consequence.
      throw failure !== undefined && error instanceof ParseError && error.code === 'no_text' ? failure : error;
    });
    if (second.type === 'parsed') return second.document;
    throw noResult();
  }

  async renderPage(
    input: ParseInput,
    page: number,
    { signal }: Pick<ParseOptions, 'signal'> = {},
  ): Promise<RenderedImage> {
    const maxPixels = this.#limits.ocr?.maxPixels ?? defaultMaxPixels;
    // A person waits for the image, and the other lane can be busy with scans for hours.
    const reply = await this.#text.run(input, { type: 'render', page, maxPixels }, { signal });
    if (reply.type === 'rendered') return reply.image;
    throw noResult();
  }

  async close(): Promise<void> {
    await Promise.all([this.#text.close(), this.#ocr?.close()]);
  }

  #parse(input: ParseInput, ocr: OcrState | undefined, signal: AbortSignal | undefined): Promise<WorkerMessage> {
    const { maxTextChars, maxInflatedBytes } = this.#limits;
    const task = {
      type: 'parse',
      limits: { maxTextChars, maxInflatedBytes },
      ...(ocr === undefined
        ? {}
        : {
            ocr: {
              ...(ocr.recognized === undefined ? {} : { recognized: ocr.recognized }),
              unreadPages: ocr.unreadPages,
            },
          }),
    } as const;
    return this.#text.run(input, task, { signal });
  }
}

const noResult = (): ParseError =>
  new ParseError('parser_crashed', 'The parser for this file type returned no result. Upload the file again.');

/**
 * Creates a pool of child processes that parse files. A child is reused until it has parsed
 * `maxFilesPerChild` files or a damaged one; a file that hangs, crashes or uses too much memory ends
 * only its own child. Children start with the first file and do not keep the host process running.
 *
 * @throws RangeError for invalid limits, and for an OCR language whose data is not installed
 */
export const createParserPool = (options: ParserPoolOptions = {}): ParserPool => {
  const limits = poolLimits(options);
  requireLanguages(limits.ocr?.languages ?? []);
  return new TwoLanePool(limits);
};
