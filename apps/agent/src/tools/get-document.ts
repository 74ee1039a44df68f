import { notFound, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { cutText } from '#tools/cut-text';
import { defineTool } from '#tools/tool';

/** Characters of one answer at most; longer documents are read in parts. */
const PART = 20_000;

/** Bytes of an answer beside its title, address and text: the id and where to go on. */
const FRAME_BYTES = 300;

/** Bytes of text that an answer has at least, whatever else stands in it. */
const MIN_PART_BYTES = 400;

/** The part of a content that begins at `offset`: no longer than the cap on an output lets the model see, so that it can go on where it ended. */
function partAt(content: string, offset: number, maxBytes: number): string {
  const last = content.charCodeAt(offset + PART - 1);
  // Not between the two halves of a character.
  const isTorn = last >= 0xd800 && last <= 0xdbff;
  return cutText(content.slice(offset, offset + PART - (isTorn ? 1 : 0)), maxBytes);
}

/** The text of one document. */
export const getDocument = defineTool({
  name: 'get_document',
  description: `Reads the full text of a document by its id, ${PART} characters at a time or fewer.`,
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
    // The title is read twice: above the text, and as the source's.
    const beside = FRAME_BYTES + 2 * Buffer.byteLength(title) + Buffer.byteLength(url ?? '');
    const part = partAt(content, offset, Math.max(MIN_PART_BYTES, ctx.config.AGENT_TOOL_OUTPUT_BYTES - beside));
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
