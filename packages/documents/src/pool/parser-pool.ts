import { ParseError, type ParseErrorCode, ParserPoolError } from '#parse-error';
import type { ParsedDocument } from '#parsed-document';
import { diedOn, timedOut, tooManyBytes } from '#pool/failure';
import { type InputSource, openInput } from '#pool/open-input';
import { ChildGone, ParserChild } from '#pool/parser-child';
import { type ParserPoolOptions, type PoolLimits, poolLimits } from '#pool/pool-limits';
import { Slots } from '#pool/slots';
import type { WorkerMessage } from '#worker/protocol';

/** One file to parse: its bytes, or the path of a file on this machine. */
export type ParseInput = InputSource & {
  /** The name the file goes by; its extension is a hint, its content decides. */
  readonly fileName: string;
  /** The type the source gave, a hint as well. */
  readonly mimeType?: string | undefined;
};

/** Parses files in child processes. */
export interface ParserPool {
  /**
   * The text of one file.
   * @throws ParseError for what is wrong with the file; ParserPoolError when the pool is closed or its queue is full; the signal's reason when it aborts
   */
  parse(input: ParseInput, options?: { readonly signal?: AbortSignal | undefined }): Promise<ParsedDocument>;
  /** Ends all children; files still being parsed are refused. Resolves when the processes are gone. */
  close(): Promise<void>;
}

/** A process must answer within this time of its start, however busy the machine. */
const startTimeoutMs = 60_000;

/** Refusals that a parser comes to in good order, so that its process can go on; a bucket may hold ten thousand pictures. */
const orderlyRefusals: ReadonlySet<ParseErrorCode> = new Set(['unsupported_format', 'no_text', 'encrypted']);

class ChildPool implements ParserPool {
  readonly #limits: PoolLimits;
  readonly #slots: Slots;
  readonly #children = new Set<ParserChild>();
  readonly #idle: ParserChild[] = [];
  /** Files that are being parsed or wait for it. Each has a signal of its own: one of the pool's would keep a trace of all that were joined with it. */
  readonly #parsing = new Set<AbortController>();
  readonly #idleTimers = new Map<ParserChild, NodeJS.Timeout>();
  #closed: ParserPoolError | undefined;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
    this.#slots = new Slots(limits.size, limits.maxQueued);
  }

  async parse(input: ParseInput, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<ParsedDocument> {
    if (this.#closed) throw this.#closed;
    const parsing = new AbortController();
    const leave = (): void => parsing.abort(options.signal?.reason);
    if (options.signal?.aborted) leave();
    options.signal?.addEventListener('abort', leave, { once: true });
    this.#parsing.add(parsing);
    try {
      await this.#slots.acquire(parsing.signal);
      try {
        return await this.#parseNow(input, parsing.signal);
      } finally {
        this.#slots.release();
      }
    } finally {
      this.#parsing.delete(parsing);
      options.signal?.removeEventListener('abort', leave);
    }
  }

  async close(): Promise<void> {
    const closed = new ParserPoolError('closed', 'The parser pool is closed.');
    this.#closed = closed;
    for (const parsing of this.#parsing) parsing.abort(closed);
    for (const child of this.#children) child.kill();
    await Promise.all([...this.#children].map((child) => child.ended()));
  }

  async #parseNow(input: ParseInput, signal: AbortSignal): Promise<ParsedDocument> {
    const limits = this.#limits;
    await using file = await openInput(input);
    if (file.sizeBytes > limits.maxInputBytes) throw tooManyBytes(file.sizeBytes, limits.maxInputBytes);
    const child = await this.#takeChild(signal);
    const request = {
      fileName: input.fileName,
      ...(input.mimeType === undefined ? {} : { mimeType: input.mimeType }),
      sizeBytes: file.sizeBytes,
      limits: { maxTextChars: limits.maxTextChars, maxInflatedBytes: limits.maxInflatedBytes },
    };
    const reply = await this.#within(child, limits.timeoutMs, signal, () => child.run(request, file.send));
    this.#settle(child, reply);
    if (reply.type === 'parsed') return reply.document;
    if (reply.type === 'failed') throw new ParseError(reply.code, reply.message);
    throw new ParseError('parser_crashed', 'The reader for this kind of file gave no answer.');
  }

  async #takeChild(signal: AbortSignal): Promise<ParserChild> {
    const idle = this.#idle.pop();
    if (idle) {
      clearTimeout(this.#idleTimers.get(idle));
      this.#idleTimers.delete(idle);
      return idle;
    }
    const child = new ParserChild(this.#limits.memoryLimitMb);
    this.#children.add(child);
    void child.ended().then(() => {
      this.#children.delete(child);
      this.#forgetIdle(child);
    });
    await this.#within(child, startTimeoutMs, signal, () => child.ready());
    return child;
  }

  /** Keeps a child for the next file unless it has done its share, has grown, or was left midway by a damaged file. */
  #settle(child: ParserChild, reply: WorkerMessage): void {
    const isSound = reply.type === 'parsed' || (reply.type === 'failed' && orderlyRefusals.has(reply.code));
    const hasGrown = reply.type !== 'ready' && reply.rssBytes > (this.#limits.memoryLimitMb * 1024 * 1024) / 2;
    const isDone = child.filesDone >= this.#limits.maxFilesPerChild || this.#closed !== undefined;
    if (!isSound || hasGrown || isDone) child.kill();
    else this.#rest(child);
  }

  /** The last to rest is the first to be taken, so that those a quiet time does not need come to their end. */
  #rest(child: ParserChild): void {
    this.#idle.push(child);
    const timer = setTimeout(() => {
      this.#forgetIdle(child);
      child.kill();
    }, this.#limits.idleTimeoutMs);
    this.#idleTimers.set(child, timer.unref());
  }

  #forgetIdle(child: ParserChild): void {
    clearTimeout(this.#idleTimers.get(child));
    this.#idleTimers.delete(child);
    const index = this.#idle.indexOf(child);
    if (index !== -1) this.#idle.splice(index, 1);
  }

  /** Does something with a child; when it takes too long, is aborted or fails, the child is ended first. */
  async #within<T>(child: ParserChild, timeoutMs: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    let isLate = false;
    const kill = (): void => child.kill();
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted) kill();
    try {
      return await work();
    } catch (error) {
      child.kill();
      await child.ended();
      signal.throwIfAborted();
      if (isLate) throw timedOut(timeoutMs);
      throw error instanceof ChildGone ? diedOn(error.end, this.#limits.memoryLimitMb) : error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
    }
  }
}

/**
 * A pool of child processes that turn files into text. A child is used again until it has done `maxFilesPerChild` files
 * or a damaged one; a file that hangs, crashes or fills the memory takes down its child and nothing else. Children start
 * when the first file comes and hold no host open.
 *
 * @throws RangeError for limits that make no sense
 */
export const createParserPool = (options: ParserPoolOptions = {}): ParserPool => new ChildPool(poolLimits(options));
