import { collectionName } from '@lectern/vector-store';
import { z } from 'zod';
import { createSyntheticCorpus } from '#corpus/synthetic';
import { ingest } from '#ingest/ingest';
import { runClosedLoop } from '#load/closed-loop';
import { joinLoads, type LoadResult, summarize } from '#load/latency';
import { table } from '#report/table';
import { createApi } from '#system/api';
import { startLectern, VECTOR_STORE_KEY } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

export interface RewriteOptions {
  readonly documents: number;
  readonly clients: number;
  /** Passages per second (SPACE_MOVE_PER_SECOND). */
  readonly rate: number;
}

/** A time between two states of the vectors, and the searches in it. */
interface Phase {
  readonly name: string;
  readonly load: LoadResult;
}

export interface RewriteResult {
  readonly passages: number;
  readonly phases: readonly Phase[];
}

const QUERIES = 200;
const PREFIX = 'lectern_';
/** The space of vectors that are stored before one is learned. */
const BASE_SPACE = 'base';
const SLICE_MS = 500;
/** Until the space is learned and the passages begin to move, and until they have moved. */
const PHASE_TIMEOUT_MS = 900_000;
const AFTER_MS = 20_000;

/**
 * Indexes a corpus and searches all the time while its space is learned, while all vectors are
 * replaced, and afterwards. Cleans up.
 */
export async function measureRewrite(
  { documents, clients, rate }: RewriteOptions,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<RewriteResult> {
  await using cleanUp = new AsyncDisposableStack();
  const home = await createTemporaryHome();
  cleanUp.defer(() => home.remove());
  const lectern = await startLectern(home.path, signal, { SPACE_MOVE_PER_SECOND: String(rate) });
  cleanUp.defer(() => lectern.stop());
  const api = createApi(lectern);
  cleanUp.defer(() => api.close());
  const corpus = createSyntheticCorpus({ documents, queries: QUERIES });
  print(`Indexing ${documents} documents…`);
  const { passages, embeddingModel } = await ingest(api, corpus, signal);
  const searchUntil = async (name: string, isOver: () => Promise<boolean>): Promise<Phase> => {
    print(`${name}…`);
    const loads: LoadResult[] = [];
    const deadline = performance.now() + PHASE_TIMEOUT_MS;
    while (!(await isOver())) {
      if (performance.now() > deadline) throw new Error(`“${name}” did not end in 15 minutes.`);
      const load = await runClosedLoop({
        clients,
        durationMs: SLICE_MS,
        maxRequests: Number.POSITIVE_INFINITY,
        signal,
        request: (number) =>
          api.call('POST', '/api/v1/search', { query: corpus.queries[number % QUERIES]?.text, limit: 10 }),
      });
      loads.push(load);
    }
    return { name, load: joinLoads(loads) };
  };
  const spaces = () => countBySpace(lectern.qdrantUrl, collectionName(PREFIX, embeddingModel));
  const learning = await searchUntil('while the space is learned', async () => (await spaces()).size > 1);
  const moving = await searchUntil('while vectors are replaced', async () => !(await spaces()).has(BASE_SPACE));
  const movedAt = performance.now();
  const after = await searchUntil('afterwards', async () => performance.now() - movedAt > AFTER_MS);
  return { passages, phases: [learning, moving, after] };
}

/** Renders the phases as Markdown. */
export function writeRewrite({ passages, phases }: RewriteResult): string {
  const rows = phases.map(({ name, load }) => {
    const { p50Ms, p99Ms, perSecond, failures } = summarize(load);
    const cells = [p50Ms.toFixed(1), p99Ms.toFixed(1), perSecond.toFixed(1), String(failures)];
    return [name, (load.elapsedMs / 1_000).toFixed(0), ...cells];
  });
  return `${passages} passages\n\n${table(['searches', 'seconds', 'p50 ms', 'p99 ms', 'per second', 'failed'], rows)}`;
}

const facet = z.object({ result: z.object({ hits: z.array(z.object({ value: z.string(), count: z.number() })) }) });

/** Returns the number of passages in each space. */
async function countBySpace(url: string, collection: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${url}/collections/${collection}/facet`, {
    method: 'POST',
    headers: { 'api-key': VECTOR_STORE_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'space', exact: true }),
  });
  const { hits } = facet.parse(await response.json()).result;
  return new Map(hits.map(({ value, count }) => [value, count]));
}
