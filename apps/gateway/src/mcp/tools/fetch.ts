import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import { documentIdIn, documentUri } from '#mcp/document-uri';
import { MAX_CHARACTERS, readDocument } from '#mcp/read-document';
import { defineTool, READS } from '#mcp/tool';

const input = z.strictObject({ id: z.string().min(1).max(200).describe('The id of a search result') });

const output = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string().describe('The address of the document, to cite it'),
  metadata: z.record(z.string(), z.string()),
});

export const fetchDocument = defineTool({
  name: 'fetch',
  title: 'Fetch a document',
  description: `Returns the text of a document by its id, up to ${MAX_CHARACTERS} characters. For longer texts, metadata has the offset at which get_document continues.`,
  input,
  output,
  right: 'documents:read',
  annotations: READS,
  run: async (ctx, { id: given }, call) => {
    const id = documentIdIn(given);
    if (id === undefined) throw invalidRequest([{ path: 'id', message: 'must be the id of a search result' }]);
    const { title, content, url, collection, source, nextOffset, totalCharacters } = await readDocument(
      ctx,
      { id },
      call,
    );
    const more =
      nextOffset === null ? {} : { nextOffset: String(nextOffset), totalCharacters: String(totalCharacters) };
    const data = { id, title, text: content, url: url ?? documentUri(id), metadata: { collection, source, ...more } };
    // Assistants that know this tool parse its text.
    return { text: JSON.stringify(data), data };
  },
});
