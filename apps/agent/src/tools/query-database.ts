import type { QueryDatabaseResponse_Row as Row } from '@lectern/contracts';
import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { chooseDatabase } from '#tools/choose-database';
import { defineTool } from '#tools/tool';

/** The maximum length of a shown value. */
const MAX_VALUE = 500;

const cell = (text: string | undefined): string => {
  if (text === undefined) return 'NULL';
  const shown = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
  return shown.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
};
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const lineOf = ({ values }: Row): string => line(values.map(({ text }) => cell(text)));

/** Executes one SELECT. */
export const queryDatabase = defineTool({
  name: 'query_database',
  description:
    'Executes one SELECT in PostgreSQL SQL on a connected database and returns the rows as a table. The connection is read-only. Request few columns and rows, and aggregate in SQL.',
  input: z.strictObject({
    sql: z.string().min(1).max(10_000).describe('One SELECT statement'),
    database: z.string().max(200).optional().describe('Name or id of the database, if there are several'),
  }),
  run: async (ctx, call, { sql, database }) => {
    const { connectorId } = await chooseDatabase(ctx, call, database);
    const { columns, rows, truncated } = await ctx.databases.queryDatabase({ connectorId, sql }, onBehalfOf(call));
    const table = [line(columns), line(columns.map(() => '---')), ...rows.map(lineOf)].join('\n');
    const note = truncated ? `\n\nThere are more rows; the first ${rows.length} are shown.` : '';
    return { content: `${table}${note}`, isError: false, summary: { count: rows.length, truncated } };
  },
});
