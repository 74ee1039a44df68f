/** The events of a source that runs to its end even if the reader stops reading. */
export interface RunAhead<T> {
  readonly events: AsyncGenerator<T, void, undefined>;
  /** Resolves when the source has ended or failed. Never rejects. */
  readonly finished: Promise<void>;
}

/**
 * Reads `source` to its end, at most `capacity` events ahead of the reader. It continues if the
 * reader leaves, so that work after the last event (storing a reply) is done. Use the source's own
 * signal to end it early. Calls `onLostFailure` for a failure after the reader has left.
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
