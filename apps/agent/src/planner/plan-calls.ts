import { planQuery } from '#planner/plan-query';
import type { QuestionParts } from '#planner/read-question';
import type { DoneCall } from '#planner/read-rounds';
import { readSchema } from '#planner/read-schema';

/** A tool call to make. */
export interface PlannedCall {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The maximum length of a query. */
const MAX_QUERY = 2_000;
const MAX_SCHEMA_QUERY = 500;
const MAX_DOCUMENTS = 3;

/**
 * Returns the next tool calls, to run concurrently. Empty when the answer is complete, after at
 * most three rounds.
 */
export function planCalls(
  parts: QuestionParts,
  tools: ReadonlySet<string>,
  done: readonly DoneCall[],
): readonly PlannedCall[] {
  const calls = done.length === 0 ? firstCalls(parts, tools) : nextCalls(parts, done);
  const calledTools = new Set(done.map(({ tool }) => tool));
  return calls.filter(({ tool }) => tools.has(tool) && !calledTools.has(tool));
}

function firstCalls(parts: QuestionParts, tools: ReadonlySet<string>): PlannedCall[] {
  const { rest, documentIds } = parts;
  const calls: PlannedCall[] = [
    ...parts.sums.map((expression) => ({ tool: 'calculate', params: { expression } })),
    ...parts.times.map((place) => ({ tool: 'get_datetime', params: place === '' ? {} : { timeZone: place } })),
  ];
  if (rest === '') return calls;
  if (documentIds.length > 0) {
    const tool = parts.wantsSummary && tools.has('summarize_document') ? 'summarize_document' : 'get_document';
    return [...calls, ...documentIds.slice(0, MAX_DOCUMENTS).map((documentId) => ({ tool, params: { documentId } }))];
  }
  const hasDocuments = tools.has('search_documents');
  if (parts.namesDatabase || parts.maybeDatabase || !hasDocuments) {
    calls.push({ tool: 'search_database_schema', params: { query: cut(rest, MAX_SCHEMA_QUERY) } });
  }
  // A question about a database is not for the documents, unless there is no database tool.
  if (!parts.namesDatabase || !tools.has('search_database_schema')) {
    calls.push({ tool: 'search_documents', params: { query: cut(rest, MAX_QUERY) } });
  }
  return calls;
}

function nextCalls(parts: QuestionParts, done: readonly DoneCall[]): PlannedCall[] {
  const schema = done.find(({ tool, isError }) => tool === 'search_database_schema' && !isError);
  const query = schema === undefined ? undefined : planQuery(parts.rest, readSchema(schema.content));
  if (query !== undefined) return [{ tool: 'query_database', params: { ...query } }];
  const found = done.flatMap(({ tool, sources }) => (tool === 'search_documents' ? sources : []));
  const [best] = found;
  if (parts.wantsSummary && best !== undefined) {
    return [{ tool: 'summarize_document', params: { documentId: best.id } }];
  }
  const hasSchema = done.some(({ tool }) => tool === 'search_database_schema');
  // No table matches the question, but the documents might answer it.
  return hasSchema ? [{ tool: 'search_documents', params: { query: cut(parts.rest, MAX_QUERY) } }] : [];
}

const cut = (text: string, characters: number): string => [...text].slice(0, characters).join('').trim();
