import type { SourceEvent, SourceRef } from '@lectern/connectors';
import { newId } from '@lectern/service-kit';
import type { ItemAction, ItemStage } from '#gen/prisma/client';
import type { HeldPlan } from './claim-plan.ts';
import { isFullScan } from './list-items.ts';

/** What a listing says of single items. */
export type ItemEvent = Extract<SourceEvent, { type: 'item' | 'gone' | 'failed' }>;

/** Versions by the items' ids; null where nothing of the item is in the index. */
export type Known = ReadonlyMap<string, string | null>;

/** An item's row as it is planned. */
export interface PlannedItem {
  readonly id: string;
  readonly source_id: string;
  readonly path: string;
  readonly action: ItemAction;
  readonly ref: SourceRef;
  readonly stage: ItemStage;
  readonly error_code: string | null;
  readonly error_message: string | null;
}

export const idOf = (event: ItemEvent): string => (event.type === 'item' ? event.ref.id : event.id);

const goneRef = (id: string): SourceRef => ({ id, path: id, title: id });

const NOT_FOUND = {
  stage: 'failed',
  error_code: 'not_found',
  error_message: 'The source has nothing under this name. Check the path in file_filter.',
} as const;

const NO_ERROR = { error_code: null, error_message: null } as const;

/** A row for what a listing says of an item; undefined where it is nothing to us: the end of what we never had. */
export function toItem(plan: HeldPlan, event: ItemEvent, known: Known): PlannedItem | undefined {
  const sourceId = idOf(event);
  const row = { id: newId('item'), source_id: sourceId };
  const index = { ...row, ...NO_ERROR, action: 'index' } as const;
  if (event.type === 'failed') {
    const { code: error_code, message: error_message } = event.error;
    return { ...index, path: event.path, ref: goneRef(sourceId), stage: 'failed', error_code, error_message };
  }
  if (event.type === 'gone') {
    const gone = { path: sourceId, ref: goneRef(sourceId) };
    if (known.has(sourceId)) return { ...index, ...gone, action: 'delete', stage: 'planned' };
    // A name in a filter that neither the source nor Lectern knows is a slip rather than a deletion.
    return isFullScan(plan) ? undefined : { ...index, ...gone, ...NOT_FOUND };
  }
  const { ref } = event;
  // The idempotency check holds in auto mode alone: the others were asked to do it again.
  const unchanged = plan.mode === 'auto' && ref.version !== undefined && known.get(ref.id) === ref.version;
  return { ...index, path: ref.path, ref, stage: unchanged ? 'skipped' : 'planned' };
}
