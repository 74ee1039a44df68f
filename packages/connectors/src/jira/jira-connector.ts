import { runChecks } from '#checks/run-checks';
import type { Connector, ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import { fixedAuthorization } from '#http/fixed-authorization';
import { changedIssues, cursorAt } from '#jira/changed-issues';
import { createCloudApi } from '#jira/cloud-api';
import { createDataCenterApi } from '#jira/data-center-api';
import { type Instance, instanceOf, siteOf } from '#jira/instance-url';
import { keyIn, projectKeyOf } from '#jira/issue-key';
import type { JiraApi, Project } from '#jira/jira-api';
import { createJiraHttp } from '#jira/jira-http';
import { projectJql } from '#jira/jql';
import { type ListingContext, listIssues, withFilterName } from '#jira/list-issues';
import { readJiraError } from '#jira/read-error';
import { findIssue, issueRef, readIssue } from '#jira/read-issue';
import { readGroups, readPermissions } from '#jira/read-permissions';
import { createAccounts } from '#readers/accounts';
import type { AtlassianLogin } from '#settings/atlassian-settings';
import type { SourceRef } from '#source';
import { SourceError } from '#source-error';

export interface JiraSettings {
  readonly baseUrl: string;
  readonly jql: string | undefined;
  readonly projects: readonly string[];
  readonly credentials: AtlassianLogin;
}

function openApi(credentials: AtlassianLogin, instance: Instance, host: Pick<ConnectorHost, 'egress'>): JiraApi {
  const cloud = 'email' in credentials;
  const authorization = cloud
    ? `Basic ${Buffer.from(`${credentials.email}:${credentials.apiToken}`).toString('base64')}`
    : `Bearer ${credentials.token}`;
  const http = createSourceHttp({
    fetch: host.egress.fetch,
    platform: 'Jira',
    errorOf: readJiraError,
    authorize: fixedAuthorization(authorization, 'Jira'),
  });
  const jiraHttp = createJiraHttp(http, instance);
  return cloud ? createCloudApi(jiraHttp) : createDataCenterApi(jiraHttp);
}

function testConnection({ api, projects, filter }: ListingContext, call: ConnectorCall) {
  let found: readonly Project[] = [];
  return runChecks([
    [
      'connection',
      async () => {
        await api.checkLogin(call);
        return 'Jira accepts the credentials.';
      },
    ],
    [
      'projects',
      async () => {
        found = (await api.projects(call, projects)).items;
        const missing = projects.filter((key) => !found.some((project) => project.key === key));
        if (missing.length === 0 && found.length > 0) return `${found.length} projects can be read.`;
        throw new SourceError(
          'invalid',
          missing.length === 0
            ? 'No project is visible to this account. Give it access to a project.'
            : `These projects do not exist or are not visible to this account: ${missing.join(', ')}. Check projects, or give the account access.`,
        );
      },
    ],
    [
      'issues',
      async () => {
        const [first] = found;
        if (first === undefined) return 'Issues can be read.';
        await api.search(call, projectJql(first.key, filter)).catch((error: unknown) => {
          throw withFilterName(error, filter);
        });
        return 'Issues can be read.';
      },
    ],
  ]);
}

/** Opens an instance, Cloud or Data Center. */
export function openJira(settings: JiraSettings, host: Pick<ConnectorHost, 'egress' | 'maxItemBytes'>): Connector {
  const { projects, jql: filter, credentials } = settings;
  const instance = instanceOf(settings.baseUrl, 'email' in credentials);
  const api = openApi(credentials, instance, host);
  const accounts = createAccounts({ source: 'jira', load: (call, ids) => api.accounts(call, ids) });
  const listing: ListingContext = { api, projects, filter };
  const readers = { api, accounts, site: siteOf(instance), projects };

  const resolve = async (call: ConnectorCall, id: string): Promise<SourceRef | null> => {
    const project = projectKeyOf(id);
    if (project === undefined || (projects.length > 0 && !projects.includes(project))) return null;
    const issue = await findIssue(api, call, id);
    if (issue === null) return null;
    const isListed =
      filter === undefined ||
      (await api.matches(call, id, filter).catch((error: unknown) => {
        throw withFilterName(error, filter);
      }));
    return isListed ? issueRef(await api.siteUrl(call), issue) : null;
  };

  return {
    test: (call) => testConnection(listing, call),
    list: (call, from) => listIssues(listing, call, from),
    cursor: async () => cursorAt(new Date()),
    changes: (call, from) => changedIssues(listing, call, from),
    resolve,
    idOf: keyIn,
    fetch: (call, ref) => readIssue(api, call, ref, host.maxItemBytes),
    permissions: (call, refs) => readPermissions(readers, call, refs),
    groups: (call) => readGroups(readers, call),
  };
}
