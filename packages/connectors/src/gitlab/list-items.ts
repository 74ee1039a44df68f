import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { Project } from '#gitlab/gitlab-schemas';
import { PARTS, type Part } from '#gitlab/item-id';
import { FilesPosition, listFiles } from '#gitlab/list-files';
import { IssuablesPosition, listIssuables } from '#gitlab/list-issuables';
import { listWiki, WikiPosition } from '#gitlab/list-wiki';
import { failedPart } from '#gitlab/part-event';
import { findProjects, hasPart, isKind, type Scope } from '#gitlab/scope';
import type { SourceEvent } from '#source';

/** The position of a listing. Projects are listed in the order of their ids. */
const Checkpoint = z.object({
  project: z.number(),
  part: z.enum(PARTS),
  at: z.unknown().optional(),
  /** True if an earlier part could not be listed. */
  partial: z.boolean(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

function listPart(scope: Scope, call: ConnectorCall, project: Project, { part, at }: Pick<Checkpoint, 'part' | 'at'>) {
  const { api } = scope;
  switch (part) {
    case 'repository':
      return listFiles(scope, call, project, FilesPosition.optional().parse(at));
    case 'wiki':
      return listWiki(api, call, project, WikiPosition.optional().parse(at));
    default:
      return listIssuables(api, call, project, {
        ...{ part, by: 'created' },
        from: IssuablesPosition.optional().parse(at),
      });
  }
}

const ordinal = ({ project, part }: { readonly project: number; readonly part: Part }) => [
  project,
  PARTS.indexOf(part),
];

const isBefore = (a: Pick<Checkpoint, 'project' | 'part'>, b: Pick<Checkpoint, 'project' | 'part'>): boolean => {
  const [[projectA = 0, partA = 0], [projectB = 0, partB = 0]] = [ordinal(a), ordinal(b)];
  return projectA < projectB || (projectA === projectB && partA < partB);
};

/** Lists the selected parts of the selected projects, one after another. */
export async function* listItems(
  scope: Scope,
  call: ConnectorCall,
  from?: string,
): AsyncGenerator<SourceEvent, void, void> {
  const start = from === undefined ? undefined : Checkpoint.parse(JSON.parse(from));
  // A problem of the instance or the token is not one of single projects.
  await scope.api.checkLogin(call);
  const found = await findProjects(scope, call);
  yield* found.failures;
  let partial = start?.partial ?? false;
  let isFirst = true;
  for (const project of found.projects) {
    for (const part of PARTS.filter((each) => hasPart(scope, project, each))) {
      const place = { project: project.id, part };
      if (start !== undefined && isBefore(place, start)) continue;
      const isResumed = start !== undefined && !isBefore(start, place);
      if (!isFirst) yield { type: 'checkpoint', at: JSON.stringify({ ...place, partial }) };
      isFirst = false;
      try {
        for await (const event of listPart(scope, call, project, { part, at: isResumed ? start.at : undefined })) {
          if (event.type !== 'position') yield event;
          else yield { type: 'checkpoint', at: JSON.stringify({ ...place, at: event.at, partial }) };
        }
      } catch (error) {
        if (!isKind(error, 'gone', 'forbidden', 'invalid')) throw error;
        // An unreadable part does not affect the others, and nothing is deleted.
        yield failedPart(project, part, error);
        partial = true;
      }
    }
  }
  // Lists with offsets shift if entries are deleted during the listing.
  yield { type: 'complete', authoritative: !partial && !found.isPartial, confirmGone: true };
}
