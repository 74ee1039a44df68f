import { z } from 'zod';
import { databaseError, isStatementError } from '#postgresql/database-error';
import type { DatabaseClient } from '#postgresql/open-database';
import { type Relation, readRelations } from '#postgresql/relations';
import { RowFacts, refOfRow } from '#postgresql/row-facts';
import { nameOfRelation } from '#postgresql/row-id';
import { listQuery } from '#postgresql/row-queries';
import type { SourceEvent } from '#source';

const PAGE = 500;

/** The position of a listing: the table and its last listed row. */
const Checkpoint = z.object({
  table: z.string(),
  after: z.array(z.string()).optional(),
  /** True if an earlier table could not be read. */
  partial: z.boolean(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

/** Lists the rows of one relation page by page, with a cursor in the open transaction. */
async function* listRelation(
  client: DatabaseClient,
  relation: Relation,
  partial: boolean,
  after: readonly string[] | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const query = listQuery(relation, after !== undefined);
  await client.query(`DECLARE rows NO SCROLL CURSOR FOR ${query}`, [...(after ?? [])]);
  for (;;) {
    const page = z.array(RowFacts).parse((await client.query(`FETCH ${PAGE} FROM rows`)).rows);
    for (const facts of page) yield { type: 'item', ref: refOfRow(relation, facts) };
    if (page.length < PAGE) break;
    // Without a key there is no stable order, so the table starts again.
    const last = relation.key.length === 0 ? undefined : page.at(-1)?.key;
    const at: Checkpoint = { table: relation.name, partial, ...(last === undefined ? {} : { after: last }) };
    yield { type: 'checkpoint', at: JSON.stringify(at) };
  }
  await client.query('CLOSE rows');
}

/**
 * Lists all rows of all tables and views of a schema in one snapshot; a resumed listing reads the
 * rest in a new one. An unreadable table does not affect the others, but then nothing is deleted.
 */
export async function* listRows(
  client: DatabaseClient,
  schema: string,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const start = from === undefined ? undefined : Checkpoint.parse(JSON.parse(from));
  let partial = start?.partial ?? false;
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const all = await readRelations(client, schema);
  const relations = all.filter(({ readable, name }) => readable && (start === undefined || name >= start.table));
  for (const relation of relations) {
    const after = relation.name === start?.table ? start.after : undefined;
    await client.query('SAVEPOINT one_table');
    try {
      yield* listRelation(client, relation, partial, after);
    } catch (error) {
      const failure = databaseError(error);
      if (!isStatementError(error)) throw failure;
      partial = true;
      await client.query('ROLLBACK TO SAVEPOINT one_table');
      const path = nameOfRelation(relation);
      yield { type: 'failed', id: path, path, error: { code: failure.kind, message: failure.message } };
    }
    await client.query('RELEASE SAVEPOINT one_table');
    const next = relations[relations.indexOf(relation) + 1];
    if (next !== undefined) yield { type: 'checkpoint', at: JSON.stringify({ table: next.name, partial }) };
  }
  await client.query('COMMIT');
  // A table without permission is not deleted, so each of its rows is checked.
  const hidden = all.some(({ readable }) => !readable);
  yield { type: 'complete', authoritative: !partial, ...(hidden ? { confirmGone: true } : {}) };
}
