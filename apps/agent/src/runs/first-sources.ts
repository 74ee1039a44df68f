import { classifyShape, type SourceDocument } from '@lectern/grounding';
import type { ChatModel } from '@lectern/llm';
import type { Context } from '#context';
import type { GivenTools } from '#loop/call-tools';
import { searchDocuments } from '#tools/search-documents';
import type { ToolCall } from '#tools/tool';

/** Characters of a query that the search service takes. */
const MAX_QUERY = 2_000;

/** Below this probability a question is never taken for small talk. */
const MIN_CONVERSATIONAL = 0.6;

/**
 * What the documents say to a question, for a run whose model can ask for nothing itself: an agent without tools answers from the documents as a
 * chat does, and so does one that may search with a model that cannot call tools.
 */
export async function firstSources(
  ctx: Context,
  run: ToolCall,
  { model, tools, question }: { readonly model: ChatModel; readonly tools: GivenTools; readonly question: string },
): Promise<readonly SourceDocument[]> {
  const asksItself = tools.size > 0 && model.info.supportsTools;
  const maySearch = tools.size === 0 || tools.has('search_documents');
  if (asksItself || !maySearch) return [];
  if (classifyShape(question).probabilities.conversational >= MIN_CONVERSATIONAL) return [];
  const query = [...question.trim()].slice(0, MAX_QUERY).join('');
  const { sources = [] } = await searchDocuments.run(ctx, run, { query });
  return sources;
}
