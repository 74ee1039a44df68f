import type { Corpus } from '#corpus/corpus';
import type { IndexedCorpus } from '#ingest/ingest';
import { chromaTarget } from '#targets/chroma/chroma';
import { hasChroma } from '#targets/chroma/chroma-server';
import { minisearchTarget } from '#targets/minisearch';
import { oramaTarget } from '#targets/orama';
import type { Peer } from '#targets/peers';
import { postgresTarget } from '#targets/postgres';
import type { SearchTarget } from '#targets/search-target';

/** The data for peers. */
export interface PeerSources {
  readonly corpus: Corpus;
  readonly indexed: IndexedCorpus;
  readonly qdrantUrl: string;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Starts and fills the peers one after the other. Skips peers that are not installed, with a
 * message. If one fails, closes the others.
 */
export async function openPeers(peers: readonly Peer[], sources: PeerSources): Promise<readonly SearchTarget[]> {
  const opened: SearchTarget[] = [];
  try {
    for (const peer of peers) {
      if (peer === 'chroma' && !hasChroma()) {
        sources.print('Chroma is skipped. To install it: npm ci --prefix bench/peers/chroma');
        continue;
      }
      sources.print(`Filling ${peer}…`);
      opened.push(await OPEN[peer](sources));
    }
    return opened;
  } catch (error) {
    for (const target of opened) await target.close();
    throw error;
  }
}

const OPEN: Readonly<Record<Peer, (sources: PeerSources) => SearchTarget | Promise<SearchTarget>>> = {
  chroma: ({ qdrantUrl, indexed, corpus, signal }) => chromaTarget(qdrantUrl, indexed, corpus.queries, signal),
  postgres: ({ corpus, signal }) => postgresTarget(corpus, signal),
  minisearch: ({ corpus }) => minisearchTarget(corpus),
  orama: ({ corpus }) => oramaTarget(corpus),
};
