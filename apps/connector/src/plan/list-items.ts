import type { Connector, ConnectorCall, SourceEvent } from '@lectern/connectors';
import type { HeldPlan } from './claim-plan.ts';

/** True where the job is over everything that the source has. */
export const isFullScan = (plan: Pick<HeldPlan, 'mode' | 'fileFilter'>): boolean =>
  plan.mode === 'full' || (plan.mode === 'auto' && plan.fileFilter.length === 0);

/** The named items, one by one; the checkpoint is their number. */
async function* listFiltered(
  source: Connector,
  call: ConnectorCall,
  plan: HeldPlan,
): AsyncGenerator<SourceEvent, void, void> {
  const begin = plan.checkpoint === null ? 0 : Number(plan.checkpoint);
  for (const [at, id] of [...plan.fileFilter.entries()].slice(begin)) {
    const ref = await source.resolve(call, id);
    if (ref === null) yield { type: 'gone', id };
    else yield { type: 'item', ref };
    if ((at + 1) % 100 === 0) yield { type: 'checkpoint', at: String(at + 1) };
  }
  yield { type: 'complete', authoritative: false };
}

/** What a job is to look at: everything, or what its filter names. */
export function listItems(
  source: Connector,
  call: ConnectorCall,
  plan: HeldPlan,
): AsyncGenerator<SourceEvent, void, void> {
  return isFullScan(plan) ? source.list(call, plan.checkpoint ?? undefined) : listFiltered(source, call, plan);
}
