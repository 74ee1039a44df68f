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
  { documents }: Pick<Context, 'documents'>,
  call: ServiceCall,
  stored: readonly StoredRun[],
): Promise<RunMessage[]> {
  const ids = [...new Set(stored.flatMap(({ run }) => run.documents))];
  const readable = new Set<string>();
  for (let from = 0; from < ids.length; from += MAX_IDS) {
    const request = { ids: ids.slice(from, from + MAX_IDS) };
    for (const id of (await documents.filterReadable(request, onBehalfOf(call))).ids) readable.add(id);
  }
  return stored.map(({ run, steps }) => {
    const converted = toRun(run, steps);
    if (run.documents.every((id) => readable.has(id))) return converted;
    const content = withheldText(run.content || run.message);
    return { ...converted, content, memories: [], steps: [], error: undefined, withheld: true };
  });
}

/** Converts one run in the same way. */
export async function toReadableRun(
  context: Pick<Context, 'documents'>,
  call: ServiceCall,
  stored: StoredRun,
): Promise<RunMessage> {
  const [converted] = await toReadableRuns(context, call, [stored]);
  if (converted === undefined) throw new TypeError('The run was not converted');
  return converted;
}
