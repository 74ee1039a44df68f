import { AttachmentV2, attachmentOfV2, bodyOfV2, PageV2, pageOfV2, SpaceV2 } from '#confluence/cloud-content';
import { cloudReaders } from '#confluence/cloud-readers';
import type { ConfluenceApi, Space } from '#confluence/confluence-api';
import { type ConfluenceHttp, toSlice } from '#confluence/confluence-http';
import { ContentV1, changedOfV1 } from '#confluence/content-v1';
import type { ConnectorCall } from '#connector';
import type { UnreadableEntry } from '#http/entries';
import { orNull } from '#http/or-null';

const inUse = (content: { status?: string | null | undefined }) => (content.status ?? 'current') === 'current';

/** Creates the API of Confluence Cloud: version 2, and version 1 for what version 2 lacks. */
export function createCloudApi(http: ConfluenceHttp): ConfluenceApi {
  const { instance } = http;
  const known = new Map<string, Space>();
  const remember = (space: Space): Space => {
    known.set(space.id, space);
    return space;
  };

  const space = async (call: ConnectorCall, id: string) => {
    const found = known.get(id) ?? (await orNull(http.get(call, `/api/v2/spaces/${id}`, SpaceV2, `space ${id}`)));
    return found === null ? null : remember({ id: found.id, key: found.key });
  };

  const placed = async (call: ConnectorCall, path: string, what: string) => {
    const response = await orNull(http.get(call, path, PageV2, what));
    if (response === null || !inUse(response) || !response.spaceId) return null;
    const within = await space(call, response.spaceId);
    return within === null ? null : { response, page: pageOfV2(instance, response, within) };
  };

  return {
    ...cloudReaders(http),
    space,
    spaces: async (call, keys) => {
      const found: Space[] = [];
      const unreadable: UnreadableEntry[] = [];
      const note = (entry: UnreadableEntry) => unreadable.push(entry);
      // One request per key: the documentation is inconsistent about several keys in one query.
      const queries = keys.length === 0 ? ['status=current'] : keys.map((key) => `keys=${encodeURIComponent(key)}`);
      for (const query of queries) {
        for await (const { id, key } of http.all(call, `/api/v2/spaces?${query}`, SpaceV2, 'the spaces', note)) {
          if (keys.length === 0 || keys.includes(key)) found.push(remember({ id, key }));
        }
      }
      return { items: [...new Map(found.map((entry) => [entry.id, entry])).values()], unreadable };
    },
    pages: async (call, within, next) => {
      const path = `/api/v2/spaces/${within.id}/pages?depth=all&status=current&sort=id`;
      const response = await http.list(call, path, PageV2, `the pages of space ${within.key}`, next);
      return toSlice(response, (entry, base) => (inUse(entry) ? [pageOfV2(instance, entry, within, base)] : []));
    },
    attachments: async (call, pageId, next) => {
      const path = `/api/v2/pages/${pageId}/attachments?status=current`;
      const response = await http.list(call, path, AttachmentV2, `the attachments of page ${pageId}`, next);
      return toSlice(response, (entry, base) => (inUse(entry) ? [attachmentOfV2(instance, entry, pageId, base)] : []));
    },
    page: async (call, id) => (await placed(call, `/api/v2/pages/${id}`, `page ${id}`))?.page ?? null,
    body: async (call, id, form) => {
      const path = `/api/v2/pages/${id}?body-format=${form}&include-labels=true`;
      const found = await placed(call, path, `page ${id}`);
      return found === null ? null : (bodyOfV2(found.response, found.page, form) ?? null);
    },
    attachment: async (call, id) => {
      const response = await orNull(http.get(call, `/api/v2/attachments/${id}`, AttachmentV2, `attachment ${id}`));
      if (response === null || !inUse(response) || !response.pageId) return null;
      return attachmentOfV2(instance, response, response.pageId);
    },
    download: http.download,
    search: async (call, cql, next) => {
      const path = `/rest/api/content/search?cql=${encodeURIComponent(cql)}&expand=version,space,container`;
      const response = await http.list(call, path, ContentV1, 'the changed pages', next);
      return toSlice(response, (entry, base) => changedOfV1(instance, entry, base));
    },
  };
}
