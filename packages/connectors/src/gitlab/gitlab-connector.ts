import { type CheckStep, runChecks } from '#checks/run-checks';
import type { Connector, ConnectorCall } from '#connector';
import { createGitlabApi } from '#gitlab/gitlab-api';
import { createGitlabHttp } from '#gitlab/gitlab-http';
import { baseOf } from '#gitlab/instance-url';
import { idIn, type Part } from '#gitlab/item-id';
import { headOf } from '#gitlab/list-files';
import { listItems } from '#gitlab/list-items';
import { readChanges, readCursor } from '#gitlab/read-changes';
import { readGitlabError } from '#gitlab/read-error';
import { findItem, readItem } from '#gitlab/read-item';
import { createPeople, readGroups, readPermissions } from '#gitlab/read-permissions';
import { hasPart, type Scope } from '#gitlab/scope';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import { fixedAuthorization } from '#http/fixed-authorization';
import { createPathFilter } from '#settings/path-filter';
import { SourceError } from '#source-error';

const TESTED_NAMES = 20;

export interface GitlabSettings {
  readonly instanceUrl: string;
  readonly projects: readonly string[];
  readonly groups: readonly string[];
  readonly branch: string | undefined;
  readonly parts: readonly Part[];
  readonly pathFilter: readonly string[] | undefined;
  readonly includesArchived: boolean;
  readonly token: string;
}

function testConnection(scope: Scope, call: ConnectorCall) {
  const { api } = scope;
  const checkProject = async (path: string): Promise<string> => {
    const project = await api.project(call, path);
    if (project.isArchived && !scope.includesArchived) return `${path} is archived, so it is not read.`;
    if (!hasPart(scope, project, 'repository')) return `${path} can be read.`;
    const commit = await headOf(scope, call, project);
    return commit === undefined ? `The repository of ${path} is empty.` : `The repository of ${path} can be read.`;
  };
  const checkGroup = async (path: string): Promise<string> => {
    const { length } = (await api.groupProjects(call, path)).items;
    if (length === 1) return `1 project of ${path} can be read.`;
    if (length > 0) return `${length} projects of ${path} can be read.`;
    throw new SourceError('invalid', `The token cannot see any projects of ${path}. Give it access to the group.`);
  };
  const steps: readonly CheckStep[] = [
    [
      'connection',
      async () => {
        await api.checkLogin(call);
        return 'GitLab accepts the token.';
      },
    ],
    ...scope.groups.map((path): CheckStep => [path, () => checkGroup(path)]),
    ...scope.projects.map((path): CheckStep => [path, () => checkProject(path)]),
  ];
  return runChecks(steps.slice(0, TESTED_NAMES + 1));
}

/** Opens projects of GitLab.com or a self-managed instance. */
export function openGitlab(settings: GitlabSettings, host: Pick<ConnectorHost, 'egress' | 'maxItemBytes'>): Connector {
  const authorization = `Bearer ${settings.token}`;
  const http = createSourceHttp({
    fetch: host.egress.fetch,
    platform: 'GitLab',
    errorOf: readGitlabError,
    authorize: fixedAuthorization(authorization, 'GitLab'),
  });
  const api = createGitlabApi(createGitlabHttp(http, baseOf(settings.instanceUrl)));
  const { projects, groups, branch, parts, includesArchived } = settings;
  const filter = createPathFilter(settings.pathFilter);
  const scope: Scope = { api, projects, groups, branch, parts, includesArchived, filter };
  const readers = { scope, people: createPeople(api) };

  return {
    test: (call) => testConnection(scope, call),
    list: (call, from) => listItems(scope, call, from),
    cursor: (call) => readCursor(scope, call),
    changes: (call, from) => readChanges(scope, call, from),
    resolve: (call, id) => findItem(scope, call, id),
    idOf: (name) => idIn(name, api.base),
    fetch: (call, ref) => readItem(scope, call, ref, host.maxItemBytes),
    permissions: (call, refs) => readPermissions(readers, call, refs),
    groups: (call) => readGroups(readers, call),
  };
}
