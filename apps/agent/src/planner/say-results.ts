import type { QuestionParts } from '#planner/read-question';
import type { DoneCall } from '#planner/read-rounds';

/** What tools found, and what is left for the documents to answer. */
export interface SaidResults {
  /** A paragraph each. */
  readonly paragraphs: readonly string[];
  /** True where the documents are to speak as well. */
  readonly askDocuments: boolean;
}

/** Puts into words what came back from everything but the documents. */
export function sayResults(parts: QuestionParts, done: readonly DoneCall[]): SaidResults {
  const paragraphs = done.flatMap((call) => SAYINGS[call.tool]?.(call) ?? []);
  const hasRows = done.some(({ tool, isError }) => tool === 'query_database' && !isError);
  const hasSummary = done.some(({ tool, isError }) => tool === 'summarize_document' && !isError);
  const asksMore = parts.rest !== '' && !hasRows && !hasSummary;
  return { paragraphs, askDocuments: asksMore || paragraphs.length === 0 };
}

const SAYINGS: Readonly<Record<string, (call: DoneCall) => readonly string[]>> = {
  calculate: ({ content, isError }) => [isError ? `I could not calculate that: ${content}` : `${content}.`],
  get_datetime: ({ content, isError }) => [isError ? content : content.replace(/ ISO 8601: .*$/, '')],
  query_database: (call) => (call.isError ? [`The database could not answer: ${call.content}`] : sayRows(call)),
  summarize_document: ({ content, isError }) => (isError ? [] : [sayUnderTitle(content)]),
};

/** One figure in a line, rows as a table, and the query that gave them. */
function sayRows({ content, params }: DoneCall): readonly string[] {
  const query = `Query: \`${String(params.sql).replaceAll('`', "'")}\``;
  const [head = '', , ...rows] = content.split('\n');
  const columns = cellsOf(head);
  const [only, ...others] = rows.filter((row) => row.startsWith('|'));
  if (only === undefined) return ['The database has no rows for that.', query];
  const [name = ''] = columns;
  if (others.length === 0 && columns.length === 1)
    return [`${name.replaceAll('_', ' ')}: ${cellsOf(only)[0] ?? ''}`, query];
  return [content, query];
}

const cellsOf = (row: string): readonly string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** "# Title\nid: …\n\ntext" without the id. */
const sayUnderTitle = (content: string): string => content.replace(/^# (.*)\n(?:id: .*\n)?\n*/, '**$1**\n\n');
