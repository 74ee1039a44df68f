import { ResyncRequired } from '#microsoft-365/read-error';
import { SourceError } from '#source-error';

/** The maximum number of pages of one list, or of its changes: at most ten million files. */
export const MAX_LIST_PAGES = 20_000;
/** The links of a list can expire during a listing. Then the list starts again. */
const MAX_RESTARTS = 3;

export interface PagesOptions<Page> {
  /** Reads the first page without a link. */
  readonly read: (link: string | undefined) => Promise<Page>;
  readonly from: string | undefined;
  /** The list in messages, for example `files of a library`. */
  readonly what: string;
  /**
   * True if a rejected link can mean that it has expired, also during a listing. Delta queries have
   * an error of their own for that.
   */
  readonly linksExpire?: boolean;
}

/**
 * Yields the pages of a list from a link or the beginning. If the position is lost, the list starts
 * again, which repeats items but loses none.
 */
export async function* followPages<Page extends { readonly next: string | undefined }>({
  read,
  from,
  what,
  linksExpire = false,
}: PagesOptions<Page>): AsyncGenerator<Page, void, void> {
  let link = from;
  let isResumed = from !== undefined;
  let restarts = 0;
  for (let pages = 1; ; pages += 1) {
    if (pages > MAX_LIST_PAGES) {
      throw new SourceError('invalid', `Microsoft 365 returned too many pages of ${what}.`);
    }
    let page: Page;
    try {
      page = await read(link);
    } catch (error) {
      const isRejected = error instanceof SourceError && error.kind === 'invalid';
      const isLost = error instanceof ResyncRequired || (isRejected && (isResumed || linksExpire));
      if (link === undefined || !isLost) throw error;
      restarts += 1;
      if (restarts > MAX_RESTARTS) {
        if (isRejected) throw error;
        throw new SourceError('transient', `Microsoft 365 repeatedly lost the position in the ${what}.`);
      }
      link = undefined;
      isResumed = false;
      continue;
    }
    isResumed = false;
    yield page;
    if (page.next === undefined) return;
    if (page.next === link) {
      throw new SourceError('transient', `Microsoft 365 returned the same page of ${what} again.`);
    }
    link = page.next;
  }
}
