import { fields } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { defineTool, READS } from '#mcp/tool';
import { collectionItem } from '#operations/collections/mapping';

const input = z.strictObject(fields.pageFields);

const item = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  documentCount: z.int(),
});
const output = z.object({ collections: z.array(item), total: z.int(), hasMore: z.boolean() });

function asText({ collections, total, hasMore }: z.output<typeof output>): string {
  if (collections.length === 0) return 'No collections are visible to this key.';
  const lines = collections.map(({ id, name, description, documentCount }) => {
    return `- ${name} (id: ${id}, ${documentCount} documents)${description === null ? '' : `: ${description}`}`;
  });
  return [`${collections.length} of ${total} collections${hasMore ? ', more on the next page' : ''}`, ...lines].join(
    '\n',
  );
}

export const listCollections = defineTool({
  name: 'list_collections',
  title: 'List collections',
  description:
    'Lists the collections of documents that can be searched, newest first. Their ids narrow search and ask.',
  input,
  output,
  right: 'documents:read',
  annotations: READS,
  run: async (ctx, page, call) => {
    const response = await ctx.clients.collections.listCollections({ page }, onBehalfOf(call));
    const collections = response.collections.map((collection) => item.parse(collectionItem(collection)));
    const { total = collections.length, hasMore = false } = response.page ?? {};
    const data = { collections, total, hasMore };
    return { text: asText(data), data };
  },
});
