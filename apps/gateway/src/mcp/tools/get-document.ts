import { fields } from '@lectern/api-spec';
import { z } from 'zod';
import { documentIdIn } from '#mcp/document-uri';
import { MAX_CHARACTERS, readDocument } from '#mcp/read-document';
import { defineTool, documentLink, READS } from '#mcp/tool';

const DEFAULT_CHARACTERS = 20_000;

const input = z.strictObject({
  id: fields.id.describe('The id of a search result or of a source, or the URI of a resource'),
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
  run: async (ctx, { id: given, offset, maxCharacters }, call) => {
    const id = documentIdIn(given) ?? given;
    const document = await readDocument(ctx, { id, offset, max: maxCharacters }, call);
    const data = output.parse(document);
    const links = [documentLink(data)];
    return { text: asText(data), data, links };
  },
});
