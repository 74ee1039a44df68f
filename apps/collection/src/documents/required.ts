import { type Caller, requiredFilter } from '@lectern/service-kit';
import { matchesFilter } from '@lectern/vector-store';
import { metadataOf } from '#documents/metadata';
import type { Document } from '#gen/prisma/client';

/** The columns that filters compare. */
export const FILTERED_COLUMNS = {
  id: true,
  title: true,
  source: true,
  connectorId: true,
  collectionId: true,
  type: true,
  metadata: true,
  createdAt: true,
  updatedAt: true,
} as const;

type FilteredRow = Pick<Document, keyof typeof FILTERED_COLUMNS>;

/**
 * Returns the function that checks documents against the filters of a user token; undefined without
 * filters. It reads the current row, so a change of metadata takes effect immediately.
 */
export function requirementOf(caller: Caller): ((row: FilteredRow) => boolean) | undefined {
  const filter = requiredFilter(caller);
  if (filter === undefined) return undefined;
  return ({ connectorId, collectionId, createdAt, updatedAt, ...row }) =>
    matchesFilter(filter, {
      title: row.title,
      source: row.source,
      type: row.type,
      connector: connectorId ?? undefined,
      collection: collectionId,
      metadata: metadataOf(row),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    });
}
