import type { Run as RunMessage } from '@lectern/contracts';
import { withheldText } from '@lectern/grounding';
import { onBehalfOf, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Run, RunStep } from '#gen/prisma/client';
import { toRun } from '#runs/to-run';

/** The maximum number of documents in one `filterReadable` request. */
const MAX_IDS = 10_000;

interface StoredRun {
  readonly run: Run;
  readonly steps?: readonly RunStep[];
}

/**
 * Converts runs to their contract form. Thoughts, parameters and answers can contain text from any
 * document that a run read. A caller who can no longer read one of these documents sees only that
 * the run was executed and what it was about.
 */
export async function toReadableRuns(
  { db, documents }: Pick<Context, 'db' | 'documents'>,
  call: ServiceCall,
  stored: readonly StoredRun[],
): Promise<RunMessage[]> {
  const runs = stored.map(({ run }) => run);
  const readable = new Set(await onlyReadable({ documents }, call, runs));
  const waiting = await db.approval.groupBy({
    by: ['runId'],
    where: { runId: { in: runs.map(({ id }) => id) }, status: 'pending', expiresAt: { gt: new Date() } },
    _count: true,
  });
  const pending = new Map(waiting.map(({ runId, _count }) => [runId, _count]));
  return stored.map(({ run, steps }) => {
    const converted = { ...toRun(run, steps), pendingApprovals: pending.get(run.id) ?? 0 };
    if (readable.has(run)) return converted;
    const content = withheldText(run.content || run.message);
    return { ...converted, content, memories: [], steps: [], error: undefined, withheld: true };
  });
}

/** Returns the runs of which a caller can read all documents. */
export async function onlyReadable<R extends Pick<Run, 'documents'>>(
  { documents }: Pick<Context, 'documents'>,
  call: ServiceCall,
  runs: readonly R[],
): Promise<R[]> {
  const ids = [...new Set(runs.flatMap((run) => run.documents))];
  const readable = new Set<string>();
  for (let from = 0; from < ids.length; from += MAX_IDS) {
    const request = { ids: ids.slice(from, from + MAX_IDS) };
    for (const id of (await documents.filterReadable(request, onBehalfOf(call))).ids) readable.add(id);
  }
  return runs.filter((run) => run.documents.every((id) => readable.has(id)));
}

/** Returns whether a caller can read all documents of a run. */
export const isReadable = async (
  context: Pick<Context, 'documents'>,
  call: ServiceCall,
  run: Pick<Run, 'documents'>,
): Promise<boolean> => (await onlyReadable(context, call, [run])).length === 1;

/** Converts one run in the same way. */
export async function toReadableRun(
  context: Pick<Context, 'db' | 'documents'>,
  call: ServiceCall,
  stored: StoredRun,
): Promise<RunMessage> {
  const [converted] = await toReadableRuns(context, call, [stored]);
  if (converted === undefined) throw new TypeError('The run was not converted');
  return converted;
}
