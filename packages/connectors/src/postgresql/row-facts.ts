import { z } from 'zod';
import type { Relation } from '#postgresql/relations';
import { type RowName, rowId, rowPath } from '#postgresql/row-id';
import type { SourceRef } from '#source';

/** A row of `listQuery` and `findQuery`. */
export const RowFacts = z.object({
  version: z.string(),
  size: z.number(),
  key: z.array(z.string()),
  title: z.string().nullable(),
  author: z.string().nullable(),
  updated: z.string().nullable(),
});
export type RowFacts = z.infer<typeof RowFacts>;

function toIso(text: string | null): string | undefined {
  // The session uses UTC, so a time without a zone is in UTC.
  const time = Date.parse(text === null || /[+-]\d\d(:?\d\d)?$|^\S+$/.test(text) ? (text ?? '') : `${text}Z`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Returns the title of a row: its title column, else its table and key. */
export function titleOf(name: RowName, title: string | null): string {
  const line = title?.replace(/\s+/g, ' ').trim() ?? '';
  return (line === '' ? `${name.table} ${name.key.join(', ')}` : line).slice(0, 200).trim();
}

/** Converts a row to an item. It has no URL. */
export function refOfRow(relation: Relation, facts: RowFacts): SourceRef {
  const name: RowName = { schema: relation.schema, table: relation.name, key: facts.key };
  const updatedAt = toIso(facts.updated);
  return {
    id: rowId(name),
    path: rowPath(name),
    version: facts.version,
    title: titleOf(name, facts.title),
    ...(facts.author === null ? {} : { author: facts.author }),
    sizeBytes: facts.size,
    mimeType: 'text/markdown',
    ...(updatedAt === undefined ? {} : { updatedAt }),
  };
}
