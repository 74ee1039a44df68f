import { notFound, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { defineTool } from '#tools/tool';

/** Returns the stored summary of a document. */
export const summarizeDocument = defineTool({
  name: 'summarize_document',
  description: 'Returns a short summary of a document by its id.',
  input: z.strictObject({
    documentId: z.string().max(100).describe('An id from search_documents, for example doc_…'),
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
