import type { DocumentPages, GetDocumentPagesRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { toPage } from '#documents/document-pages';
import { findDocument } from '#documents/find-document';

/** Pages per response: a page can have thousands of words. */
const MAX_PAGES = 10;
const MAX_OFFSET = 2 ** 31 - 1;

/** Returns the pages that contain a part of a document's text, with the places of its words. */
export const getDocumentPages =
  (context: Context) =>
  async (request: GetDocumentPagesRequest, call: ServiceCall): Promise<DocumentPages> => {
    const { id, version } = await findDocument(context, call.caller, request.id);
    const part = { start: request.start ?? 0, end: request.end ?? MAX_OFFSET };
    const rows = await context.db.documentPage.findMany({
      where: { documentId: id, version, end: { gt: part.start }, start: { lt: part.end } },
      orderBy: { page: 'asc' },
      take: MAX_PAGES,
    });
    return { pages: rows.map((row) => toPage(row, part)) };
  };
