import { notFound, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { defineTool } from '#tools/tool';

/** Characters of one answer; longer documents are read in parts. */
const PART = 20_000;

/** The text of one document. */
export const getDocument = defineTool({
  name: 'get_document',
  description: `Reads the full text of a document by its id, ${PART} characters at a time.`,
  input: z.strictObject({
    documentId: z.string().max(100).describe('The id that search_documents shows, such as doc_…'),
    offset: z
      .int()
      .min(0)
      .optional()
      .describe('The character to go on from, where an earlier part ended; 0 if left out'),
  }),
  run: async (ctx, call, { documentId, offset = 0 }) => {
    const { document, content } = await ctx.documents.getDocumentContent({ id: documentId }, onBehalfOf(call));
    if (document === undefined) throw notFound('document', documentId);
    const { id, title, url } = document;
    const part = content.slice(offset, offset + PART);
    const end = offset + part.length;
    const more =
      end < content.length ? `\n\n[${content.length - end} characters follow; go on with offset ${end}]` : '';
    const head = `# ${title}\nid: ${id}${url === undefined ? '' : `\nurl: ${url}`}`;
    const passages = [{ text: part, start: offset, end }];
    return {
      content: `${head}${more}`,
      isError: false,
      summary: { documentId: id, characters: part.length },
      sources: [{ id, title, ...(url === undefined ? {} : { url }), passages }],
    };
  },
});
