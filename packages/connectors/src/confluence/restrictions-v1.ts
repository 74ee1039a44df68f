import { z } from 'zod';

import type { ConfluenceHttp } from '#confluence/confluence-http';
import { GroupV1, UserV1, userReader } from '#confluence/content-v1';
import type { ConnectorCall } from '#connector';
import type { Reader } from '#readers/reader';
import { SourceError } from '#source-error';

const Restriction = z.object({
  operation: z.string().nullish(),
  restrictions: z.object({
    user: z.object({ results: z.array(UserV1) }).nullish(),
    group: z.object({ results: z.array(GroupV1) }).nullish(),
  }),
});
type Restriction = z.infer<typeof Restriction>;

const Restrictions = z.object({ results: z.array(Restriction) });

/**
 * Returns undefined if nothing is restricted. Cloud identifies groups by id, Data Center by name.
 * An unreadable user or group is left out, and the content stays restricted.
 */
function readersOf({ restrictions }: Restriction): readonly Reader[] | undefined {
  const users = restrictions.user?.results ?? [];
  const groups = restrictions.group?.results ?? [];
  if (users.length + groups.length === 0) return undefined;
  return [
    ...users.flatMap(userReader),
    ...groups.map((group): Reader => ({ kind: 'group', id: group.id ?? group.name })),
  ];
}

const EXPAND = 'expand=restrictions.user,restrictions.group&limit=200';

/**
 * Returns the read restriction of one content. Uses API version 1 on both Cloud and Data Center.
 */
export async function readRestriction(
  http: ConfluenceHttp,
  call: ConnectorCall,
  contentId: string,
): Promise<readonly Reader[] | undefined> {
  const path = `/rest/api/content/${contentId}/restriction`;
  const what = `the restrictions of ${contentId}`;
  try {
    return readersOf(await http.get(call, `${path}/byOperation/read?${EXPAND}`, Restriction, what));
  } catch (error) {
    if (!(error instanceof SourceError) || error.kind !== 'gone') throw error;
  }
  // For some contents (folders) and versions, only the list of all operations exists.
  const { results } = await http.get(call, `${path}?${EXPAND}`, Restrictions, what);
  const read = results.find(({ operation }) => operation === 'read');
  return read === undefined ? undefined : readersOf(read);
}
