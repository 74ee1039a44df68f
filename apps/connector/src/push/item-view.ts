import type { PushedItem as PushedItemMessage } from '@lectern/contracts';
import type { Context } from '#context';
import type { File, PushedItem } from '#gen/prisma/client';
import { stateOf } from '#push/item-rows';
import { revisionOf } from '#push/item-state';

// Pushed items as the API shows them.

interface ItemError {
  readonly code: string;
  readonly message: string;
}

/** Finds the last failure of each item. */
async function readErrors(
  ctx: Context,
  connectorId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ItemError>> {
  if (ids.length === 0) return new Map();
  const failed = await ctx.db.$queryRaw<
    { readonly sourceId: string; readonly errorCode: string | null; readonly errorMessage: string | null }[]
  >`
    SELECT DISTINCT ON (source_id) source_id AS "sourceId", error_code AS "errorCode", error_message AS "errorMessage"
    FROM sync_items
    WHERE connector_id = ${connectorId} AND source_id = ANY(${ids}) AND stage = 'failed'
    ORDER BY source_id, id DESC`;
  return new Map(
    failed.map((item) => [item.sourceId, { code: item.errorCode ?? '', message: item.errorMessage ?? '' }]),
  );
}

function toMessages(row: PushedItem, file: File | undefined, error: ItemError | undefined): PushedItemMessage[] {
  const state = stateOf(row);
  if (state.content === undefined) return [];
  const { title, url, author, mimeType, updatedAt, metadata, sizeBytes } = state.content.value;
  return [
    {
      ...{ id: row.itemId, revision: revisionOf(state), title, url, author, mimeType, metadata: { ...metadata } },
      sourceUpdatedAt: updatedAt === undefined ? undefined : new Date(updatedAt),
      principals: state.principals === undefined ? undefined : { values: [...state.principals.value] },
      sizeBytes,
      // A file that is being removed belongs to an earlier item with this id.
      status: file === undefined || file.removedAt !== null ? 'pending' : file.status,
      error: error === undefined ? undefined : { ...error, path: row.itemId },
      documentId: file?.removedAt === null ? (file.documentId ?? undefined) : undefined,
      updatedAt: row.updatedAt,
    },
  ];
}

/** Adds the state of their documents to items. */
export async function viewItems(
  ctx: Context,
  connectorId: string,
  rows: readonly PushedItem[],
): Promise<PushedItemMessage[]> {
  const ids = rows.map(({ itemId }) => itemId);
  const files = await ctx.db.file.findMany({ where: { connectorId, sourceId: { in: ids } } });
  const fileOf = new Map(files.map((file) => [file.sourceId, file]));
  const failed = files.filter(({ status }) => status === 'failed').map(({ sourceId }) => sourceId);
  const errors = await readErrors(ctx, connectorId, failed);
  return rows.flatMap((row) => toMessages(row, fileOf.get(row.itemId), errors.get(row.itemId)));
}
