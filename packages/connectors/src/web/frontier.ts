import { z } from 'zod';
import { hashOf, looksEndless, normalizeUrl, patternOf } from '#web/crawl-url';
import type { WebConfig } from '#web/web-config';
import { DEFAULTS } from '#web/web-config';

/** The URLs in the queue have at most this many characters, so that a checkpoint stays small. */
const MAX_QUEUE_CHARS = 2_000_000;

/** A URL to request. */
export interface QueuedUrl {
  readonly id: string;
  /** The number of links from a start URL or a sitemap. */
  readonly depth: number;
  /** From a sitemap, in ISO 8601. */
  readonly modifiedAt?: string | undefined;
}

const hashes = z.string().transform((text) => new Set(text.match(/.{12}/g) ?? []));

/** The state of a crawl. Its size is limited by `maxPages`. */
const State = z.object({
  queue: z.array(z.tuple([z.string(), z.number(), z.string().optional()])),
  done: hashes,
  listed: hashes,
  requested: z.number(),
  partial: z.boolean(),
  works: z.boolean(),
  patterns: z.record(z.string(), z.number()),
});

/** The queue of a crawl, breadth first, and what is known of it. */
export interface Frontier {
  /** Queues a URL unless it is known. Beyond a limit it is dropped, and the crawl is incomplete. */
  add(
    url: URL,
    from: { readonly depth: number; readonly source: 'entry' | 'link'; readonly modifiedAt?: string | undefined },
  ): void;
  /** Takes the next URL; undefined at the end. */
  next(): QueuedUrl | undefined;
  /** Counts a request besides those of the queue. Returns false if the limit is reached. */
  countRequest(): boolean;
  /** Marks a page as read. Returns false if it was before. */
  markDone(id: string): boolean;
  /** Marks an item as listed. Returns false if it was before. */
  markListed(id: string): boolean;
  /** Notes that pages can be missing from the listing. */
  markPartial(): void;
  /** Notes that a page could be read. */
  markWorking(): void;
  readonly isPartial: boolean;
  readonly works: boolean;
  readonly isFull: boolean;
  readonly requested: number;
  checkpoint(): string;
}

type Limits = Pick<WebConfig, 'maxPages' | 'maxDepth' | 'maxPagesPerPattern'>;

/** Creates the frontier of a new crawl, or restores it from a checkpoint. */
export function createFrontier(limits: Limits, from?: string): Frontier {
  const { maxPages = DEFAULTS.maxPages, maxDepth = DEFAULTS.maxDepth } = limits;
  const { maxPagesPerPattern = DEFAULTS.maxPagesPerPattern } = limits;
  const restored = from === undefined ? undefined : State.parse(JSON.parse(from));
  const queue: QueuedUrl[] = (restored?.queue ?? []).map(([id, depth, modifiedAt]) => ({ id, depth, modifiedAt }));
  const done = restored?.done ?? new Set<string>();
  const listed = restored?.listed ?? new Set<string>();
  const known = new Set([...done, ...queue.map(({ id }) => hashOf(id))]);
  const patterns = new Map(Object.entries(restored?.patterns ?? {}));
  let { requested = 0, partial = false, works = false } = restored ?? {};
  let head = 0;
  let queueChars = queue.reduce((sum, { id }) => sum + id.length, 0);
  const isFull = () => requested + queue.length - head >= maxPages;

  return {
    add: (url, { depth, source, modifiedAt }) => {
      const id = normalizeUrl(url);
      const hash = hashOf(id);
      if (depth > maxDepth || known.has(hash)) return;
      const pattern = hashOf(patternOf(new URL(id)));
      const alike = patterns.get(pattern) ?? 0;
      const isTrap = source === 'link' && (looksEndless(url) || alike >= maxPagesPerPattern);
      if (isTrap || isFull() || queueChars + id.length > MAX_QUEUE_CHARS) {
        partial = true;
        return;
      }
      known.add(hash);
      if (source === 'link') patterns.set(pattern, alike + 1);
      queue.push({ id, depth, modifiedAt });
      queueChars += id.length;
    },
    next: () => {
      while (head < queue.length) {
        const entry = queue[head];
        head += 1;
        // The queue has at most `maxPages` entries in a crawl, so it needs no trimming.
        if (entry === undefined) continue;
        queueChars -= entry.id.length;
        if (done.has(hashOf(entry.id))) continue;
        done.add(hashOf(entry.id));
        requested += 1;
        return entry;
      }
      return undefined;
    },
    countRequest: () => {
      if (isFull()) return false;
      requested += 1;
      return true;
    },
    markDone: (id) => {
      const hash = hashOf(id);
      const isNew = !done.has(hash);
      done.add(hash);
      known.add(hash);
      return isNew;
    },
    markListed: (id) => {
      const hash = hashOf(id);
      const isNew = !listed.has(hash);
      listed.add(hash);
      return isNew;
    },
    markPartial: () => {
      partial = true;
    },
    markWorking: () => {
      works = true;
    },
    get isPartial() {
      return partial;
    },
    get works() {
      return works;
    },
    get isFull() {
      return isFull();
    },
    get requested() {
      return requested;
    },
    checkpoint: () =>
      JSON.stringify({
        queue: queue
          .slice(head)
          .map(({ id, depth, modifiedAt }) => [id, depth, ...(modifiedAt === undefined ? [] : [modifiedAt])]),
        done: [...done].join(''),
        listed: [...listed].join(''),
        requested,
        partial,
        works,
        // A pattern of one page needs no count: most pages have one of their own.
        patterns: Object.fromEntries([...patterns].filter(([, count]) => count > 1)),
      }),
  };
}
