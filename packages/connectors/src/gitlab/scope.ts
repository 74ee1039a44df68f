import type { ConnectorCall } from '#connector';
import { canContainText } from '#git/readable-files';
import type { GitlabApi } from '#gitlab/gitlab-api';
import type { Project } from '#gitlab/gitlab-schemas';
import type { ItemName, Part } from '#gitlab/item-id';
import { failedEntry } from '#http/entries';
import type { PathFilter } from '#settings/path-filter';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

/** What a connector reads. */
export interface Scope {
  readonly api: GitlabApi;
  readonly projects: readonly string[];
  readonly groups: readonly string[];
  /** Undefined for the default branch of each project. */
  readonly branch: string | undefined;
  readonly parts: readonly Part[];
  readonly includesArchived: boolean;
  readonly filter: PathFilter;
}

export const isKind = (error: unknown, ...kinds: readonly SourceError['kind'][]): error is SourceError =>
  error instanceof SourceError && kinds.includes(error.kind);

/** Returns true for paths that match the filter and can contain text. */
export const isWanted = ({ filter }: Scope, path: string): boolean => filter(path) && canContainText(path);

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const isIn = (path: string, group: string): boolean => path.toLowerCase().startsWith(`${group.toLowerCase()}/`);

/** Returns true if the project is selected, by its own path or that of a group. */
const isSelected = ({ projects, groups }: Scope, path: string): boolean =>
  projects.some((project) => same(project, path)) || groups.some((group) => isIn(path, group));

/** Returns true if items of this part of the project are read. A disabled part has no items. */
export const hasPart = (scope: Scope, project: Project, part: Part): boolean =>
  scope.parts.includes(part) && (scope.includesArchived || !project.isArchived) && project.levels[part] !== 'disabled';

export interface FoundProjects {
  /** In the order of their ids. */
  readonly projects: readonly Project[];
  /** Why projects or groups are missing. */
  readonly failures: readonly SourceEvent[];
  /** True if a selected project or group could not be read. */
  readonly isPartial: boolean;
}

const failure = (path: string, error: SourceError): SourceEvent => ({
  type: 'failed',
  id: path,
  path,
  error: { code: error.kind, message: error.message },
});

/** Finds the selected projects that are visible. */
export async function findProjects(scope: Scope, call: ConnectorCall): Promise<FoundProjects> {
  const { api } = scope;
  const found = new Map<number, Project>();
  const failures: SourceEvent[] = [];
  let isPartial = false;
  const add = (project: Project) => {
    // A shared or moved project has another path, so it is not selected.
    if (!isSelected(scope, project.path) || (project.isArchived && !scope.includesArchived)) return;
    found.set(project.id, project);
  };
  const attempt = async (path: string, read: () => Promise<void>) => {
    try {
      await read();
    } catch (error) {
      if (!isKind(error, 'gone', 'forbidden', 'invalid')) throw error;
      failures.push(failure(path, error));
      isPartial = true;
    }
  };
  for (const group of scope.groups) {
    await attempt(group, async () => {
      const { items, unreadable } = await api.groupProjects(call, group);
      for (const entry of unreadable) {
        failures.push(failedEntry(entry, { id: undefined, what: `the projects of ${group}`, hides: true }));
      }
      items.forEach(add);
    });
  }
  for (const path of scope.projects) {
    await attempt(path, async () => {
      const project = await api.project(call, path);
      if (!same(project.path, path)) throw movedProject(path, project);
      add(project);
    });
  }
  return { projects: [...found.values()].sort((a, b) => a.id - b.id), failures, isPartial };
}

/** GitLab redirects the old path of a project that was renamed or moved. */
const movedProject = (path: string, { path: newPath }: Project) =>
  new SourceError('gone', `The project ${path} moved to ${newPath}. Change the path in projects.`);

/**
 * Returns true if the token would see a project of a selected group if it existed. That the group is
 * visible proves nothing: everyone sees a public one, without its private projects.
 */
async function wouldSee({ api, projects, groups }: Scope, call: ConnectorCall, path: string): Promise<boolean> {
  if (projects.some((project) => same(project, path))) return false;
  const account = await api.checkLogin(call);
  for (const group of groups.filter((each) => isIn(path, each))) {
    if (await api.isMember(call, group, account)) return true;
  }
  return api.seesEverything(call, account);
}

/**
 * Finds the selected project of an item; null if GitLab confirms that it has none. Throws
 * `forbidden` if the project could exist but not be visible.
 */
export async function projectOf(
  scope: Scope,
  call: ConnectorCall,
  { project: path }: ItemName,
): Promise<Project | null> {
  if (!isSelected(scope, path)) return null;
  try {
    const project = await scope.api.project(call, path);
    if (same(project.path, path)) return project;
    return null;
  } catch (error) {
    if (!isKind(error, 'gone')) throw error;
    if (await wouldSee(scope, call, path)) return null;
    throw new SourceError(
      'forbidden',
      `${path} does not exist, or the token has no access to it. Check the path and the token.`,
      { cause: error },
    );
  }
}
