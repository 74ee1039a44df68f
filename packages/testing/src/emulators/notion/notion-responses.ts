import {
  type NotionBlock,
  type NotionDatabase,
  type NotionPage,
  notionId,
  richText,
} from '#emulators/notion/notion-model';
import { jsonResponse, PlatformError, type PlatformResponse } from '#emulators/platform/platform-server';

const CODES: Readonly<Record<number, string>> = {
  400: 'validation_error',
  401: 'unauthorized',
  403: 'restricted_resource',
  404: 'object_not_found',
  409: 'conflict_error',
  429: 'rate_limited',
  500: 'internal_server_error',
  503: 'service_unavailable',
  529: 'service_overload',
};

/** Notion's error shape. */
export function notionError(status: number, message: string, code = CODES[status] ?? 'unknown'): PlatformResponse {
  return jsonResponse(status, { object: 'error', status, code, message, request_id: notionId(message) });
}

export const refuse = (status: number, message: string, code?: string): never => {
  throw new PlatformError(notionError(status, message, code));
};

export const notFound = (what: string, id: string): never =>
  refuse(404, `Could not find ${what} with ID: ${id}. Make sure the relevant pages are shared with your integration.`);

const userOf = (name: string) => ({ object: 'user', id: notionId(`user ${name}`) });

export const pageObject = (page: NotionPage, origin: string) => ({
  object: 'page',
  id: page.id,
  created_time: '2026-01-01T00:00:00.000Z',
  last_edited_time: page.lastEdited,
  created_by: userOf(page.editor),
  last_edited_by: userOf(page.editor),
  parent: page.parent,
  archived: page.inTrash,
  in_trash: page.inTrash,
  properties: {
    ...page.properties,
    [page.parent.type === 'data_source_id' ? 'Name' : 'title']: {
      id: 'title',
      type: 'title',
      title: page.title === '' ? [] : richText(page.title),
    },
  },
  url: `${origin}/${page.id.replaceAll('-', '')}`,
  public_url: null,
});

export const databaseObject = (database: NotionDatabase) => ({
  object: 'database',
  id: database.id,
  title: richText(database.title),
  parent: database.parent,
  in_trash: false,
  data_sources: database.dataSources.map((id) => ({ id, name: database.title })),
});

export const dataSourceObject = (database: NotionDatabase, id: string) => ({
  object: 'data_source',
  id,
  title: richText(database.title),
  parent: { type: 'database_id', database_id: database.id },
  database_parent: database.parent,
  properties: { Name: { id: 'title', name: 'Name', type: 'title', title: {} } },
  in_trash: false,
});

export const blockObject = (block: NotionBlock) => ({
  object: 'block',
  id: block.id,
  type: block.type,
  has_children: block.children.length > 0,
  archived: false,
  in_trash: false,
  [block.type]: block.content,
});

/** Converts blocks to Markdown like the API: only texts, the rest as unknown. */
export function markdownOf(blocks: readonly NotionBlock[], indent = ''): string[] {
  return blocks.flatMap((block) => {
    const parts = block.content.rich_text;
    const text = Array.isArray(parts)
      ? parts.map((part: { plain_text: string }) => part.plain_text).join('')
      : undefined;
    const line = text === undefined ? `<unknown url="#${block.id.replaceAll('-', '')}" alt="${block.type}"/>` : text;
    return [`${indent}${line}`, ...markdownOf(block.children, `${indent}\t`)];
  });
}
