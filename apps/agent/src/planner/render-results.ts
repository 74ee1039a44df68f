import type { QuestionParts } from '#planner/read-question';
import type { DoneCall } from '#planner/read-rounds';

/** The rendered results of tools. */
export interface RenderedResults {
  /** One paragraph per result. */
  readonly paragraphs: readonly string[];
  /** True if the answer also needs the documents. */
  readonly askDocuments: boolean;
}

/** Renders the results of all tools except document search. */
export function renderResults(parts: QuestionParts, done: readonly DoneCall[]): RenderedResults {
  const paragraphs = done.flatMap((call) => RENDERERS[call.tool]?.(call) ?? []);
  const hasRows = done.some(({ tool, isError }) => tool === 'query_database' && !isError);
  const hasSummary = done.some(({ tool, isError }) => tool === 'summarize_document' && !isError);
  const asksMore = parts.rest !== '' && !hasRows && !hasSummary;
  return { paragraphs, askDocuments: asksMore || paragraphs.length === 0 };
}

const RENDERERS: Readonly<Record<string, (call: DoneCall) => readonly string[]>> = {
  calculate: ({ content, isError }) => [isError ? `I could not calculate that: ${content}` : `${content}.`],
  get_datetime: ({ content, isError }) => [isError ? content : content.replace(/ ISO 8601: .*$/, '')],
  query_database: (call) => (call.isError ? [`The database query failed: ${call.content}`] : renderRows(call)),
  summarize_document: ({ content, isError }) => (isError ? [] : [renderTitled(content)]),
};

/** Renders a single value as a line, rows as a table, and the query. */
function renderRows({ content, params }: DoneCall): readonly string[] {
  const query = `Query: \`${String(params.sql).replaceAll('`', "'")}\``;
  const [head = '', , ...rows] = content.split('\n');
  const columns = cellsOf(head);
  const [only, ...others] = rows.filter((row) => row.startsWith('|'));
  if (only === undefined) return ['The query returned no rows.', query];
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

/** Renders "# Title\nid: …\n\ntext" without the id. */
const renderTitled = (content: string): string => content.replace(/^# (.*)\n(?:id: .*\n)?\n*/, '**$1**\n\n');
