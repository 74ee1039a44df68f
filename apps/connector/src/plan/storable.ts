import { createHash } from 'node:crypto';
import type { SourceEvent, SourceRef } from '@lectern/connectors';

/** UTF-8 bytes of an item's id: ids are indexed, and PostgreSQL bounds the entries of an index. */
const MAX_ID_BYTES = 2_500;
/** Characters of what is shown of an item. */
const MAX_SHOWN = 10_000;

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const clean = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();
const shown = (text: string): string => clean(text.slice(0, MAX_SHOWN));

const isId = (id: string): boolean => clean(id) === id && Buffer.byteLength(id) <= MAX_ID_BYTES;

function refOf({ sizeBytes, ...ref }: SourceRef): SourceRef {
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

/** A name that can be stored for an item whose id cannot; the same each time. */
const standIn = (id: string): string => `unreadable:${createHash('sha256').update(id).digest('hex').slice(0, 16)}`;

/** False for a place that cannot be kept. The listing goes on; only a restart begins further back. */
export const isPlace = (at: string): boolean => clean(at) === at;

/**
 * The same event in a form that the database can store, so that one entry with such a value does not end the job. An item whose id cannot be
 * stored fails by itself; it was never in the index, so nothing else is affected.
 */
export function storable<T extends SourceEvent>(event: T): T | Extract<SourceEvent, { type: 'failed' }> {
  if (event.type === 'checkpoint' || event.type === 'complete') return event;
  const id = event.type === 'item' ? event.ref.id : event.id;
  if (!isId(id)) {
    const path = shown(event.type === 'item' ? event.ref.path : id);
    const message = `The id of the item is not valid Unicode text of at most ${MAX_ID_BYTES} bytes. Rename it in the source.`;
    return { type: 'failed', id: standIn(id), path, error: { code: 'invalid', message } };
  }
  if (event.type === 'item') return { ...event, ref: refOf(event.ref) };
  if (event.type === 'gone') return event;
  const { code, message } = event.error;
  return { ...event, path: shown(event.path), error: { code, message: shown(message) } };
}
