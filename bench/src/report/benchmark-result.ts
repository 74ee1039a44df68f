import type { IndexedCorpus } from '#ingest/ingest';
import type { LoadSummary } from '#load/latency';
import type { Environment } from '#probes/environment';
import type { MemoryByPart } from '#probes/memory';
import type { SearchReport } from '#stages/measure-search';

/** All that a run has measured. */
export interface BenchmarkResult {
  readonly environment: Environment;
  readonly corpus: {
    readonly name: string;
    readonly documents: number;
    readonly wordsPerDocument: number;
    readonly queries: number;
  };
  /** Measured for each target at each number of clients. */
  readonly seconds: number;
  readonly firstStartMs: number;
  readonly fetchedNats: boolean;
  /** Undefined where it failed. */
  readonly secondStartMs: number | undefined;
  readonly indexing: Pick<IndexedCorpus, 'documents' | 'passages' | 'uploadMs' | 'indexedMs'>;
  readonly search: SearchReport;
  /** Undefined where it was left out. */
  readonly chat: LoadSummary | undefined;
  /** At each moment, in the order of time. */
  readonly memory: readonly (readonly [when: string, MemoryByPart])[];
}
