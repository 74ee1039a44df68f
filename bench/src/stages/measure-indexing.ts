import { setTimeout as delay } from 'node:timers/promises';
import { createSyntheticCorpus } from '#corpus/synthetic';
import { type IndexedCorpus, ingest } from '#ingest/ingest';
import { type PostedDocuments, postDocuments } from '#ingest/post-documents';
import { type CpuByPart, cpuBetween, measureCpu } from '#probes/cpu';
import { type MemoryByPart, measureMemory } from '#probes/memory';
import { profilerSettings, writeCpuProfiles } from '#profile/cpu-profiles';
import { mebibytes, rate, seconds } from '#report/format';
import { table } from '#report/table';
import { createApi } from '#system/api';
import { startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

/** The size of the synthetic corpus. */
const PASSAGES_A_DOCUMENT = 2.85;
const SAMPLE_MS = 3_000;
const PROFILED = ['gateway', 'collection', 'connector', 'qdrant-local'];

/** What to measure. */
export interface IndexingOptions {
  readonly passages: number;
  readonly by: 'post' | 'upload';
  /** Seconds. */
  readonly rest: number;
  /** A folder for CPU profiles. */
  readonly profiles?: string | undefined;
}

/** Speed, CPU time and memory of indexing. */
export interface IndexingResult {
  readonly documents: number;
  readonly passages: number;
  readonly indexedMs: number;
  /** CPU milliseconds of each part from the first document sent to the last one indexed. */
  readonly cpuMs: CpuByPart;
  readonly memory: readonly (readonly [when: string, MemoryByPart])[];
}

/** Starts Lectern, indexes documents and measures the cost. Cleans up afterwards. */
export async function measureIndexing(
  { passages: wanted, by, rest, profiles }: IndexingOptions,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<IndexingResult> {
  const corpus = createSyntheticCorpus({ documents: Math.round(wanted / PASSAGES_A_DOCUMENT), queries: 1 });
  const home = await createTemporaryHome();
  const lectern = await startLectern(home.path, signal, profilerSettings(profiles)).catch(async (error) => {
    await home.remove();
    throw error;
  });
  const api = createApi(lectern);
  try {
    const atRest = await measureMemory(lectern.pids);
    print(`Indexing ${corpus.documents.length} documents…`);
    const before = await measureCpu(lectern.pids);
    const done = new AbortController();
    const highest = watchHighest(lectern.pids, done.signal);
    const fill = (): Promise<IndexedCorpus | PostedDocuments> =>
      (by === 'post' ? postDocuments : ingest)(api, corpus, signal).finally(() => done.abort());
    const { passages, indexedMs } = await (profiles === undefined
      ? fill()
      : writeCpuProfiles(lectern, PROFILED, profiles, fill));
    const after = await measureCpu(lectern.pids);
    const indexed = await measureMemory(lectern.pids);
    print(`Waiting ${rest} s…`);
    await delay(rest * 1_000, undefined, { signal });
    return {
      documents: corpus.documents.length,
      passages,
      indexedMs,
      cpuMs: cpuBetween(before, after),
      memory: [
        ['at rest', atRest],
        ['highest while indexing', await highest],
        ['indexed', indexed],
        [`${rest} s later`, await measureMemory(lectern.pids)],
      ],
    };
  } finally {
    api.close();
    await lectern.stop();
    await home.remove();
  }
}

/** Returns the sample with the highest total. */
async function watchHighest(pids: Readonly<Record<string, number>>, signal: AbortSignal): Promise<MemoryByPart> {
  let highest: MemoryByPart = {};
  while (!signal.aborted) {
    const now = await measureMemory(pids);
    if (total(now) > total(highest)) highest = now;
    await delay(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
  }
  return highest;
}

const total = (memory: MemoryByPart): number =>
  Object.values(memory).reduce((sum, { pssBytes }) => sum + (pssBytes ?? 0), 0);

/** Renders the result as Markdown. */
export function writeIndexingReport({ documents, passages, indexedMs, cpuMs, memory }: IndexingResult): string {
  const names = Object.keys(cpuMs).sort();
  const cpuSum = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
  const cpuRow = (name: string, ms: number) => [name, (ms / documents).toFixed(2), (ms / passages).toFixed(2)];
  const pss = (bytes: number | undefined) => mebibytes(bytes);
  return [
    `${documents} documents, ${passages} passages in ${seconds(indexedMs)} s: **${rate((passages / indexedMs) * 1_000)} passages/s**`,
    table(
      ['CPU', 'ms a document', 'ms a passage'],
      [...names.map((name) => cpuRow(name, cpuMs[name] ?? 0)), cpuRow('**sum**', cpuSum)],
    ),
    table(
      ['PSS, MiB', ...memory.map(([when]) => when)],
      [
        ...names.map((name) => [name, ...memory.map(([, parts]) => pss(parts[name]?.pssBytes))]),
        ['**sum**', ...memory.map(([, parts]) => pss(total(parts)))],
      ],
    ),
  ].join('\n\n');
}
