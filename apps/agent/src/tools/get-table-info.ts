import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { chooseDatabase } from '#tools/choose-database';
import { defineTool, toolError } from '#tools/tool';

/** Describes one table. */
export const getTableInfo = defineTool({
  name: 'get_table_info',
  description:
    'Describes one table of a database: columns with types and comments, primary key, foreign keys, estimated number of rows.',
  input: z.strictObject({
    table: z.string().min(1).max(255).describe('The name of the table, without its schema'),
    database: z.string().max(200).optional().describe('Name or id of the database, if there are several'),
  }),
  run: async (ctx, call, { table, database }) => {
    const { connectorId } = await chooseDatabase(ctx, call, database);
    const { tables } = await ctx.databases.describeTables({ connectorId, table }, onBehalfOf(call));
    const [found] = tables;
    if (found === undefined) return toolError(`The table ${table} does not exist.`);
    const { name, kind, comment, columns, primaryKey, foreignKeys, estimatedRows } = found;
    const lines = columns.map(
      (column) =>
        `- ${column.name}: ${column.type}${column.nullable ? '' : ', not null'}${column.comment === undefined ? '' : ` — ${column.comment}`}`,
    );
    const content = [
      `${name} (${kind})${comment === undefined ? '' : ` — ${comment}`}`,
      ...lines,
      primaryKey.length === 0 ? 'No primary key' : `Primary key: ${primaryKey.join(', ')}`,
      ...foreignKeys,
      ...(estimatedRows < 0 ? [] : [`About ${estimatedRows} rows`]),
    ].join('\n');
    return { content, isError: false, summary: { columns: columns.length } };
  },
});
