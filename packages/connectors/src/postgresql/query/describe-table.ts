import { z } from 'zod';
import type { DatabaseClient } from '#postgresql/open-database';

const TableColumn = z.object({
  name: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  comment: z.string().nullable(),
});

const TableInfo = z.object({
  name: z.string(),
  /** `table`, `view`, `materialized view` or `foreign table`. */
  kind: z.string(),
  comment: z.string().nullable(),
  /** The planner's estimate; −1 before the first ANALYZE. */
  estimatedRows: z.coerce.number(),
  columns: z.array(TableColumn),
  primaryKey: z.array(z.string()),
  /** For example `FOREIGN KEY (team_id) REFERENCES teams(id)`. */
  foreignKeys: z.array(z.string()),
});

/** The description of a table for writing queries. */
export type TableInfo = z.infer<typeof TableInfo>;

const TABLES = `
  SELECT c.relname AS name,
    CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' ELSE 'table' END AS kind,
    obj_description(c.oid, 'pg_class') AS comment, c.reltuples::bigint AS "estimatedRows",
    (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'nullable', NOT a.attnotnull, 'comment', col_description(c.oid, a.attnum)) ORDER BY a.attnum), '[]')
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND has_column_privilege(c.oid, a.attnum, 'SELECT')) AS columns,
    coalesce((SELECT json_agg(a.attname ORDER BY k.at) FROM pg_constraint p, unnest(p.conkey) WITH ORDINALITY k(attnum, at)
      JOIN pg_attribute a ON a.attnum = k.attnum WHERE p.conrelid = c.oid AND a.attrelid = c.oid AND p.contype = 'p'), '[]') AS "primaryKey",
    coalesce((SELECT json_agg(pg_get_constraintdef(f.oid) ORDER BY f.conname) FROM pg_constraint f
      WHERE f.conrelid = c.oid AND f.contype = 'f'), '[]') AS "foreignKeys"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND has_any_column_privilege(c.oid, 'SELECT')
    AND ($2::text IS NULL OR c.relname = $2)
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname COLLATE "C" LIMIT $3`;

/** Returns the readable tables and views of a schema by name, or only `table`. */
export async function describeTables(
  client: DatabaseClient,
  { schema, table, limit }: { readonly schema: string; readonly table?: string | undefined; readonly limit: number },
): Promise<readonly TableInfo[]> {
  const { rows } = await client.query(TABLES, [schema, table ?? null, limit]);
  return z.array(TableInfo).parse(rows);
}
