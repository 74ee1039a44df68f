import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { GitlabApi } from '#gitlab/gitlab-api';
import type { Project } from '#gitlab/gitlab-schemas';
import { itemId } from '#gitlab/item-id';
import { wikiRef } from '#gitlab/item-refs';
import type { PartEvent } from '#gitlab/part-event';
import { failedEntry } from '#http/entries';

const PAGES_BETWEEN_POSITIONS = 200;

/** The last listed page, in the order of the slugs. */
export const WikiPosition = z.object({ slug: z.string() });
type WikiPosition = z.infer<typeof WikiPosition>;

/** Lists the pages of a wiki. GitLab returns them at once. */
export async function* listWiki(
  api: GitlabApi,
  call: ConnectorCall,
  project: Project,
  from?: WikiPosition,
): AsyncGenerator<PartEvent, void, void> {
  const { items, unreadable } = await api.wikiPages(call, project);
  for (const entry of unreadable) {
    const id = entry.id && itemId({ project: project.path, part: 'wiki', slug: entry.id });
    yield failedEntry(entry, { id, what: `the wiki of ${project.path}` });
  }
  const pages = [...new Map(items.map((page) => [page.slug, page])).values()]
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
    .filter(({ slug }) => from === undefined || slug > from.slug);
  for (const [at, page] of pages.entries()) {
    yield { type: 'item', ref: wikiRef(project, page) };
    if ((at + 1) % PAGES_BETWEEN_POSITIONS === 0) yield { type: 'position', at: { slug: page.slug } };
  }
}
