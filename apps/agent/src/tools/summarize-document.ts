import { notFound, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { defineTool } from '#tools/tool';

/** The stored summary of one document. */
export const summarizeDocument = defineTool({
  name: 'summarize_document',
  description: 'Shows a short summary of a document by its id.',
  input: z.strictObject({
    documentId: z.string().max(100).describe('The id that search_documents shows, such as doc_…'),
  }),
  run: async (ctx, call, { documentId }) => {
    const { document, summary } = await ctx.documents.getDocumentSummary({ id: documentId }, onBehalfOf(call));
    if (document === undefined) throw notFound('document', documentId);
    const { id, title } = document;
    return {
      content: `# ${title}\nid: ${id}\n\n${summary}`,
      isError: false,
      summary: { documentId: id },
      documents: [id],
    };
  },
});
