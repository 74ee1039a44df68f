import { type SourceDocument, smallTalkOf } from '@lectern/grounding';
import type { ChatModel } from '@lectern/llm';
import type { Context } from '#context';
import type { AgentTools } from '#loop/call-tools';
import { searchDocuments } from '#tools/search-documents';
import type { ToolCall } from '#tools/tool';

/** The maximum length of a search query. */
const MAX_QUERY = 2_000;

/**
 * Searches the sources for a run that cannot search by itself: an agent without tools, or one that
 * can search but whose model cannot call tools. Both answer from the documents like a chat.
 */
export async function firstSources(
  ctx: Context,
  run: ToolCall,
  { model, tools, question }: { readonly model: ChatModel; readonly tools: AgentTools; readonly question: string },
): Promise<readonly SourceDocument[]> {
  const searchesItself = tools.size > 0 && model.info.supportsTools;
  const canSearch = tools.size === 0 || tools.has('search_documents');
  if (searchesItself || !canSearch) return [];
  if (smallTalkOf(question) !== undefined) return [];
  const query = [...question.trim()].slice(0, MAX_QUERY).join('');
  const { sources = [] } = await searchDocuments.run(ctx, run, { query });
  return sources;
}
