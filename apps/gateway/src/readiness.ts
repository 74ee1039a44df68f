import type { Context } from '#context';
import { withDeadline } from '#deadline';

/** The parts that are checked: the database and the services. */
export type Checked = Pick<Context, 'db' | 'connections'>;

const DEADLINE_MS = 2_000;

async function isDatabaseReady({ db }: Checked): Promise<boolean> {
  try {
    await withDeadline(db.$queryRaw`SELECT 1`, DEADLINE_MS, () => new Error('The database did not respond in time.'));
    return true;
  } catch {
    return false;
  }
}

/** Returns the names of the parts that do not respond within two seconds. */
async function partsNotReady(ctx: Checked): Promise<readonly string[]> {
  const services = Object.entries(ctx.connections).map(
    async ([name, connection]) => [name, await connection.healthy(DEADLINE_MS)] as const,
  );
  const database = isDatabaseReady(ctx).then((ready) => ['database', ready] as const);
  const parts = await Promise.all([database, ...services]);
  return parts.filter(([, ready]) => !ready).map(([name]) => name);
}

/** How long a result is reused. The endpoint is public, and each check calls every service. */
const TTL_MS = 1_000;

/** Returns the names of the parts that do not respond. */
export type Readiness = () => Promise<readonly string[]>;

/** Checks at most once a second. Requests in between share the running check or its result. */
export function createReadiness(
  checked: Checked,
  check: (checked: Checked) => Promise<readonly string[]> = partsNotReady,
  now: () => number = () => performance.now(),
): Readiness {
  let last: { readonly result: Promise<readonly string[]>; endedAt: number } | undefined;
  return () => {
    if (last !== undefined && now() - last.endedAt < TTL_MS) return last.result;
    const result = check(checked);
    const entry = { result, endedAt: Number.POSITIVE_INFINITY };
    last = entry;
    const end = () => {
      entry.endedAt = now();
    };
    result.then(end, end);
    return result;
  };
}
