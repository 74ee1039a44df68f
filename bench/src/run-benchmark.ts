import { readBeirCorpus } from '#corpus/beir';
import type { Corpus } from '#corpus/corpus';
import { createSyntheticCorpus } from '#corpus/synthetic';
import { quietFor, untilSettled } from '#eval/settle';
import { ingest } from '#ingest/ingest';
import type { Options } from '#options';
import { cpuBetween, measureCpu } from '#probes/cpu';
import { describeEnvironment } from '#probes/environment';
import { type MemoryByPart, measureMemory } from '#probes/memory';
import type { BenchmarkResult } from '#report/benchmark-result';
import { measureChat } from '#stages/measure-chat';
import { measureSearch } from '#stages/measure-search';
import { createApi } from '#system/api';
import { type Lectern, startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';
import { lecternTarget } from '#targets/lectern';
import { openPeers } from '#targets/open-peers';
import type { SearchTarget } from '#targets/search-target';
import { vectorStoreTarget } from '#targets/vector-store';

const DEFAULT_DOCUMENTS = 2_000;

/** Prints a progress message. */
export type Print = (line: string) => void;

/**
 * Runs a complete benchmark: start, index, search, chat, and a second start with the data in place.
 * Always cleans up. Rejects with the signal's reason if it is interrupted.
 */
export async function runBenchmark(options: Options, print: Print, signal: AbortSignal): Promise<BenchmarkResult> {
  const environment = await describeEnvironment();
  const corpus = await readCorpus(options);
  const home = await createTemporaryHome();
  const start = () => startLectern(home.path, signal);
  try {
    print('Starting Lectern…');
    const measured = await using(await start(), (lectern) => measure(lectern, corpus, options, print, signal));
    print('Starting Lectern again with its data…');
    const secondStartMs = await secondStart(start, print, signal);
    return { environment, corpus: describe(corpus), seconds: options.seconds, ...measured, secondStartMs };
  } finally {
    await home.remove();
  }
}

/** Undefined if it fails, so that earlier measurements are not lost. */
async function secondStart(
  start: () => Promise<Lectern>,
  print: Print,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    return await using(await start(), async ({ readyAfterMs }) => readyAfterMs);
  } catch (error) {
    signal.throwIfAborted();
    print(`The second start failed: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

async function using<T>(lectern: Lectern, use: (lectern: Lectern) => Promise<T>): Promise<T> {
  try {
    return await use(lectern);
  } finally {
    await lectern.stop();
  }
}

async function usingAll<T>(
  targets: readonly SearchTarget[],
  use: (targets: readonly SearchTarget[]) => Promise<T>,
): Promise<T> {
  try {
    return await use(targets);
  } finally {
    for (const target of targets) await target.close();
  }
}

async function measure(lectern: Lectern, corpus: Corpus, options: Options, print: Print, signal: AbortSignal) {
  const memory: [string, MemoryByPart][] = [];
  const weigh = async (when: string) => memory.push([when, await measureMemory(lectern.pids)]);
  const api = createApi(lectern);
  try {
    await weigh('at rest');
    print(`Indexing ${corpus.documents.length} documents…`);
    const before = await measureCpu(lectern.pids);
    const indexed = await ingest(api, corpus, signal);
    const cpuMs = cpuBetween(before, await measureCpu(lectern.pids));
    const quietMs = options.settle === undefined ? quietFor(corpus.documents.length) : options.settle * 1_000;
    if (quietMs > 0) print(`Waiting until results are stable for ${Math.round(quietMs / 1_000)} s…`);
    const settled = await untilSettled(api, indexed.collection, corpus.queries, { quietMs, signal });
    if (!settled) print('Results are still changing: the built-in embedding is still being trained during the load.');
    await weigh('after indexing');

    const lecternTargets = [
      lecternTarget(api, indexed),
      await vectorStoreTarget(lectern, indexed, corpus.queries, signal),
    ];
    const sources = { corpus, indexed, qdrantUrl: lectern.qdrantUrl, print, signal };
    const search = await usingAll(
      [...lecternTargets, ...(await openPeers(options.peers, sources))],
      async (targets) => {
        print(`Searching with ${options.clients.join(', ')} clients…`);
        return measureSearch(targets, { ...options, queries: corpus.queries, pids: lectern.pids, signal });
      },
    );
    await weigh('after searching');

    if (options.chats > 0) print('Chatting…');
    const chat =
      options.chats > 0
        ? await measureChat(api, lectern.teamId, indexed, corpus.queries, options.chats, signal)
        : undefined;
    return {
      firstStartMs: lectern.readyAfterMs,
      fetchedNats: lectern.fetchedNats,
      indexing: { ...indexed, cpuMs },
      search,
      chat,
      memory,
    };
  } finally {
    api.close();
  }
}

async function readCorpus({ data, documents, queries }: Options): Promise<Corpus> {
  if (data !== undefined) return readBeirCorpus(data, { documents, queries });
  return createSyntheticCorpus({ documents: documents ?? DEFAULT_DOCUMENTS, queries });
}

function describe({ name, documents, queries }: Corpus) {
  const words = documents.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
  return { name, documents: documents.length, wordsPerDocument: words / documents.length, queries: queries.length };
}
