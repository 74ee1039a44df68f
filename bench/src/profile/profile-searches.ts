import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { waitUntil } from '@lectern/local-engines';
import { z } from 'zod';
import type { Corpus } from '#corpus/corpus';
import { createSyntheticCorpus } from '#corpus/synthetic';
import { ingestOnce } from '#ingest/ingest-once';
import { runClosedLoop } from '#load/closed-loop';
import { joinLoads, type LoadResult, summarize } from '#load/latency';
import { addCpu, type CpuByPart, cpuBetween, measureCpu, sharedOver } from '#probes/cpu';
import { type MemoryByPart, measureMemory } from '#probes/memory';
import { profilerSettings, writeCpuProfiles } from '#profile/cpu-profiles';
import { profileReport, type VersionCost } from '#profile/profile-report';
import { type Api, createApi } from '#system/api';
import { type Lectern, startLectern } from '#system/lectern';
import { createTemporaryHome, openKeptHome } from '#system/temporary-home';

const QUERIES = 200;
const WARM_UP = 600;
const COPY_TIMEOUT_MS = 300_000;
const IDLE_TIMEOUT_MS = 600_000;
const IDLE_POLL_MS = 5_000;
const PROFILED = ['gateway', 'search', 'collection', 'qdrant-local'];

export interface ProfileOptions {
  readonly documents: number;
  /** The number of searches for each version and number of clients. */
  readonly searches: number;
  readonly clients: readonly number[];
  /** The number of turns that the searches are divided into. */
  readonly rounds: number;
  /** A folder that keeps the corpus for later runs. */
  readonly home?: string | undefined;
  /** Another checkout of the repository to measure in turns with this one. */
  readonly compare?: string | undefined;
  /** A folder for CPU profiles of a further turn. */
  readonly profiles?: string | undefined;
}

interface Version {
  readonly name: string;
  readonly lectern: Lectern;
  readonly api: Api;
}

/**
 * Indexes a corpus once and searches it with this version, and in turns with the version of another
 * checkout on a copy of the data. Prints CPU milliseconds per search by part, and compares the
 * responses of both.
 */
export async function profileSearches(
  options: ProfileOptions,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const corpus = createSyntheticCorpus({ documents: options.documents, queries: QUERIES });
  const home = await (options.home === undefined ? createTemporaryHome() : openKeptHome(options.home));
  cleanUp.defer(() => home.remove());
  await fill(home.path, corpus, print, signal);

  const settings = profilerSettings(options.profiles);
  const open = async (name: string, path: string, checkout?: string): Promise<Version> => {
    const lectern = await startLectern(path, signal, settings, checkout);
    cleanUp.defer(() => lectern.stop());
    const api = createApi(lectern);
    cleanUp.defer(() => api.close());
    return { name, lectern, api };
  };
  const versions: Version[] = [];
  if (options.compare !== undefined) {
    const copy = await createTemporaryHome();
    cleanUp.defer(() => copy.remove());
    // With owners: PostgreSQL runs under its own account.
    await promisify(execFile)('cp', ['-a', home.path, copy.path], { timeout: COPY_TIMEOUT_MS });
    versions.push(await open('other', copy.path, options.compare));
  }
  versions.push(await open('this', home.path));

  for (const { lectern } of versions) await untilIdle(lectern, print);
  const texts = corpus.queries.map(({ text }) => text);
  for (const { api } of versions) await ask(api, texts, { clients: 4, count: WARM_UP, signal });
  if (versions.length > 1) print(await compareResponses(versions, texts));
  print(profileReport(await measure(versions, texts, options, signal), await memoryOf(versions)));

  const last = versions.at(-1);
  if (options.profiles !== undefined && last !== undefined) {
    await writeCpuProfiles(last.lectern, PROFILED, options.profiles, () =>
      ask(last.api, texts, { clients: options.clients.at(-1) ?? 1, count: options.searches, signal }),
    );
    print(`CPU profiles are in ${options.profiles}.`);
  }
}

