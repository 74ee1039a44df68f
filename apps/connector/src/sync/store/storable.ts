import { createHash } from 'node:crypto';
import type { SourceEvent, SourceRef } from '@lectern/connectors';

/** Maximum UTF-8 bytes of an item's id. PostgreSQL limits the size of index entries. */
const MAX_ID_BYTES = 2_500;
/** Maximum characters of a displayed field. */
const MAX_SHOWN = 10_000;

/** Removes what PostgreSQL cannot store: NUL and half of a surrogate pair. */
export const clean = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
const shown = (text: string): string => clean(text.slice(0, MAX_SHOWN));

const isId = (id: string): boolean => clean(id) === id && Buffer.byteLength(id) <= MAX_ID_BYTES;

function storableRef({ sizeBytes, ...ref }: SourceRef): SourceRef {
  const isSize = sizeBytes !== undefined && Number.isSafeInteger(sizeBytes) && sizeBytes >= 0;
  const { version, url, author, mimeType, updatedAt } = ref;
  return {
    ...ref,
    path: shown(ref.path),
    title: shown(ref.title),
    ...(version === undefined ? {} : { version: clean(version) }),
    ...(url === undefined ? {} : { url: shown(url) }),
    ...(author === undefined ? {} : { author: shown(author) }),
    ...(mimeType === undefined ? {} : { mimeType: shown(mimeType) }),
    ...(updatedAt === undefined ? {} : { updatedAt: shown(updatedAt) }),
    ...(isSize ? { sizeBytes } : {}),
  };
}

/**
 * Returns a storable id for an item whose own id is not storable. The same id gives the same
 * result.
 */
const replacementId = (id: string): string =>
  `unreadable:${createHash('sha256').update(id).digest('hex').slice(0, 16)}`;

/**
 * Returns false if a checkpoint cannot be stored. The listing continues; a restart begins further
 * back.
 */
export const isStorableCheckpoint = (at: string): boolean => clean(at) === at;

/**
 * Converts an event to a form that the database can store, so that one bad entry does not fail the
 * job. An item whose id cannot be stored becomes a failed item; it was never in the index.
 */
export function storable<T extends SourceEvent>(event: T): T | Extract<SourceEvent, { type: 'failed' }> {
  if (event.type === 'checkpoint' || event.type === 'complete') return event;
  const id = event.type === 'item' ? event.ref.id : event.id;
  if (!isId(id)) {
    const path = shown(event.type === 'item' ? event.ref.path : id);
    const message = `The id of the item is not valid Unicode text of at most ${MAX_ID_BYTES} bytes. Rename it in the source.`;
    return { type: 'failed', id: replacementId(id), path, error: { code: 'invalid', message } };
  }
  if (event.type === 'item') return { ...event, ref: storableRef(event.ref) };
  if (event.type === 'gone') return event;
  const { code, message } = event.error;
  return { ...event, path: shown(event.path), error: { code, message: shown(message) } };
}
