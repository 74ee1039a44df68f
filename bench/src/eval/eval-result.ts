import { z } from 'zod';
import type { JudgedQuery } from '#eval/eval-corpus';
import { mean, ndcg, type Ranking, recall, reciprocalRank } from '#eval/metrics';
import { MODES, type Mode } from '#eval/modes';
import { percentile } from '#load/latency';

/** The number of documents stored for each ranking. */
const TOP = 10;

const metrics = { ndcg10: z.number(), recall100: z.number(), mrr10: z.number() };
const queryResult = z.object({ id: z.string(), latencyMs: z.number(), top: z.array(z.string()), ...metrics });
const modeResult = z.object({
  mode: z.enum(MODES),
  ...metrics,
  p50Ms: z.number(),
  p95Ms: z.number(),
  queries: z.array(queryResult),
});

/** A stored run, which the next run is compared with. */
export const evalResult = z.object({
  corpus: z.string(),
  documents: z.int(),
  takenAt: z.string(),
  commit: z.string().optional(),
  /** The duration of indexing; undefined if an existing collection was used. */
  indexedMs: z.number().optional(),
  /** False if results still changed during the measurement. */
  settled: z.boolean(),
  modes: z.array(modeResult),
});

export type EvalResult = Readonly<z.infer<typeof evalResult>>;
export type ModeResult = Readonly<z.infer<typeof modeResult>>;
export type QueryResult = Readonly<z.infer<typeof queryResult>>;

/** The results and judgments of one query. */
export interface Judged extends JudgedQuery {
  /** Ids in the corpus. */
  readonly ranking: Ranking;
  readonly latencyMs: number;
}

/** The metrics of one mode: means over all queries, nearest-rank percentiles of latency. */
export function rate(mode: Mode, answers: readonly Judged[]): ModeResult {
  const queries = answers.map(({ id, judgments, ranking, latencyMs }) => ({
    id,
    ndcg10: ndcg(ranking, judgments, 10),
    recall100: recall(ranking, judgments, 100),
    mrr10: reciprocalRank(ranking, judgments, 10),
    latencyMs,
    top: ranking.slice(0, TOP),
  }));
  const latencies = queries.map(({ latencyMs }) => latencyMs);
  return {
    mode,
    ndcg10: mean(queries.map(({ ndcg10 }) => ndcg10)),
    recall100: mean(queries.map(({ recall100 }) => recall100)),
    mrr10: mean(queries.map(({ mrr10 }) => mrr10)),
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    queries,
  };
}
