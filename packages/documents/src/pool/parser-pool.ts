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
  /** The file name; its extension is a hint, the content decides. */
  readonly fileName: string;
  /** The type that the source declares; also a hint. */
  readonly mimeType?: string | undefined;
};

/** Parses files in child processes. */
export interface ParserPool {
  /**
   * Parses one file.
   * @throws ParseError if the file cannot be parsed; ParserPoolError if the pool is closed or its
   * queue is full; the signal's reason if it aborts
   */
  parse(input: ParseInput, options?: { readonly signal?: AbortSignal | undefined }): Promise<ParsedDocument>;
  /**
   * Kills all children and rejects the files being parsed. Resolves when the processes have exited.
   */
  close(): Promise<void>;
}

/** A child must be ready within this time, however busy the machine is. */
const startTimeoutMs = 60_000;

/** Errors after which the child can be reused: a bucket can contain ten thousand pictures. */
const reusableAfter: ReadonlySet<ParseErrorCode> = new Set(['unsupported_format', 'no_text', 'encrypted']);

class ChildPool implements ParserPool {
  readonly #limits: PoolLimits;
  readonly #slots: Slots;
  readonly #children = new Set<ParserChild>();
  readonly #idle: ParserChild[] = [];
  /**
   * Running and queued files. Each has its own controller: a shared signal would keep a reference
   * to every signal joined with it.
   */
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
    const abort = (): void => parsing.abort(options.signal?.reason);
    if (options.signal?.aborted) abort();
    options.signal?.addEventListener('abort', abort, { once: true });
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
      options.signal?.removeEventListener('abort', abort);
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
    throw new ParseError('parser_crashed', 'The parser for this file type returned no result. Upload the file again.');
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

  /**
   * Keeps a child for the next file unless it reached its file limit, uses much memory, or stopped
   * midway in a damaged file.
   */
  #settle(child: ParserChild, reply: WorkerMessage): void {
    const isSound = reply.type === 'parsed' || (reply.type === 'failed' && reusableAfter.has(reply.code));
    const hasGrown = reply.type !== 'ready' && reply.rssBytes > (this.#limits.memoryLimitMb * 1024 * 1024) / 2;
    const isDone = child.filesDone >= this.#limits.maxFilesPerChild || this.#closed !== undefined;
    if (!isSound || hasGrown || isDone) child.kill();
    else this.#keepIdle(child);
  }

  /** Reuses the child that was used last, so that surplus children reach their idle timeout. */
  #keepIdle(child: ParserChild): void {
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

  /**
   * Runs work with a child. On timeout, abort or failure, the child is killed before this rejects.
   */
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
 * Creates a pool of child processes that parse files. A child is reused until it has parsed
 * `maxFilesPerChild` files or a damaged one; a file that hangs, crashes or uses too much memory ends
 * only its own child. Children start with the first file and do not keep the host process running.
 *
 * @throws RangeError for invalid limits
 */
export const createParserPool = (options: ParserPoolOptions = {}): ParserPool => new ChildPool(poolLimits(options));
