import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { GitlabApi, IssuablePart, IssuableQuery } from '#gitlab/gitlab-api';
import type { Issuable, Project } from '#gitlab/gitlab-schemas';
import { itemId } from '#gitlab/item-id';
import { isHidden, issuableRef } from '#gitlab/item-refs';
import type { PartEvent } from '#gitlab/part-event';
import { failedEntry } from '#http/entries';
import { SourceError } from '#source-error';

const MAX_PAGES = 100_000;

/** A position in the list: a time, the page of entries from then on, and which of them were listed. */
export const IssuablesPosition = z.object({
  after: z.string().optional(),
  page: z.number(),
  seen: z.array(z.number()),
});
type IssuablesPosition = z.infer<typeof IssuablesPosition>;

const timeOf = (issuable: Issuable, by: IssuableQuery['by']): string =>
  by === 'created' ? issuable.created_at : issuable.updated_at;

/**
 * Returns the position after a page. Usually it is the time of the last entry, so that deletions do
 * not shift what follows, and no offset exceeds GitLab's limit of 50,000. If all entries have the
 * same time, it is the next page.
 * https://docs.gitlab.com/administration/instance_limits/#max-offset-allowed-by-the-rest-api-for-offset-based-pagination
 */
function positionAfter(at: IssuablesPosition, items: readonly Issuable[], by: IssuableQuery['by']): IssuablesPosition {
  const last = items.reduce((latest, item) => (timeOf(item, by) > latest ? timeOf(item, by) : latest), at.after ?? '');
  const seen = items.filter((item) => timeOf(item, by) === last).map(({ iid }) => iid);
  if (last !== (at.after ?? '')) return { after: last, page: 1, seen };
  return { ...at, page: at.page + 1, seen: [...new Set([...at.seen, ...seen])] };
}

/** Lists issues or merge requests in the order of their creation, or of their last update. */
export async function* listIssuables(
  api: GitlabApi,
  call: ConnectorCall,
  project: Project,
  list: {
    readonly part: IssuablePart;
    readonly by: IssuableQuery['by'];
    readonly from?: IssuablesPosition | undefined;
  },
): AsyncGenerator<PartEvent, void, void> {
  const { part, by } = list;
  const what = `the ${part === 'issues' ? 'issues' : 'merge requests'} of ${project.path}`;
  let at = list.from ?? { page: 1, seen: [] };
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const { items, unreadable, next } = await api.issuables(call, project, part, {
      by,
      after: at.after,
      page: at.page,
    });
    const seen = new Set(at.seen);
    for (const entry of unreadable) {
      const number = Number(entry.id);
      const id = Number.isInteger(number) ? itemId({ project: project.path, part, number }) : undefined;
      yield failedEntry(entry, { id, what });
    }
    for (const item of items) {
      if (!seen.has(item.iid) && !isHidden(item)) yield { type: 'item', ref: issuableRef(project, part, item) };
    }
    if (next === undefined) return;
    at = positionAfter(at, items, by);
    yield { type: 'position', at };
  }
  throw new SourceError('invalid', `GitLab returned more than ${MAX_PAGES} pages of ${what}.`);
}
