import { DocumentStatus } from '@lectern/contracts';
import { onBehalfOf } from '@lectern/service-kit';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Context } from '#context';
import { DOCUMENT_TEMPLATE, documentUri, parseDocumentUri } from '#mcp/document-uri';
import { readDocument } from '#mcp/read-document';
import { requireToolRight } from '#mcp/require-scope';
import { invalidParams, rpcError } from '#mcp/rpc-errors';
import { time } from '#operations/convert';
import type { KeyedCall } from '#pipeline/operation';

export const MIME_TYPE = 'text/markdown';
const PAGE = 100;
/** Empty collections that one page skips. */
const MAX_COLLECTIONS = 20;

const position = z.object({ c: z.string().max(100), p: z.int().min(1).max(1_000_000) });
type Position = z.output<typeof position>;

const toCursor = (next: Position) => Buffer.from(JSON.stringify(next)).toString('base64url');

function fromCursor(cursor: string): Position {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw invalidParams('The cursor is invalid. List the resources from the beginning.');
  }
}

/** Lists the indexed documents that the caller may read: one collection after the other, in pages. */
async function listDocuments({ clients }: Context, cursor: string | undefined, call: KeyedCall) {
  const options = onBehalfOf(call);
  const { collections } = await clients.collections.resolveCollections({ ids: [] }, options);
  const ids = collections.map(({ id }) => id).sort();
  const from = cursor === undefined ? { c: ids[0] ?? '', p: 1 } : fromCursor(cursor);
  // A collection that was deleted meanwhile is skipped.
  const rest = ids.filter((id) => id >= from.c);
  for (const [index, collectionId] of rest.entries()) {
    if (index === MAX_COLLECTIONS) return { documents: [], next: { c: collectionId, p: 1 } };
    const page = collectionId === from.c ? from.p : 1;
    const request = { collectionId, status: DocumentStatus.INDEXED, page: { page, limit: PAGE } };
    const found = await clients.documents.listDocuments(request, options);
    const following = rest[index + 1];
    const after = following === undefined ? undefined : { c: following, p: 1 };
    const next = found.page?.hasMore === true ? { c: collectionId, p: page + 1 } : after;
    if (found.documents.length > 0) return { documents: found.documents, next };
  }
  return { documents: [], next: undefined };
}

/** Offers the documents as resources. */
export function offerResources({ server }: McpServer, ctx: Context, call: KeyedCall): void {
  server.registerCapabilities({ resources: { listChanged: false, subscribe: false } });

  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) => {
    try {
      requireToolRight(call, 'documents:read');
      const { documents, next } = await listDocuments(ctx, params?.cursor, call);
      const resources = documents.map(({ id, title, collectionName, updatedAt }) => {
        const lastModified = time(updatedAt);
        return {
          uri: documentUri(id),
          name: title,
          title,
          description: `In the collection ${collectionName}`,
          mimeType: MIME_TYPE,
          ...(lastModified === null ? {} : { annotations: { lastModified } }),
        };
      });
      return { resources, ...(next === undefined ? {} : { nextCursor: toCursor(next) }) };
    } catch (error) {
      throw rpcError(error, call);
    }
  });

  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: DOCUMENT_TEMPLATE,
        name: 'document',
        title: 'Document',
        description: 'The text of a document by its id. For a long text, offset is where the part begins.',
        mimeType: MIME_TYPE,
      },
    ],
  }));

  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    try {
      requireToolRight(call, 'documents:read');
      const wanted = parseDocumentUri(uri);
      if (wanted === undefined) throw invalidParams(`The URI must be ${DOCUMENT_TEMPLATE}.`);
      const { content, title, nextOffset, totalCharacters, url } = await readDocument(ctx, wanted, call);
      const nextUri = nextOffset === null ? null : documentUri(wanted.id, nextOffset);
      const _meta = { 'lectern/title': title, 'lectern/url': url, 'lectern/totalCharacters': totalCharacters };
      return {
        contents: [{ uri, mimeType: MIME_TYPE, text: content, _meta: { ..._meta, 'lectern/nextUri': nextUri } }],
      };
    } catch (error) {
      throw rpcError(error, call, uri);
    }
  });
}
