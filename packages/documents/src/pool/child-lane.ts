import { ParseError, type ParseErrorCode, ParserPoolError } from '#parse-error';
import { diedOn, timedOut, tooManyBytes } from '#pool/failure';
import { type InputSource, openInput } from '#pool/open-input';
import { ChildGone, ParserChild } from '#pool/parser-child';
import { Slots } from '#pool/slots';
import type { WorkerMessage, WorkerTask } from '#worker/protocol';

/** One file to parse: its bytes, or the path of a file on this machine. */
export type ParseInput = InputSource & {
  /** The file name; its extension is a hint, the content decides. */
  readonly fileName: string;
  /** The type that the source declares; also a hint. */
  readonly mimeType?: string | undefined;
};

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called when the task gets its turn. */
  readonly onStart?: (() => void) | undefined;
}

/** A child must be ready within this time, however busy the machine is. */
const startTimeoutMs = 60_000;

/** Errors after which the child can be reused: a bucket can contain ten thousand pictures. */
const reusableAfter: ReadonlySet<ParseErrorCode> = new Set(['unsupported_format', 'no_text', 'no_page', 'encrypted']);

/** Limits of a lane; see PoolLimits. */
export interface LaneLimits {
  readonly size: number;
  readonly timeoutMs: number;
  readonly memoryLimitMb: number;
  readonly maxInputBytes: number;
  readonly maxFilesPerChild: number;
  readonly idleTimeoutMs: number;
  readonly maxQueued: number;
  /** The priority of the processes: 0 like the host, up to 19 for work that others do not wait for. */
  readonly niceness: number;
}

/**
 * Child processes for one kind of work, with a queue of their own. A child is reused until it has
 * done `maxFilesPerChild` tasks or met a damaged file.
 */
export class ChildLane {
  readonly #limits: LaneLimits;
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

  constructor(limits: LaneLimits) {
    this.#limits = limits;
    this.#slots = new Slots(limits.size, limits.maxQueued);
  }

  /** Runs one task on a file in a child. Errors: see ParserPool.parse. */
  async run(input: ParseInput, task: WorkerTask, options: RunOptions = {}): Promise<WorkerMessage> {
    if (this.#closed) throw this.#closed;
    const parsing = new AbortController();
    const abort = (): void => parsing.abort(options.signal?.reason);
    if (options.signal?.aborted) abort();
    options.signal?.addEventListener('abort', abort, { once: true });
    this.#parsing.add(parsing);
    try {
      await this.#slots.acquire(parsing.signal);
      try {
        options.onStart?.();
        return await this.#runNow(input, task, parsing.signal);
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

  async #runNow(input: ParseInput, task: WorkerTask, signal: AbortSignal): Promise<WorkerMessage> {
    const limits = this.#limits;
    await using file = await openInput(input);
    if (file.sizeBytes > limits.maxInputBytes) throw tooManyBytes(file.sizeBytes, limits.maxInputBytes);
    const child = await this.#takeChild(signal);
    const request = {
      ...task,
      fileName: input.fileName,
      ...(input.mimeType === undefined ? {} : { mimeType: input.mimeType }),
      sizeBytes: file.sizeBytes,
    };
    const reply = await this.#within(child, limits.timeoutMs, signal, () => child.run(request, file.send));
    this.#settle(child, reply);
    if (reply.type === 'failed') throw new ParseError(reply.code, reply.message);
    return reply;
  }

  async #takeChild(signal: AbortSignal): Promise<ParserChild> {
    const idle = this.#idle.pop();
    if (idle) {
      clearTimeout(this.#idleTimers.get(idle));
      this.#idleTimers.delete(idle);
      return idle;
    }
    const child = new ParserChild(this.#limits.memoryLimitMb, this.#limits.niceness);
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
    const isSound = reply.type !== 'ready' && (reply.type !== 'failed' || reusableAfter.has(reply.code));
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
