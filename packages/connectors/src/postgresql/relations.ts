import { z } from 'zod';
import type { DatabaseClient } from '#postgresql/open-database';
import { SourceError } from '#source-error';

const Column = z.object({
  name: z.string(),
  /** The type as written in a cast. */
  type: z.string(),
});
export type Column = z.infer<typeof Column>;

const Relation = z.object({
  schema: z.string(),
  name: z.string(),
  readable: z.boolean(),
  columns: z.array(Column),
  /** Columns of the primary key, or of another unique key without nulls; empty if there is none. */
  key: z.array(z.string()),
});
/** A table, view or foreign table. */
export type Relation = z.infer<typeof Relation>;

// Index columns after the first `indnkeyatts` are only included (INCLUDE). Tables of an extension
// are not the owner's data, and partitions are read through their parent table.
const RELATIONS = `
  SELECT n.nspname AS schema, c.relname AS name, has_table_privilege(c.oid, 'SELECT') AS readable,
    (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum), '[]')
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    coalesce((SELECT json_agg(a.attname ORDER BY k.at)
      FROM (SELECT i.indkey, i.indnkeyatts FROM pg_index i
        WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL AND i.indexprs IS NULL
          AND (i.indisprimary OR NOT EXISTS (SELECT FROM unnest(i.indkey) WITH ORDINALITY k(attnum, at)
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum WHERE k.at <= i.indnkeyatts AND NOT a.attnotnull))
        ORDER BY i.indisprimary DESC, i.indnkeyatts, i.indexrelid LIMIT 1) best,
        unnest(best.indkey) WITH ORDINALITY k(attnum, at)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum WHERE k.at <= best.indnkeyatts), '[]') AS key
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname COLLATE "C"`;

/** Returns the relations of a schema, by name. Throws `invalid` if the schema does not exist. */
export async function readRelations(client: DatabaseClient, schema: string): Promise<readonly Relation[]> {
  const found = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
  if (found.rowCount === 0)
    throw new SourceError('invalid', `The schema ${schema} does not exist in the database. Check config.schema.`);
  const { rows } = await client.query(RELATIONS, [schema]);
  return z.array(Relation).parse(rows);
}
