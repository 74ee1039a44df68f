/**
 * What crawls remember of pages, so that a site need not send an unchanged page again. An entry may
 * be missing at any time.
 */
export interface PageMemory {
  /** Returns what was stored for a URL, as JSON. */
  find(url: string): Promise<unknown>;
  /** Replaces what is stored for a URL, at the latest with the next `forget`. */
  store(url: string, page: unknown): Promise<void>;
  /** Removes entries stored before a time, at the end of a crawl. */
  forget(before: Date): Promise<void>;
}
