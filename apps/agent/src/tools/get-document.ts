import { notFound, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { cutText } from '#tools/cut-text';
import { defineTool } from '#tools/tool';

/** The maximum length of one part, in characters. */
const PART = 20_000;

/** Bytes of an outcome in addition to title, URL and text. */
const OVERHEAD_BYTES = 300;

/** The minimum size of the text in an outcome, in bytes. */
const MIN_PART_BYTES = 400;

/**
 * Returns the part of a content at `offset` that fits into one tool output, so that the model can
 * continue after it.
 */
function partAt(content: string, offset: number, maxBytes: number): string {
  const last = content.charCodeAt(offset + PART - 1);
  // A surrogate pair is one character.
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return cutText(content.slice(offset, offset + PART - (splitsPair ? 1 : 0)), maxBytes);
}

/** Returns the text of a document. */
export const getDocument = defineTool({
  name: 'get_document',
  description: `Reads the full text of a document by its id, ${PART} characters at a time or fewer.`,
  input: z.strictObject({
    documentId: z.string().max(100).describe('An id from search_documents, for example doc_…'),
    offset: z
      .int()
      .min(0)
      .optional()
      .describe('The character to start at, to continue after an earlier part. The default is 0'),
  }),
  run: async (ctx, call, { documentId, offset = 0 }) => {
    const { document, content } = await ctx.documents.getDocumentContent({ id: documentId }, onBehalfOf(call));
    if (document === undefined) throw notFound('document', documentId);
    const { id, title, url } = document;
    // The title counts twice: above the text, and in the source.
    const overhead = OVERHEAD_BYTES + 2 * Buffer.byteLength(title) + Buffer.byteLength(url ?? '');
    const part = partAt(content, offset, Math.max(MIN_PART_BYTES, ctx.config.AGENT_TOOL_OUTPUT_BYTES - overhead));
    const end = offset + part.length;
    const more =
      end < content.length ? `\n\n[${content.length - end} more characters: continue with offset ${end}]` : '';
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
