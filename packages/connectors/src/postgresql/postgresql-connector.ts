import { z } from 'zod';
import { runChecks } from '#checks/run-checks';
import type { Connector, ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { quickRetry } from '#http/quick-retry';
import { databaseError } from '#postgresql/database-error';
import { listRows } from '#postgresql/list-rows';
import {
  type DatabaseAddress,
  type DatabaseClient,
  type DatabaseCredentials,
  openDatabase,
} from '#postgresql/open-database';
import { createDatabaseQueries } from '#postgresql/query/database-queries';
import { roleWarnings } from '#postgresql/query/role-warnings';
import { type Relation, readRelations } from '#postgresql/relations';
import { renderRow } from '#postgresql/render-row';
import { RowFacts, refOfRow, titleOf } from '#postgresql/row-facts';
import { nameOfRelation, parseRowName, type RowName, rowId } from '#postgresql/row-id';
import { findQuery, readQuery } from '#postgresql/row-queries';
import { createSessions } from '#postgresql/sessions';
import type { SourceContent, SourceEvent, SourceRef } from '#source';
import { SourceError } from '#source-error';

const STATEMENT_TIMEOUT_MS = 300_000;
/** The maximum number of characters of a key in a document's metadata. */
const MAX_KEY_SHOWN = 1_000;

const RowContent = RowFacts.extend({ values: z.array(z.string().nullable()) });

export interface PostgresqlConfig extends DatabaseAddress {
  readonly schema: string;
}

// The key is not a valid value of its column's type (number, date, UUID), so no row has it.
const INVALID_VALUE = /^22(P02|003|007|008|P03)$/;
const isInvalidValue = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && INVALID_VALUE.test(error.code);

/**
 * Returns the relation of a row name; undefined if it does not exist. Throws `forbidden` without
 * permission to read it.
 */
async function relationOf(client: DatabaseClient, schema: string, name: RowName): Promise<Relation | undefined> {
  if (name.schema !== schema) return undefined;
  const relation = (await readRelations(client, schema)).find((candidate) => candidate.name === name.table);
  if (relation?.readable === false) {
    throw new SourceError(
      'forbidden',
      `The user has no permission to read ${nameOfRelation(relation)}. Grant SELECT on it.`,
    );
  }
  const fits =
    relation !== undefined && (name.digest !== undefined || Math.max(relation.key.length, 1) === name.key.length);
  return fits ? relation : undefined;
}

/** Returns the row with this id. */
async function readOne<T>(
  client: DatabaseClient,
  query: (by: 'key' | 'digest') => string,
  { key, digest }: RowName,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  try {
    const byKey = digest === undefined;
    const { rows } = await client.query(query(byKey ? 'key' : 'digest'), byKey ? [...key] : [digest]);
    return rows[0] === undefined ? undefined : schema.parse(rows[0]);
  } catch (error) {
    if (isInvalidValue(error)) return undefined;
    throw error;
  }
}

/** Opens the rows of a schema's tables and views. Items are rows with the id `schema.table.key`. */
export function openPostgresql(
  config: PostgresqlConfig,
  credentials: DatabaseCredentials,
  host: Pick<ConnectorHost, 'egress'>,
): Connector {
  const open = (signal: AbortSignal) =>
    openDatabase(config, credentials, { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, host.egress);
  const sessions = createSessions(open);
  const use = <T>(call: ConnectorCall, read: (client: DatabaseClient) => Promise<T>): Promise<T> =>
    quickRetry(call.signal, () => sessions.use(call.signal, read));

  const idOf = (name: string): string => {
    const parsed = parseRowName(name, config.schema);
    return parsed === undefined ? name : rowId(parsed);
  };

  const find = (call: ConnectorCall, id: string): Promise<SourceRef | null> => {
    const name = parseRowName(id, config.schema);
    if (name === undefined) return Promise.resolve(null);
    return use(call, async (client) => {
      const relation = await relationOf(client, config.schema, name);
      const facts = relation && (await readOne(client, (by) => findQuery(relation, by), name, RowFacts));
      return relation === undefined || facts === undefined ? null : refOfRow(relation, facts);
    });
  };

  const read = (call: ConnectorCall, ref: SourceRef): Promise<SourceContent> =>
    use(call, async (client) => {
      const name = parseRowName(ref.id, config.schema);
      const relation = name && (await relationOf(client, config.schema, name));
      const row = relation && (await readOne(client, (by) => readQuery(relation, by), name, RowContent));
      if (name === undefined || row === undefined || relation === undefined) {
        throw new SourceError('gone', `The row ${ref.path} no longer exists.`);
      }
      const { key } = row;
      const text = renderRow(titleOf({ ...name, key }, row.title), relation.columns, row.values);
      return {
        body: (async function* () {
          yield Buffer.from(text);
        })(),
        version: row.version,
        fileName: `${name.table}-${key.join('-')}`
          .replace(/[^\p{L}\p{N}._-]+/gu, '_')
          .slice(0, 120)
          .concat('.md'),
        metadata: { schema: name.schema, table: name.table, key: key.join(',').slice(0, MAX_KEY_SHOWN) },
      };
    });

  async function* list(call: ConnectorCall, from?: string): AsyncGenerator<SourceEvent, void, void> {
    const session = await quickRetry(call.signal, () => sessions.take(call.signal));
    try {
      yield* listRows(session.client, config.schema, from);
    } catch (error) {
      call.signal.throwIfAborted();
      throw databaseError(error);
    } finally {
      session.end();
    }
  }

  return {
    test: (call) =>
      runChecks([
        ['connection', () => use(call, async () => `Connected to the database ${config.database}.`)],
        [
          'tables',
          () =>
            use(call, async (client) => {
              const relations = await readRelations(client, config.schema);
              const readable = relations.filter((relation) => relation.readable);
              if (relations.length > 0 && readable.length === 0) {
                throw new SourceError(
                  'forbidden',
                  `The user has no permission to read any table of ${config.schema}. Grant SELECT on them.`,
                );
              }
              const warnings = await roleWarnings(client, config.schema);
              const advice = warnings.length === 0 ? '' : ` ${warnings.join(' ')} A read-only role is safer.`;
              return `${readable.length} of ${relations.length} tables and views of ${config.schema} can be read.${advice}`;
            }),
        ],
      ]),
    list,
    idOf,
    resolve: find,
    fetch: read,
    database: createDatabaseQueries(config.schema, (signal) => sessions.take(signal)),
    close: () => sessions.close(),
  };
}
