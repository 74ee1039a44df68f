import type { IndexedCorpus } from '#ingest/ingest';
import type { LoadSummary } from '#load/latency';
import type { CpuByPart } from '#probes/cpu';
import type { Environment } from '#probes/environment';
import type { MemoryByPart } from '#probes/memory';
import type { SearchReport } from '#stages/measure-search';

/** All measurements of a run. */
export interface BenchmarkResult {
  readonly environment: Environment;
  readonly corpus: {
    readonly name: string;
    readonly documents: number;
    readonly wordsPerDocument: number;
    readonly queries: number;
  };
  /** The duration for each target and number of clients. */
  readonly seconds: number;
  readonly firstStartMs: number;
  readonly fetchedNats: boolean;
  /** Undefined if it failed. */
  readonly secondStartMs: number | undefined;
  readonly indexing: Pick<IndexedCorpus, 'documents' | 'passages' | 'uploadMs' | 'indexedMs'> & {
    /** CPU milliseconds of each part from the first upload to the end of the last job. */
    readonly cpuMs: CpuByPart;
  };
  readonly search: SearchReport;
  /** Undefined if it was skipped. */
  readonly chat: LoadSummary | undefined;
  /** Samples in chronological order. */
  readonly memory: readonly (readonly [when: string, MemoryByPart])[];
}
