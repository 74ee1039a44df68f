import type { Project } from '#gitlab/gitlab-schemas';
import type { Part } from '#gitlab/item-id';
import type { SourceEvent } from '#source';

type FailedEvent = Extract<SourceEvent, { type: 'failed' }>;

/**
 * An event of one part of a project. After storing everything before a position, the listing of the
 * part can resume there.
 */
export type PartEvent =
  | Extract<SourceEvent, { type: 'item' | 'gone' }>
  | FailedEvent
  | { readonly type: 'position'; readonly at: unknown };

/** Returns the event for an unreadable part of a project. */
export const failedPart = (
  project: Project,
  part: Part,
  error: { readonly kind: string; readonly message: string },
): FailedEvent => ({
  type: 'failed',
  id: `${project.path}/-/${part}`,
  path: project.path,
  error: { code: error.kind, message: error.message },
});
