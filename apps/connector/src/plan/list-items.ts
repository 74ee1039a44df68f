import type { Connector, ConnectorCall, SourceEvent } from '@lectern/connectors';
import { orAborted } from '../leases/hold-lease.ts';
import type { HeldPlan } from './claim-plan.ts';
import { isPlace, storable } from './storable.ts';
import type { ItemEvent } from './to-item.ts';
import { isUnreadable, unreadableError } from './unreadable.ts';

/** True where the job is over everything that the source has. */
export const isFullScan = (plan: Pick<HeldPlan, 'mode' | 'fileFilter'>): boolean =>
  plan.mode === 'full' || (plan.mode === 'auto' && plan.fileFilter.length === 0);

/** One name that the source refuses takes no other with it. */
export async function resolveOne(source: Connector, call: ConnectorCall, id: string): Promise<ItemEvent> {
  try {
    const ref = await source.resolve(call, id);
    return storable<ItemEvent>(ref === null ? { type: 'gone', id: source.idOf?.(id) ?? id } : { type: 'item', ref });
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return storable<ItemEvent>({ type: 'failed', id, path: id, error: unreadableError(error) });
  }
}

/** The named items, one by one; the checkpoint is their number. */
async function* listFiltered(
  source: Connector,
  call: ConnectorCall,
  plan: HeldPlan,
): AsyncGenerator<SourceEvent, void, void> {
  const begin = plan.checkpoint === null ? 0 : Number(plan.checkpoint);
  for (const [at, id] of [...plan.fileFilter.entries()].slice(begin)) {
    yield await resolveOne(source, call, id);
    if ((at + 1) % 100 === 0) yield { type: 'checkpoint', at: String(at + 1) };
  }
  yield { type: 'complete', authoritative: false };
}

function eventsOf(source: Connector, call: ConnectorCall, plan: HeldPlan): AsyncGenerator<SourceEvent, void, void> {
  if (!isFullScan(plan)) return listFiltered(source, call, plan);
  const from = plan.checkpoint ?? undefined;
  if (plan.changesFrom === null || source.changes === undefined) return source.list(call, from);
  return source.changes(call, from ?? plan.changesFrom);
}

/** What a job is to look at: everything, what has changed, or what its filter names. Ends as soon as the signal is aborted. */
export async function* listItems(
  source: Connector,
  call: ConnectorCall,
  plan: HeldPlan,
): AsyncGenerator<SourceEvent, void, void> {
  const events = eventsOf(source, call, plan);
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await orAborted(events.next(), call.signal);
      isOver = done === true;
      if (done === true) return;
      if (value.type !== 'checkpoint' || isPlace(value.at)) yield storable(value);
    }
  } finally {
    // Not waited for: a source that does not obey the signal would hold the worker.
    if (!isOver) void events.return().catch(() => undefined);
  }
}
