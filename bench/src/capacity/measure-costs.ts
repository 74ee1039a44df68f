import { setTimeout as delay } from 'node:timers/promises';
import { writeCosts } from '#capacity/report';
import { createSyntheticCorpus } from '#corpus/synthetic';
import { quietFor, untilSettled } from '#eval/settle';
import { ingest } from '#ingest/ingest';
import { runClosedLoop } from '#load/closed-loop';
import { type CpuByPart, measureCpu } from '#probes/cpu';
import { folderBytes } from '#probes/folder-bytes';
import { type Api, createApi } from '#system/api';
import { type Lectern, startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

const QUERIES = 200;
const CLIENTS = 4;
const WARM_UP = 200;
const IDLE_MS = 10_000;

export interface CostOptions {
  /** The numbers of documents at which costs are measured, ascending. */
  readonly sizes: readonly number[];
  /** The number of queries per measurement. */
  readonly queries: number;
}

/**
 * The costs of a query and a document at one size: CPU milliseconds by part, and the total disk
 * usage in bytes.
 */
export interface Costs {
  readonly documents: number;
  readonly passages: number;
  readonly queryCpuMs: CpuByPart;
  readonly documentCpuMs: CpuByPart;
  readonly bytes: { readonly postgres: number; readonly vectors: number };
}

/** Starts Lectern, indexes documents in steps and measures at each step. Cleans up afterwards. */
export async function measureCosts(
  { sizes, queries }: CostOptions,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<readonly Costs[]> {
  await using cleanUp = new AsyncDisposableStack();
  const home = await createTemporaryHome();
  cleanUp.defer(() => home.remove());
  const lectern = await startLectern(home.path, signal);
  cleanUp.defer(() => lectern.stop());
  const api = createApi(lectern);
  cleanUp.defer(() => api.close());
  const corpus = createSyntheticCorpus({ documents: sizes.at(-1) ?? 0, queries: QUERIES });
  const measured: Costs[] = [];
  let passages = 0;
  let from = 0;
  for (const documents of sizes) {
    print(`Indexing up to ${documents} documents…`);
    const part = { ...corpus, documents: corpus.documents.slice(from, documents) };
    const count = part.documents.length;
    let indexed = { collection: '', passages: 0 };
    const documentCpuMs = await cpuOf(lectern, count, async () => {
      indexed = await ingest(api, part, signal);
    });
    passages += indexed.passages;
    from = documents;
    await untilSettled(api, indexed.collection, corpus.queries, { quietMs: quietFor(documents), signal });
    print(`Running ${queries} queries on ${passages} passages…`);
    const texts = corpus.queries.map(({ text }) => text);
    await ask(api, texts, WARM_UP, signal);
    const queryCpuMs = await cpuOf(lectern, queries, () => ask(api, texts, queries, signal));
    const bytes = {
      postgres: await folderBytes(`${home.path}/postgres`),
      vectors: await folderBytes(`${home.path}/qdrant`),
    };
    measured.push({ documents, passages, queryCpuMs, documentCpuMs, bytes });
    print(`\n${writeCosts(measured)}\n`);
  }
  return measured;
}

async function ask(api: Api, texts: readonly string[], count: number, signal: AbortSignal): Promise<void> {
  const { failures, firstFailure } = await runClosedLoop({
    clients: CLIENTS,
    durationMs: Number.POSITIVE_INFINITY,
    maxRequests: count,
    signal,
    request: (number) => api.call('POST', '/api/v1/search', { query: texts[number % texts.length], limit: 10 }),
  });
  if (failures > 0) throw new Error(`${failures} queries failed: ${firstFailure}`);
}

/** Returns the CPU time of each part per request, without its idle load. */
async function cpuOf(lectern: Lectern, count: number, work: () => Promise<unknown>): Promise<CpuByPart> {
  const pids = await lectern.readPids();
  const read = async () => ({ at: performance.now(), cpu: await measureCpu(pids) });
  const before = await read();
  await work();
  const after = await read();
  await delay(IDLE_MS);
  const idle = await read();
  const share = (after.at - before.at) / (idle.at - after.at);
  return Object.fromEntries(
    Object.keys(pids).map((part) => {
      const spent = (after.cpu[part] ?? 0) - (before.cpu[part] ?? 0);
      const atRest = ((idle.cpu[part] ?? 0) - (after.cpu[part] ?? 0)) * share;
      return [part, Math.max(0, spent - atRest) / count];
    }),
  );
}
