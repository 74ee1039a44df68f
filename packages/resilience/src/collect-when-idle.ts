const INTERVAL_MS = 5_000;
/** A process is busy in an interval with this CPU time or more. */
const BUSY_MS = 250;
/** The CPU time of busy intervals that makes a collection worthwhile. One takes 100 ms or more. */
const WORTHWHILE_MS = 1_000;

interface Collecting {
  readonly intervalMs?: number;
  readonly collect?: () => Promise<void>;
}

/**
 * Collects garbage whenever this process was busy and has become idle, until the returned function
 * is called. V8 collects only while a process allocates, so an idle one would keep the garbage of
 * its start, an import or many searches.
 */
export function collectWhenIdle({ intervalMs = INTERVAL_MS, collect = collectGarbage }: Collecting = {}): () => void {
  const becameIdle = watchLoad();
  // Since the start of the process.
  let before = { user: 0, system: 0 };
  const check = async () => {
    const { user, system } = process.cpuUsage(before);
    if (becameIdle((user + system) / 1_000)) await collect();
    // After the collection, which does not count as work.
    before = process.cpuUsage();
  };
  // Without a collection, the service only uses more memory.
  const timer = setInterval(() => void check().catch(() => clearInterval(timer)), intervalMs).unref();
  return () => clearInterval(timer);
}

/**
 * Returns a function that is called with the CPU milliseconds of each interval. It returns true in
 * the first idle one after enough work.
 */
export function watchLoad(): (cpuMs: number) => boolean {
  let workMs = 0;
  return (cpuMs) => {
    if (cpuMs >= BUSY_MS) {
      workMs += cpuMs;
      return false;
    }
    if (workMs < WORTHWHILE_MS) return false;
    workMs = 0;
    return true;
  };
}

/** Collects all garbage and returns the memory to the system. V8's `gc()` keeps most of it. */
export async function collectGarbage(): Promise<void> {
  // Only here: Node can be built without it.
  const { Session } = await import('node:inspector');
  const { promise, resolve } = Promise.withResolvers<void>();
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.collectGarbage', () => resolve());
  await promise;
  // Within the callback, disconnecting would deadlock V8.
  setImmediate(() => session.disconnect());
}
