import { fields } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { defineTool, READS } from '#mcp/tool';
import { documentContent } from '#operations/documents/mapping';

const DEFAULT_CHARACTERS = 20_000;
const MAX_CHARACTERS = 200_000;

const input = z.strictObject({
  id: fields.id.describe('The documentId of a search result, or the id of a source'),
  offset: z.int().min(0).default(0).describe("Where to begin: 0, a passage's start, or nextOffset of the part before"),
  maxCharacters: z.int().min(1).max(MAX_CHARACTERS).default(DEFAULT_CHARACTERS),
});

const output = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  collection: z.string().describe("The collection's name"),
  source: z.string(),
  url: z.string().nullable(),
  content: z.string(),
  offset: z.int(),
  totalCharacters: z.int(),
  nextOffset: z.int().nullable().describe('Where the next part begins; null at the end'),
});

/** Returns the end of a part of at most `max` UTF-16 units that does not split a surrogate pair. */
function partEnd(text: string, start: number, max: number): number {
  const end = Math.min(start + max, text.length);
  const isHalf = end < text.length && end - start > 1 && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isHalf ? end - 1 : end;
}

function asText({
  title,
  id,
  collection,
  url,
  status,
  content,
  offset,
  totalCharacters,
  nextOffset,
}: z.output<typeof output>) {
  const head = `${title}\nid: ${id} · collection: ${collection}${url === null ? '' : ` · ${url}`}`;
  if (content === '') {
    return `${head}\n\n${totalCharacters === 0 ? `The document contains no text (status: ${status}).` : 'The offset is beyond the end of the text.'}`;
  }
  const part = `Characters ${offset} to ${offset + content.length} of ${totalCharacters}`;
  const more = nextOffset === null ? '' : `; continue with offset ${nextOffset}`;
  return `${head}\n${part}${more}\n\n${content}`;
}

export const getDocument = defineTool({
  name: 'get_document',
  title: 'Read a document',
  description: 'Reads the text of a document by its id. Long texts are returned in parts.',
  input,
  output,
  right: 'documents:read',
  annotations: READS,
  run: async (ctx, { id, offset, maxCharacters }, call) => {
    const document = documentContent(await ctx.clients.documents.getDocumentContent({ id }, onBehalfOf(call)));
    const { content, metadata } = document;
    const start = Math.min(offset, content.length);
    const end = partEnd(content, start, maxCharacters);
    const data = {
      id: document.id,
      title: document.title,
      status: document.status,
      collection: document.collection,
      source: document.source,
      url: 'url' in metadata && typeof metadata.url === 'string' ? metadata.url : null,
      content: content.slice(start, end),
      offset: start,
      totalCharacters: content.length,
      nextOffset: end < content.length ? end : null,
    };
    return { text: asText(data), data };
  },
});
