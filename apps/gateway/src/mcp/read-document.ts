import { onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';
import { documentContent } from '#operations/documents/mapping';
import type { KeyedCall } from '#pipeline/operation';

/** The most that one response contains of a text. */
export const MAX_CHARACTERS = 200_000;

/** Returns the end of a part of at most `max` UTF-16 units that does not split a surrogate pair. */
function partEnd(text: string, start: number, max: number): number {
  const end = Math.min(start + max, text.length);
  const isHalf = end < text.length && end - start > 1 && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isHalf ? end - 1 : end;
}

/** Reads a part of the text of a document. */
export async function readDocument(
  { clients }: Context,
  { id, offset = 0, max = MAX_CHARACTERS }: { readonly id: string; readonly offset?: number; readonly max?: number },
  call: KeyedCall,
) {
  const document = documentContent(await clients.documents.getDocumentContent({ id }, onBehalfOf(call)));
  const { content, metadata } = document;
  const start = Math.min(offset, content.length);
  const end = partEnd(content, start, max);
  return {
    ...document,
    url: 'url' in metadata && typeof metadata.url === 'string' ? metadata.url : null,
    content: content.slice(start, end),
    offset: start,
    totalCharacters: content.length,
    nextOffset: end < content.length ? end : null,
  };
}
