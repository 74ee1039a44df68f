import { randomBytes } from 'node:crypto';
import { type S3Server, startS3Server } from '@lectern/testing';
import { type CpuByPart, measureCpu } from '#probes/cpu';
import { type Killing, killParts } from '#sync/kill-parts';
import { type PeakMemory, watchPeakMemory } from '#sync/peak-memory';
import { runJob, type SyncJob } from '#sync/run-job';
import { connectS3, reportKey, reportText } from '#sync/s3-source';
import { countStored, type StoredCounts } from '#sync/stored-counts';
import { createApi } from '#system/api';
import { startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

export interface SyncOptions extends Killing {
  readonly documents: number;
}

/** The result and cost of one sync. */
interface MeasuredSync {
  readonly name: string;
  readonly job: SyncJob;
  readonly ms: number;
  /** CPU milliseconds of each part. For a killed part, those of its successor. */
  readonly cpuMs: CpuByPart;
  /** Requests that the source received, by method and kind. */
  readonly requests: Readonly<Record<string, number>>;
}

export interface SyncResult {
  readonly documents: number;
  readonly syncs: readonly MeasuredSync[];
  readonly peak: PeakMemory;
  readonly killed: readonly string[];
  readonly stored: StoredCounts;
}

function countRequests(source: S3Server): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { method, query } of source.requests) {
    const kind = query.has('list-type') ? 'list' : method;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  source.forget();
  return counts;
}

/** Starts Lectern and syncs three times. Cleans up afterwards. */
export async function measureSync(
  { documents, ...killing }: SyncOptions,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<SyncResult> {
  await using cleanUp = new AsyncDisposableStack();
  const source = await startS3Server();
  cleanUp.defer(() => source.stop());
  for (let index = 0; index < documents; index += 1) source.put(reportKey(index), reportText(index, 0));
  const home = await createTemporaryHome();
  cleanUp.defer(() => home.remove());
  const settings = { EGRESS_ALLOW: '127.0.0.1', LECTERN_MASTER_KEYS: `1:${randomBytes(32).toString('base64')}` };
  const lectern = await startLectern(home.path, signal, settings);
  cleanUp.defer(() => lectern.stop());
  const api = createApi(lectern);
  cleanUp.defer(() => api.close());

  const connectorId = await connectS3(api, source);
  const measure = async (name: string): Promise<MeasuredSync> => {
    source.forget();
    print(`${name}…`);
    const before = await measureCpu(await lectern.readPids());
    const { job, ms } = await runJob(api, connectorId, print, signal);
    const after = await measureCpu(await lectern.readPids());
    const cpuMs = Object.fromEntries(
      Object.entries(after).map(([part, spent]) => [part, Math.max(0, spent - (before[part] ?? 0))]),
    );
    return { name, job, ms, cpuMs, requests: countRequests(source) };
  };

  const watched = new AbortController();
  const peak = watchPeakMemory(lectern, watched.signal);
  const first = new AbortController();
  const killed = killParts(lectern, home.path, killing, print, AbortSignal.any([signal, first.signal]));
  try {
    const syncs = [await measure('first').finally(() => first.abort())];
    const list = await killed;
    syncs.push(await measure('nothing changed'));
    source.put(reportKey(0), reportText(0, 1));
    syncs.push(await measure('one changed'));
    return { documents, syncs, peak: await stop(watched, peak), killed: list, stored: await countStored(lectern, api) };
  } finally {
    first.abort();
    watched.abort();
    await Promise.allSettled([peak, killed]);
  }
}

async function stop<T>(watched: AbortController, watching: Promise<T>): Promise<T> {
  watched.abort();
  return watching;
}
