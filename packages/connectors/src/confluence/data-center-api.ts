import { z } from 'zod';
import type { ConfluenceApi, Page, Space } from '#confluence/confluence-api';
import { type ConfluenceHttp, Id, toSlice } from '#confluence/confluence-http';
import { attachmentOfV1, ContentV1, changedOfV1, pageOfV1 } from '#confluence/content-v1';
import { dataCenterReaders } from '#confluence/data-center-readers';
import type { UnreadableEntry } from '#http/entries';
import { orNull } from '#http/or-null';

const SpaceV1 = z.object({ id: Id.nullish(), key: z.string() });
const toSpace = ({ id, key }: z.infer<typeof SpaceV1>): Space => ({ id: id ?? key, key });

const WithBody = ContentV1.extend({
  body: z.record(z.string(), z.object({ value: z.string() }).nullish().catch(undefined)).nullish(),
});
const Labels = z.object({ labels: z.object({ results: z.array(z.object({ name: z.string() })) }) });

function labelsOf(content: ContentV1): readonly string[] {
  const { data } = Labels.safeParse(content.metadata);
  return (data?.labels.results ?? []).map((label) => label.name);
}

const inUse = (content: ContentV1) => (content.status ?? 'current') === 'current';
const EXPAND = 'expand=version,space,container';

/**
 * Creates the API of Confluence Data Center: version 1. https://developer.atlassian.com/server/confluence/rest/
 */
export function createDataCenterApi(http: ConfluenceHttp): ConfluenceApi {
  const { instance } = http;
  const page = async (call: Parameters<ConfluenceApi['page']>[0], id: string): Promise<Page | null> => {
    const found = await orNull(http.get(call, `/rest/api/content/${id}?${EXPAND}`, ContentV1, `page ${id}`));
    return found === null || !inUse(found) || found.type !== 'page' ? null : (pageOfV1(instance, found) ?? null);
  };

  return {
    ...dataCenterReaders(http),
    spaces: async (call, keys) => {
      const found = new Map<string, Space>();
      const unreadable: UnreadableEntry[] = [];
      const note = (entry: UnreadableEntry) => unreadable.push(entry);
      const queries = keys.length === 0 ? ['status=current'] : keys.map((key) => `spaceKey=${encodeURIComponent(key)}`);
      for (const query of queries) {
        for await (const entry of http.all(call, `/rest/api/space?${query}`, SpaceV1, 'the spaces', note)) {
          if (keys.length === 0 || keys.includes(entry.key)) found.set(entry.key, toSpace(entry));
        }
      }
      return { items: [...found.values()], unreadable };
    },
    space: async (call, key) => {
      const path = `/rest/api/space/${encodeURIComponent(key)}`;
      const found = await orNull(http.get(call, path, SpaceV1, `space ${key}`));
      return found === null ? null : toSpace(found);
    },
    pages: async (call, space, next) => {
      const path = `/rest/api/content?spaceKey=${encodeURIComponent(space.key)}&type=page&status=current&expand=version`;
      const response = await http.list(call, path, ContentV1, `the pages of space ${space.key}`, next);
      return toSlice(response, (entry, base) => {
        const found = inUse(entry) ? pageOfV1(instance, { ...entry, space: { key: space.key } }, base) : undefined;
        return found === undefined ? [] : [found];
      });
    },
    attachments: async (call, pageId, next) => {
      const path = `/rest/api/content/${pageId}/child/attachment?expand=version`;
      const response = await http.list(call, path, ContentV1, `the attachments of page ${pageId}`, next);
      return toSlice(response, (entry, base) => [attachmentOfV1(instance, entry, pageId, base)]);
    },
    page,
    body: async (call, id, form) => {
      const path = `/rest/api/content/${id}?expand=version,space,metadata.labels,body.${form}`;
      const found = await orNull(http.get(call, path, WithBody, `page ${id}`));
      const placed = found === null || !inUse(found) ? undefined : pageOfV1(instance, found);
      const markup = found?.body?.[form]?.value;
      if (found === null || placed === undefined || markup === undefined) return null;
      return { page: placed, form, markup, labels: labelsOf(found) };
    },
    attachment: async (call, id) => {
      const found = await orNull(http.get(call, `/rest/api/content/${id}?${EXPAND}`, ContentV1, `attachment ${id}`));
      const pageId = found?.container?.id ?? undefined;
      return found === null || !inUse(found) || pageId === undefined ? null : attachmentOfV1(instance, found, pageId);
    },
    download: http.download,
    search: async (call, cql, next) => {
      const path = `/rest/api/content/search?cql=${encodeURIComponent(cql)}&${EXPAND}`;
      const response = await http.list(call, path, ContentV1, 'the changed pages', next);
      return toSlice(response, (entry, base) => changedOfV1(instance, entry, base));
    },
  };
}
