/** Events that are made whether or not anyone still reads them. */
export interface RunAhead<T> {
  readonly events: AsyncGenerator<T, void, undefined>;
  /** Resolves when the source has come to its end, or failed; never rejects. */
  readonly finished: Promise<void>;
}

/**
 * Reads `source` to its end by itself, at most `capacity` events ahead of the reader. A reader who leaves does not stop it: what is to
 * happen after the last event (storing a reply) happens all the same. A source that should end early must be told by its own signal.
 * `onLostFailure` is told of a failure that no reader is there to see.
 */
export function runAhead<T>(
  source: AsyncIterable<T>,
  capacity: number,
  onLostFailure: (error: unknown) => void,
): RunAhead<T> {
  const waiting: T[] = [];
  let end: { readonly failure?: unknown; readonly failed: boolean } | undefined;
  let readerLeft = false;
  let change = Promise.withResolvers<void>();
  const changed = () => {
    change.resolve();
    change = Promise.withResolvers();
  };

  const work = async () => {
    for await (const event of source) {
      if (readerLeft) continue;
      waiting.push(event);
      changed();
      while (waiting.length >= capacity && !readerLeft) await change.promise;
    }
  };

  async function* read(): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const batch = waiting.splice(0);
        if (batch.length > 0) {
          changed();
          yield* batch;
        } else if (end === undefined) await change.promise;
        else if (end.failed) throw end.failure;
        else return;
      }
    } finally {
      readerLeft = true;
      changed();
    }
  }

  const finished = work().then(
    () => {
      end = { failed: false };
      changed();
    },
    (failure: unknown) => {
      end = { failed: true, failure };
      if (readerLeft) onLostFailure(failure);
      changed();
    },
  );
  return { events: read(), finished };
}
