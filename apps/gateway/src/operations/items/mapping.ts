import { items } from '@lectern/api-spec';
import {
  type DeleteItemResponse,
  type ItemChange,
  type PushedItem,
  type PushItemsResponse,
  type Snapshot,
  SnapshotStatus,
} from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import type { BodyOf } from '#http/body/reader';
import { enumText, time } from '#operations/convert';

type Batch = BodyOf<(typeof items.pushItems)['body']>;

/** The name of a text, which only helps to detect its type. */
const TEXT_NAMES = { 'text/markdown': 'item.md', 'text/plain': 'item.txt', 'text/html': 'item.html' } as const;

function contentOf(item: Extract<items.ItemChange, { action: 'put' | 'put_file' }>) {
  if (item.action === 'put_file') {
    return { content: Buffer.from(item.file.data, 'base64'), fileName: item.file.name, mimeType: undefined };
  }
  const { mimeType } = item;
  return { content: Buffer.from(item.content), fileName: TEXT_NAMES[mimeType], mimeType };
}

function changeOf(item: items.ItemChange): ItemChange['change'] {
  switch (item.action) {
    case 'put':
    case 'put_file': {
      const { title, url, author, updatedAt, metadata, principals } = item;
      const readers = principals && { values: principals };
      const value = { title, url, author, updatedAt, metadata, principals: readers, ...contentOf(item) };
      return { $case: 'put', value };
    }
    case 'permissions':
      return { $case: 'permissions', value: { values: item.principals } };
    case 'delete':
      return { $case: 'delete', value: {} };
  }
}

/** The id of an invalid item, if that is valid. */
function idOfInvalid(sent: unknown): string | undefined {
  const { data: id } = items.itemId.safeParse(Object(sent).id);
  return id?.isWellFormed() === true ? id : undefined;
}

/** The parts of a push for the connector service. */
export function pushRequest(batch: Batch) {
  const invalid = batch.flatMap((item) => (item.error === undefined ? [] : [idOfInvalid(item.sent)]));
  return {
    changes: batch.flatMap(({ error, ...item }) =>
      error === undefined && 'value' in item
        ? [{ id: item.value.id, revision: item.value.revision, change: changeOf(item.value) }]
        : [],
    ),
    invalidIds: invalid.filter((id) => id !== undefined),
    hasInvalidId: invalid.includes(undefined),
  };
}

/** The results of a push. The connector service returned those of the valid changes. */
export function pushResults(batch: Batch, { results: stored, jobId }: PushItemsResponse) {
  const returned = stored.values();
  const results = batch.map((item) => {
    if (item.error !== undefined) {
      return { status: 'failed' as const, id: idOfInvalid(item.sent) ?? null, revision: null, error: item.error };
    }
    const result = returned.next().value;
    if (result === undefined) throw new AppError('internal_error', 'The connector service returned too few results.');
    const status = result.accepted ? ('accepted' as const) : ('ignored' as const);
    return { status, id: item.value.id, revision: result.revision, error: null };
  });
  const count = (status: string) => results.filter((result) => result.status === status).length;
  return {
    accepted: count('accepted'),
    ignored: count('ignored'),
    failed: count('failed'),
    jobId: jobId ?? null,
    results,
  };
}

/** A pushed item. */
export function pushedItem(item: PushedItem) {
  return {
    id: item.id,
    revision: item.revision,
    title: item.title,
    status: item.status,
    error: item.error === undefined ? null : { code: item.error.code, message: item.error.message },
    documentId: item.documentId ?? null,
    url: item.url ?? null,
    author: item.author ?? null,
    mimeType: item.mimeType ?? null,
    size: item.sizeBytes,
    metadata: item.metadata ?? {},
    principals: item.principals?.values ?? null,
    sourceUpdatedAt: time(item.sourceUpdatedAt),
    updatedAt: time(item.updatedAt),
  };
}

/** The result of a deletion. */
export function itemDeletion(id: string, { deleted, jobId }: DeleteItemResponse) {
  return { id, deleted, jobId: jobId ?? null };
}

/** A snapshot. */
export function snapshotRecord(snapshot: Snapshot) {
  return {
    id: snapshot.id,
    connector: snapshot.connectorId,
    status: enumText(SnapshotStatus, snapshot.status),
    named: snapshot.named,
    missing: snapshot.missing,
    jobId: snapshot.jobId ?? null,
    createdAt: time(snapshot.createdAt),
    expiresAt: time(snapshot.expiresAt),
  };
}