async function fill(home: string, corpus: Corpus, print: (line: string) => void, signal: AbortSignal): Promise<void> {
  const lectern = await startLectern(home, signal);
  const api = createApi(lectern);
  try {
    await ingestOnce(api, corpus, home, print, signal);
  } finally {
    api.close();
    await lectern.stop();
  }
}

/** Waits until no part uses more than a twentieth of a core: passages may still move to a new space. */
async function untilIdle({ pids }: Lectern, print: (line: string) => void): Promise<void> {
  let before = { at: performance.now(), cpu: await measureCpu(pids) };
  const isIdle = async (): Promise<boolean> => {
    const now = { at: performance.now(), cpu: await measureCpu(pids) };
    const most = Math.max(...Object.values(cpuBetween(before.cpu, now.cpu))) / (now.at - before.at);
    before = now;
    return most < 0.05;
  };
  print('Waiting until the system is idle…');
  await waitUntil(isIdle, { what: 'an idle system', timeoutMs: IDLE_TIMEOUT_MS, intervalMs: IDLE_POLL_MS });
}

interface Load {
  readonly clients: number;
  readonly count: number;
  readonly signal: AbortSignal;
}

const search = (api: Api, query: string): Promise<unknown> => api.call('POST', '/api/v1/search', { query, limit: 10 });

async function ask(api: Api, texts: readonly string[], { clients, count, signal }: Load): Promise<LoadResult> {
  const result = await runClosedLoop({
    clients,
    durationMs: Number.POSITIVE_INFINITY,
    maxRequests: count,
    signal,
    request: (number) => search(api, texts[number % texts.length] ?? ''),
  });
  if (result.failures > 0) throw new Error(`${result.failures} searches failed: ${result.firstFailure}`);
  return result;
}

/** Measures the versions in turns: AB BA AB BA. */
async function measure(
  versions: readonly Version[],
  texts: readonly string[],
  { clients, rounds, searches }: ProfileOptions,
  signal: AbortSignal,
): Promise<VersionCost[]> {
  const costs: VersionCost[] = [];
  const count = Math.ceil(searches / rounds);
  for (const simultaneous of clients) {
    const spent = versions.map((version) => ({ version, cpu: {} as CpuByPart, loads: [] as LoadResult[] }));
    for (let round = 0; round < rounds; round += 1) {
      for (const turn of round % 2 === 0 ? spent : spent.toReversed()) {
        const { api, lectern } = turn.version;
        const before = await measureCpu(lectern.pids);
        turn.loads.push(await ask(api, texts, { clients: simultaneous, count, signal }));
        turn.cpu = addCpu(turn.cpu, cpuBetween(before, await measureCpu(lectern.pids)));
      }
    }
    for (const { version, cpu, loads } of spent) {
      const load = summarize(joinLoads(loads));
      costs.push({ version: version.name, clients: simultaneous, cpuMs: sharedOver(cpu, load.requests), load });
    }
  }
  return costs;
}

async function memoryOf(versions: readonly Version[]): Promise<readonly (readonly [string, MemoryByPart])[]> {
  return Promise.all(versions.map(async ({ name, lectern }) => [name, await measureMemory(lectern.pids)] as const));
}

/** The time and the id of each search differ. */
const answer = z.looseObject({ data: z.looseObject({ tookMs: z.number(), queryId: z.string().nullable() }) });

async function compareResponses(versions: readonly Version[], texts: readonly string[]): Promise<string> {
  const different: string[] = [];
  for (const text of texts) {
    const found = await Promise.all(
      versions.map(async ({ api }) => {
        const { tookMs: _time, queryId: _id, ...data } = answer.parse(await search(api, text)).data;
        return JSON.stringify(data);
      }),
    );
    if (found.some((data) => data !== found[0])) different.push(text);
  }
  const first = different[0] === undefined ? '' : `; the first: ${different[0]}`;
  return `${texts.length - different.length} of ${texts.length} responses are the same in both versions${first}`;
}
