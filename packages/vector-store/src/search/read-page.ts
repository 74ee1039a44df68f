import type { DocumentHit, RankedDocument, RankedDocuments } from '#search/search-request';

/** A page of documents. */
export interface PageRequest {
  readonly offset: number;
  /** Exclusive. */
  readonly end: number;
  readonly passagesPerDocument: number;
}

interface Page<Entry extends RankedDocument> {
  /** All documents in their final order. */
  readonly ranking: readonly Entry[];
  /** The documents of the page. Those deleted since the ranking are missing. */
  readonly page: readonly ReadDocument<Entry>[];
}

interface ReadDocument<Entry extends RankedDocument> {
  readonly entry: Entry;
  readonly hit: DocumentHit;
}

/**
 * The number of documents before and after a page that are read because feedback may move them to
 * it. If it moves a document from further away, one more request reads that document.
 */
const MARGIN = 10;

/**
 * Reads a page of ranked documents, with their feedback in the same request.
 * @param arrange selects documents of a ranking, before and after the feedback
 */
export async function readPage<Entry extends RankedDocument>(
  ranked: RankedDocuments,
  { offset, end, passagesPerDocument }: PageRequest,
  arrange: (ranking: readonly RankedDocument[]) => readonly Entry[],
): Promise<Page<Entry>> {
  const margin = ranked.canChange ? MARGIN : 0;
  const likely = arrange(ranked.ranking).slice(Math.max(0, offset - margin), end + margin);
  const asked = likely.map(({ key }) => key);
  const refined = await ranked.refine(asked, passagesPerDocument);
  const ranking = arrange(refined.ranking);
  const shown = ranking.slice(offset, end);
  const known = new Set(asked);
  const missing = shown.map(({ key }) => key).filter((key) => !known.has(key));
  const others = missing.length === 0 ? undefined : await ranked.read(missing, passagesPerDocument);
  const page = shown.flatMap((entry) => {
    const hit = refined.hits.get(entry.key) ?? others?.get(entry.key);
    return hit ? [{ entry, hit }] : [];
  });
  return { ranking, page };
}
