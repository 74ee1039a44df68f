import { createSyntheticCorpus } from '#corpus/synthetic';
import { ingestOnce } from '#ingest/ingest-once';
import { runClosedLoop } from '#load/closed-loop';
import { type LoadSummary, summarize } from '#load/latency';
import { takeTurns } from '#load/take-turns';
import { measureCpu } from '#probes/cpu';
import { askReplicas } from '#scale/ask';
import { type Replica, type Scaled, startReplica } from '#scale/replica';
import { createApi } from '#system/api';
import { type Lectern, startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

const QUERIES = 200;
const ROUNDS = 4;
const WARM_UP = 400;

export interface ScaleOptions {
  readonly documents: number;
  readonly clients: number;
  /** The duration for each number of replicas. */
  readonly seconds: number;
  /** The share of a core for each replica. */
  readonly cores: number;
}

/** The result of one number of replicas. */
export interface ScaleMeasurement extends LoadSummary {
  readonly service: Scaled;
  readonly replicas: number;
  /** The number of requests answered by each replica. */
  readonly split: readonly number[];
  /** CPU milliseconds of a replica per request. */
  readonly cpuMs: number;
}

/**
 * Starts Lectern and measures search and gateway with one and two replicas in turns. Cleans up
 * afterwards.
 */
export async function measureScale(
  options: ScaleOptions,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<readonly ScaleMeasurement[]> {
  await using cleanUp = new AsyncDisposableStack();
  const home = await createTemporaryHome();
  cleanUp.defer(() => home.remove());
  const lectern = await startLectern(home.path, signal);
  cleanUp.defer(() => lectern.stop());
  const api = createApi(lectern);
  cleanUp.defer(() => api.close());
  const corpus = createSyntheticCorpus({ documents: options.documents, queries: QUERIES });
  await ingestOnce(api, corpus, home.path, print, signal);
  const measurements: ScaleMeasurement[] = [];
  for (const service of ['search', 'gateway'] as const) {
    print(`Measuring ${service}…`);
    measurements.push(...(await measureService(service, lectern, corpus.queries, options, signal)));
  }
  return measurements;
}

async function measureService(
  service: Scaled,
  lectern: Lectern,
  queries: ReturnType<typeof createSyntheticCorpus>['queries'],
  { clients, seconds, cores }: ScaleOptions,
  signal: AbortSignal,
): Promise<readonly ScaleMeasurement[]> {
  await using cleanUp = new AsyncDisposableStack();
  const replicas: Replica[] = [];
  for (const number of [1, 2]) {
    const replica = await startReplica(lectern, service, number, cores, signal);
    cleanUp.defer(() => replica.stop());
    replicas.push(replica);
  }
  const turns = [1, 2].map((count) => {
    const replicaClients = askReplicas(service, replicas.slice(0, count), lectern, queries);
    cleanUp.defer(() => replicaClients.close());
    return { count, replicaClients, split: replicas.slice(0, count).map(() => 0), cpuMs: 0 };
  });
  const load = { clients, signal, maxRequests: Number.POSITIVE_INFINITY };
  // Warm up, so that both replicas have compiled their code and filled their caches.
  const warm = turns.at(-1)?.replicaClients;
  if (warm) await runClosedLoop({ ...load, durationMs: 600_000, maxRequests: WARM_UP, request: warm.ask });
  const results = await takeTurns(
    turns.map((turn) => async (durationMs) => {
      const before = await readReplicas(replicas);
      const result = await runClosedLoop({ ...load, durationMs, request: turn.replicaClients.ask });
      const after = await readReplicas(replicas);
      for (const at of turn.split.keys())
        turn.split[at] = (turn.split[at] ?? 0) + (after.answered[at] ?? 0) - (before.answered[at] ?? 0);
      turn.cpuMs += after.cpuMs - before.cpuMs;
      return result;
    }),
    seconds * 1_000,
    ROUNDS,
  );
  return results.map((result, at) => {
    const { count = 0, split = [], cpuMs = 0 } = turns[at] ?? {};
    const summary = summarize(result);
    return { service, replicas: count, ...summary, split, cpuMs: cpuMs / summary.requests };
  });
}

async function readReplicas(replicas: readonly Replica[]) {
  const spent = await measureCpu(Object.fromEntries(replicas.map(({ address, pid }) => [address, pid])));
  return {
    answered: await Promise.all(replicas.map((replica) => replica.answered())),
    cpuMs: Object.values(spent).reduce((sum, ms) => sum + ms, 0),
  };
}
