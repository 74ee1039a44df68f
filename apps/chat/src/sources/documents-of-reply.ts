import type { SourceDocument } from '@lectern/grounding';
import { messageText } from '@lectern/llm';
import type { HistoryMessage } from '#conversations/read-history';
import type { StoredSource } from '#conversations/stored-reply';
import { quotedDocuments } from '#sources/quoted-documents';

/**
 * All documents whose text a prompt contains: its sources, and the documents that earlier replies
 * are based on.
 */
export function documentsShown(sources: readonly SourceDocument[], history: readonly HistoryMessage[]): Set<string> {
  return new Set([...sources.map(({ id }) => id), ...history.flatMap(({ documents }) => documents)]);
}

/**
 * The documents that a reply is based on: those it cites, those whose title it contains, and those
 * whose words it repeats, directly or through an earlier reply.
 */
export async function documentsOfReply(
  reply: string,
  cited: readonly StoredSource[],
  sources: readonly SourceDocument[],
  history: readonly HistoryMessage[],
): Promise<string[]> {
  const shown = [
    ...sources.flatMap(({ id, passages }) => passages.map(({ text }) => ({ text, documents: [id] }))),
    ...history.map((message) => ({ text: messageText(message), documents: message.documents })),
  ].filter(({ documents }) => documents.length > 0);
  const named = sources.filter(({ title }) => title.trim() !== '' && reply.includes(title.trim()));
  return [...new Set([...[...cited, ...named].map(({ id }) => id), ...(await quotedDocuments(reply, shown))])];
}
