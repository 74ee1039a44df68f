import type { DescribeTablesResponse_Table as Table } from '@lectern/contracts';
import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { listDatabases } from '#tools/choose-database';
import { defineTool } from '#tools/tool';

const MAX_TABLES = 40;

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);

/**
 * Scores how well a table matches some words: its name counts more than a column, a column more
 * than a comment.
 */
function fit({ name, comment, columns }: Table, words: readonly string[]): number {
  const within = (text: string | undefined, word: string): boolean =>
    text !== undefined && (text.toLowerCase().includes(word) || text.toLowerCase().includes(word.replace(/s$/, '')));
  return words.reduce((total, word) => {
    const column = columns.some((one) => within(one.name, word)) ? 2 : 0;
    const remark = [comment, ...columns.map((one) => one.comment)].some((text) => within(text, word)) ? 1 : 0;
    return total + (within(name, word) ? 4 : 0) + column + remark;
  }, 0);
}

const render = ({ name, kind, comment, columns }: Table): string =>
  `- ${name} (${kind}): ${columns.map((column) => `${column.name} ${column.type}`).join(', ')}${comment === undefined ? '' : ` — ${comment}`}`;

/** Lists the tables of the databases that an agent can query. */
export const searchDatabaseSchema = defineTool({
  name: 'search_database_schema',
  description: 'Lists the databases you can query and their tables with columns, best matches first.',
  input: z.strictObject({
    query: z.string().max(500).optional().describe('Words that describe the tables. The default is all tables'),
  }),
  run: async (ctx, call, { query = '' }) => {
    const databases = await listDatabases(ctx, call);
    if (databases.length === 0) {
      return {
        content: 'No database is connected to the collections of this agent.',
        isError: false,
        summary: { count: 0 },
      };
    }
    const words = wordsOf(query);
    let count = 0;
    const parts = await Promise.all(
      databases.map(async ({ connectorId, name, database, schema }) => {
        const { tables } = await ctx.databases.describeTables({ connectorId }, onBehalfOf(call));
        const ranked = tables.map((table) => ({ table, score: fit(table, words) })).sort((a, b) => b.score - a.score);
        const shown = ranked.slice(0, MAX_TABLES).map(({ table }) => render(table));
        count += shown.length;
        const more = tables.length > shown.length ? `\n(${tables.length - shown.length} more tables)` : '';
        return `## ${name}\nid: ${connectorId}, PostgreSQL database ${database}, schema ${schema}\n${shown.join('\n')}${more}`;
      }),
    );
    return { content: parts.join('\n\n'), isError: false, summary: { count } };
  },
});
