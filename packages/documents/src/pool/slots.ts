import { ParserPoolError } from '#parse-error';

/** A counting semaphore with a bounded FIFO queue. */
export class Slots {
  readonly #maxQueued: number;
  #free: number;
  #queue: { take: () => void; reject: (reason: unknown) => void }[] = [];

  constructor(size: number, maxQueued: number) {
    this.#free = size;
    this.#maxQueued = maxQueued;
  }

  /** Waits for a slot. @throws ParserPoolError `queue_full`; the signal's reason if it aborts first */
  async acquire(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    if (this.#queue.length >= this.#maxQueued) {
      throw new ParserPoolError(
        'queue_full',
        `The parser queue is full: ${this.#maxQueued} files are waiting. Try again later.`,
      );
    }
    await this.#wait(signal);
  }

  release(): void {
    const next = this.#queue.shift();
    if (next) next.take();
    else this.#free++;
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        signal?.removeEventListener('abort', onAbort);
        then();
      };
      const waiter = {
        take: () => settle(resolve),
        reject: (reason: unknown) => settle(() => reject(reason)),
      };
      const onAbort = (): void => {
        this.#queue = this.#queue.filter((other) => other !== waiter);
        waiter.reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(waiter);
    });
  }
}
