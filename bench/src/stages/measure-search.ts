import type { CorpusQuery } from '#corpus/corpus';
import { runClosedLoop } from '#load/closed-loop';
import { type LoadSummary, summarize } from '#load/latency';
import { takeTurns } from '#load/take-turns';
import { addCpu, type CpuByPart, cpuBetween, measureCpu, sharedOver } from '#probes/cpu';
import { type Answers, agreement, meanRecall } from '#targets/agreement';
import type { SearchTarget } from '#targets/search-target';

const ROUNDS = 4;
/** A limit for very fast systems. */
const MAX_REQUESTS_A_TURN = 100_000;

/** The result of one target with one number of clients. */
export interface SearchMeasurement extends LoadSummary {
  readonly target: string;
  readonly clients: number;
  /** CPU milliseconds of the benchmark's own process per request: those of the target's client. */
  readonly clientMs: number;
  /** CPU milliseconds of each part of Lectern per request, whichever target is measured. */
  readonly partsMs: CpuByPart;
}

/** The quality and speed of the targets. */
export interface SearchReport {
  readonly measurements: readonly SearchMeasurement[];
  /** Recall by the name of the target; undefined without judged queries. */
  readonly recall: ReadonlyMap<string, number | undefined>;
  /** Agreement of each target, except peers, with the first one, from 0 to 1. */
  readonly agreement: ReadonlyMap<string, number>;
}

/** The queries and the duration of the measurement. */
export interface SearchLoad {
  readonly queries: readonly CorpusQuery[];
  readonly clients: readonly number[];
  /** The duration for each target and number of clients. */
  readonly seconds: number;
  /** The processes of Lectern, by part. */
  readonly pids: Readonly<Record<string, number>>;
  readonly signal: AbortSignal;
}

/**
 * Runs each query once on every target, which also warms it up, then measures them in turns for
 * each number of clients.
 */
export async function measureSearch(targets: readonly SearchTarget[], load: SearchLoad): Promise<SearchReport> {
  const { queries, clients, seconds, pids, signal } = load;
  const answers = new Map<string, Answers>();
  for (const target of targets) answers.set(target.name, await askAll(target, queries, signal));
  const reference = answers.get(targets[0]?.name ?? '') ?? [];

  const measurements: SearchMeasurement[] = [];
  for (const count of clients) {
    const turns = targets.map((target) => {
      const spent = { name: target.name, requests: 0, microseconds: 0, parts: {} as CpuByPart };
      const run = async (durationMs: number) => {
        const before = process.cpuUsage();
        const partsBefore = await measureCpu(pids);
        const result = await runClosedLoop({
          clients: count,
          durationMs,
          maxRequests: MAX_REQUESTS_A_TURN,
          signal,
          request: () => target.search(at(queries, spent.requests++)),
        });
        const { user, system } = process.cpuUsage(before);
        spent.microseconds += user + system;
        spent.parts = addCpu(spent.parts, cpuBetween(partsBefore, await measureCpu(pids)));
        return result;
      };
      return { spent, run };
    });
    const results = await takeTurns(
      turns.map(({ run }) => run),
      seconds * 1_000,
      ROUNDS,
    );
    for (const [index, { spent }] of turns.entries()) {
      const result = results[index];
      if (result === undefined) continue;
      const requests = Math.max(1, spent.requests);
      const clientMs = spent.microseconds / 1_000 / requests;
      const partsMs = sharedOver(spent.parts, requests);
      measurements.push({ target: spent.name, clients: count, clientMs, partsMs, ...summarize(result) });
    }
  }
  return {
    measurements,
    recall: new Map([...answers].map(([name, results]) => [name, meanRecall(queries, results)])),
    agreement: new Map(
      targets
        .filter(({ isPeer }) => isPeer !== true)
        .map(({ name }) => [name, agreement(reference, answers.get(name) ?? [])]),
    ),
  };
}

async function askAll(target: SearchTarget, queries: readonly CorpusQuery[], signal: AbortSignal): Promise<Answers> {
  const answers: (readonly string[])[] = [];
  for (const query of queries) {
    signal.throwIfAborted();
    answers.push(await target.search(query));
  }
  return answers;
}

/** Starts over at the end. */
function at(queries: readonly CorpusQuery[], number: number): CorpusQuery {
  const query = queries[number % queries.length];
  if (!query) throw new Error('The corpus has no queries.');
  return query;
}
