import type { Lectern } from './lectern.ts';
import type { Body, CallOptions, Data } from './types.ts';

/** A change of one item. */
export type SourceChange = Body<'pushItems'>['items'][number];

/** What happened to the changes of a push. */
export interface PushSummary {
  readonly accepted: number;
  /** Changes that are not newer than what Lectern has. */
  readonly ignored: number;
  /** The changes that failed, with their reasons. */
  readonly failures: readonly Data<'pushItems'>['results'][number][];
  /** The last job that indexes changes; null if there is nothing to index. */
  readonly jobId: string | null;
}

/** The result of a push of everything that exists. */
export interface ReplaceSummary extends PushSummary {
  /**
   * `held`: most items would be deleted. Check your source, then call again with `confirmDeletions`.
   * `cancelled`: the id of an item is not valid, so nothing was deleted. Check `failures`.
   */
  readonly snapshot: Data<'completeSnapshot' | 'cancelSnapshot'>;
}

export interface ReplaceOptions extends CallOptions {
  /** Deletes the missing items even if they are most of them. */
  readonly confirmDeletions?: boolean;
}

/** The maximum of a request. */
const MAX_ITEMS = 100;
/** Characters of a batch: far less than the maximum of a request, to limit what a retry repeats. */
const MAX_CHARACTERS = 4_000_000;

type Changes = Iterable<SourceChange> | AsyncIterable<SourceChange>;

/** Splits changes into batches that fit into a request. */
async function* inBatches(changes: Changes): AsyncGenerator<SourceChange[], void> {
  let batch: SourceChange[] = [];
  let size = 0;
  for await (const change of changes) {
    const length = JSON.stringify(change).length;
    if (batch.length > 0 && (batch.length >= MAX_ITEMS || size + length > MAX_CHARACTERS)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(change);
    size += length;
  }
  if (batch.length > 0) yield batch;
}

/** The options of each request: a key would make the second request a repetition of the first one. */
const perRequest = ({ idempotencyKey: _, ...options }: CallOptions): CallOptions => options;

/**
 * Pushes items of your own system to a connector of type `custom`, in batches and with retries. A
 * push that failed can be repeated: changes that arrived are ignored.
 */
export class CustomSource {
  readonly #lectern: Pick<Lectern, 'items'>;
  readonly #connectorId: string;

  constructor(lectern: Pick<Lectern, 'items'>, connectorId: string) {
    this.#lectern = lectern;
    this.#connectorId = connectorId;
  }

  /** Pushes changes. Invalid ones fail alone: check `failures`. */
  push(changes: Changes, options: CallOptions = {}): Promise<PushSummary> {
    return this.#push(changes, {}, perRequest(options));
  }

  /**
   * Pushes everything that exists; then Lectern deletes the items that were not among it. If the
   * iteration or a request fails, or the id of an item is not valid, nothing is deleted.
   */
  async replaceAll(items: Changes, options: ReplaceOptions = {}): Promise<ReplaceSummary> {
    const { confirmDeletions = false, ...rest } = options;
    const request = perRequest(rest);
    const { id } = await this.#lectern.items.startSnapshot(this.#connectorId, request);
    try {
      const pushed = await this.#push(items, { snapshot: id }, request);
      if (pushed.failures.some((failure) => failure.id === null)) {
        const snapshot = await this.#lectern.items.cancelSnapshot(this.#connectorId, id, request);
        return { ...pushed, snapshot };
      }
      const body = { confirmDeletions };
      const snapshot = await this.#lectern.items.completeSnapshot(this.#connectorId, id, body, request);
      return { ...pushed, snapshot };
    } catch (error) {
      // An open snapshot does no harm: it expires, or the next one replaces it.
      await this.#lectern.items.cancelSnapshot(this.#connectorId, id, request).catch(() => undefined);
      throw error;
    }
  }

  async #push(changes: Changes, query: { snapshot?: string }, options: CallOptions): Promise<PushSummary> {
    const failures: Data<'pushItems'>['results'][number][] = [];
    let accepted = 0;
    let ignored = 0;
    let jobId: string | null = null;
    for await (const batch of inBatches(changes)) {
      const result = await this.#lectern.items.push(this.#connectorId, batch, query, options);
      accepted += result.accepted;
      ignored += result.ignored;
      jobId = result.jobId ?? jobId;
      failures.push(...result.results.filter(({ status }) => status === 'failed'));
    }
    return { accepted, ignored, failures, jobId };
  }
}
