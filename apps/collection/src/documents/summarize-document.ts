import { chunkText } from '@lectern/documents';
import { collectReply } from '@lectern/llm';
import { joinHeadings } from '@lectern/text';
import type { Context } from '#context';
import type { DocumentWithCollection } from '#documents/document-record';

const MAX_TOKENS = 400;
const MARKERS = /\s*\[\d+\]/g;

/**
 * Returns the stored summary of a document's content, or creates one with the current model. Empty
 * for a document without text.
 */
export async function summarizeDocument(
  context: Context,
  document: DocumentWithCollection,
  signal: AbortSignal,
): Promise<string> {
  const { db, models } = context;
  const stored = await db.documentContent.findUnique({ where: { documentId: document.id } });
  if (stored === null || stored.content.trim() === '') return '';
  if (stored.summary !== null) return stored.summary;
  const model = await models.get();
  const passages = fitting(stored.content, document.title, model.info.recommendedMaxTokens - MAX_TOKENS);
  const reply = await collectReply(
    model.stream(
      {
        messages: [{ role: 'user', content: [{ type: 'text', text: `Summarize "${document.title}".` }] }],
        sources: [{ id: document.id, title: document.title, passages }],
        shape: 'summary',
        maxTokens: MAX_TOKENS,
      },
      { signal },
    ),
  );
  const summary = reply.text.replaceAll(MARKERS, '').trim();
  // Stored only if the content is unchanged.
  await db.documentContent.updateMany({
    where: { documentId: document.id, document: { version: document.version } },
    data: { summary },
  });
  return summary;
}

/** Returns as many passages from the beginning as fit the model. */
function fitting(content: string, title: string, budgetTokens: number) {
  let used = 0;
  return chunkText(content, { title, overlapTokens: 0 })
    .filter(({ tokens }) => {
      used += tokens;
      return used <= budgetTokens;
    })
    .map(({ text, start, end, headingPath }) => ({ text, start, end, heading: joinHeadings(headingPath) }));
}
