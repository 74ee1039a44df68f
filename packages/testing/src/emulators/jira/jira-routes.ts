import {
  badRequest,
  byOffset,
  comment,
  holder,
  issue,
  type JiraState,
  jiraError,
  must,
  notFound,
  user,
  withJqlErrors,
} from '#emulators/jira/jira-responses';
import { searchIssues } from '#emulators/jira/jira-search';
import { jsonResponse, type PlatformRequest, type PlatformResponse } from '#emulators/platform/platform-server';

type Route = (state: JiraState, request: PlatformRequest, id: string, second: string) => PlatformResponse;

interface SearchBody {
  readonly jql: string;
  readonly fields: readonly string[];
  readonly startAt: number;
  readonly maxResults: number;
  readonly nextPageToken: string | undefined;
  readonly validateQuery: boolean;
  readonly reconcileIssues: readonly unknown[];
}

const ALLOWED = {
  cloud: ['jql', 'fields', 'maxResults', 'nextPageToken', 'reconcileIssues'],
  dataCenter: ['jql', 'fields', 'maxResults', 'startAt', 'validateQuery'],
};

function searchBody({ body }: PlatformRequest, allowed: readonly string[]): SearchBody {
  const given: unknown = JSON.parse(body);
  const unknown = Object.keys(Object(given)).find((name) => !allowed.includes(name));
  if (unknown !== undefined) throw badRequest(`Invalid request payload: ${unknown}`);
  const {
    jql = '',
    fields,
    startAt = 0,
    maxResults = 50,
    nextPageToken,
    validateQuery,
    reconcileIssues,
  } = Object(given);
  if (!Array.isArray(fields)) throw badRequest('fields must be a list');
  const ids: unknown[] = reconcileIssues ?? [];
  if (ids.length > 50 || ids.some((id) => typeof id !== 'number')) throw badRequest('Invalid reconcileIssues');
  return {
    jql,
    fields,
    startAt,
    maxResults,
    nextPageToken,
    validateQuery: validateQuery !== false,
    reconcileIssues: ids,
  };
}

/**
 * The enhanced search of Cloud: page tokens, no total, no unrestricted queries.
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/#api-rest-api-3-search-jql-post
 */
const enhancedSearch: Route = (state, request) => {
  const { jql, fields, maxResults, nextPageToken } = searchBody(request, ALLOWED.cloud);
  const found = withJqlErrors(() => searchIssues(state.model, jql, { isBounded: true, isValidated: true }));
  // The token contains the returned issues, so that deletions do not make the next page skip any.
  const returned = nextPageToken === undefined ? new Set<string>() : state.tokens.read(jql, nextPageToken);
  if (returned === undefined) throw badRequest('Invalid request payload: nextPageToken');
  const rest = found.filter(({ id }) => !returned.has(id));
  const page = rest.slice(0, Math.min(maxResults, state.pageSize));
  const isLast = page.length === rest.length;
  const known = () => new Set([...returned, ...page.map(({ id }) => id)]);
  const next = isLast ? {} : { nextPageToken: state.tokens.issue(jql, known()) };
  return jsonResponse(200, { issues: page.map((each) => issue(state, each, fields)), isLast, ...next });
};

/** https://developer.atlassian.com/server/jira/platform/rest/v10000/api-group-search/ */
const offsetSearch: Route = (state, request) => {
  const { jql, fields, startAt, maxResults, validateQuery } = searchBody(request, ALLOWED.dataCenter);
  const options = { isBounded: false, isValidated: validateQuery };
  const found = withJqlErrors(() => searchIssues(state.model, jql, options));
  const size = Math.min(maxResults, state.pageSize);
  const page = found.slice(startAt, startAt + size);
  const issues = page.map((each) => issue(state, each, fields));
  return jsonResponse(200, { expand: 'names,schema', startAt, maxResults: size, total: found.length, issues });
};

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-bulkfetch-post */
const bulkFetch: Route = (state, { body }) => {
  const { issueIdsOrKeys, fields } = Object(JSON.parse(body));
  if (!Array.isArray(issueIdsOrKeys) || issueIdsOrKeys.length > 100) throw badRequest('Too many issues');
  const found = issueIdsOrKeys.flatMap((key: string) => state.model.find(key) ?? []);
  return jsonResponse(200, { issues: found.map((each) => issue(state, each, fields)), issueErrors: [] });
};

const oneIssue: Route = (state, { query }, key) => {
  const found = must(state.model.find(key));
  const fields = (query.get('fields') ?? '').split(',');
  const rendered = (query.get('expand') ?? '').split(',').includes('renderedFields');
  return jsonResponse(200, {
    ...issue(state, found, fields),
    ...(rendered ? { renderedFields: { description: found.rendered ?? null } } : {}),
  });
};

const comments: Route = (state, request, key) => {
  const found = must(state.model.find(key));
  if (request.query.get('orderBy') !== 'created') throw badRequest('orderBy must be created');
  const rendered = request.query.get('expand') === 'renderedBody';
  const { values, isLast: _, ...page } = byOffset(state, request, found.comments);
  return jsonResponse(200, { ...page, comments: values.map((each) => comment(state, each, rendered)) });
};

const projectOf = (state: JiraState, key: string) =>
  must(state.model.projects.get(key), notFound(`No project could be found with key '${key}'.`));

const projectForm = (state: JiraState, key: string) => {
  const { id, name, leadId } = projectOf(state, key);
  return { id, key, name, projectTypeKey: 'software', lead: user(state, leadId) };
};

const projectSearch: Route = (state, request) => {
  const keys = request.query.getAll('keys');
  if (keys.length > 50) throw badRequest('At most 50 keys are allowed.');
  const known = [...state.model.projects.keys()].filter((key) => keys.length === 0 || keys.includes(key)).sort();
  const page = byOffset(state, request, known);
  return jsonResponse(200, { ...page, values: page.values.map((key) => projectForm(state, key)) });
};

const permissionScheme: Route = (state, { query }, key) => {
  const { browsers } = projectOf(state, key);
  if (!(query.get('expand') ?? '').includes('permissions')) return jsonResponse(200, { id: 1, name: 'Scheme' });
  const grants = browsers.map((each, at) => ({
    id: at + 1,
    holder: holder(state, each),
    permission: 'BROWSE_PROJECTS',
  }));
  const administrators = { type: 'group', parameter: 'administrators', value: 'group-administrators' };
  return jsonResponse(200, {
    id: 1,
    name: 'Scheme',
    permissions: [...grants, { id: 99, holder: administrators, permission: 'ADMINISTER_PROJECTS' }],
  });
};

const role: Route = (state, _request, key, id) => {
  const members = must(projectOf(state, key).roles[id], notFound('The role does not exist.'));
  const { model, cloud } = state;
  const users = (members.users ?? []).map((account) => ({
    type: 'atlassian-user-role-actor',
    displayName: model.accounts.get(account)?.name,
    ...(cloud ? { actorUser: { accountId: account } } : { name: model.accounts.get(account)?.username }),
  }));
  const groups = (members.groups ?? []).map((group) => {
    const name = model.groups.get(group)?.name;
    const actorGroup = cloud ? { name, displayName: name, groupId: group } : { name, displayName: name };
    return { type: 'atlassian-group-role-actor', displayName: name, name, actorGroup };
  });
  return jsonResponse(200, { id: Number(id), name: `Role ${id}`, actors: [...users, ...groups] });
};

const securityScheme: Route = (state, _request, key) => {
  if (projectOf(state, key).hasSecurityScheme) return jsonResponse(200, { id: 1, name: 'Security' });
  return jiraError(404, 'The project has no issue security scheme.');
};

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-security-schemes/ */
const securityMembers: Route = (state, request) => {
  const levels = request.query.getAll('levelId');
  const members = [...state.model.securityLevels].flatMap(([level, holders]) =>
    levels.length === 0 || levels.includes(level) ? holders.map((each) => ({ level, each })) : [],
  );
  const page = byOffset(state, request, members);
  const values = page.values.map(({ level, each }, at) => ({
    id: String(at),
    issueSecurityLevelId: level,
    issueSecuritySchemeId: '1',
    holder: holder(state, each),
  }));
  return jsonResponse(200, { ...page, values });
};

const applicationRoles: Route = ({ model, cloud }) =>
  jsonResponse(
    200,
    [...model.applications].map(([key, ids]) => {
      const groups = ids.map((id) => model.groups.get(id)?.name);
      const details = ids.map((groupId, at) => ({ groupId, name: groups[at] }));
      return { key, name: key, groups, ...(cloud ? { groupDetails: details } : {}) };
    }),
  );

const groupMembers: Route = (state, request) => {
  const { model, cloud } = state;
  const id = request.query.get(cloud ? 'groupId' : 'groupname');
  const known = [...model.groups.values()].find((group) => (cloud ? group.id : group.name) === id);
  const page = byOffset(state, request, must(known, notFound('The group does not exist.')).members);
  return jsonResponse(200, { ...page, values: page.values.map((account) => user(state, account)) });
};

const usersBulk: Route = (state, request) => {
  const ids = request.query.getAll('accountId');
  if (ids.length === 0 || ids.length > 200) throw badRequest('accountId must have between 1 and 200 values');
  const page = byOffset(
    state,
    request,
    ids.filter((id) => state.model.accounts.has(id)),
  );
  return jsonResponse(200, { ...page, values: page.values.map((id) => user(state, id)) });
};

const oneUser: Route = (state, { query }) => {
  const { key, username } = { key: query.get('key'), username: query.get('username') };
  const known = [...state.model.accounts.values()].find((each) => each.id === key || each.username === username);
  return jsonResponse(200, user(state, must(known, notFound('The user does not exist.')).id));
};

const one = '([^/]+)';
const shared: Readonly<Record<string, Route>> = {
  'GET /rest/api/2/myself': (state) => jsonResponse(200, user(state, 'account-ada')),
  [`GET /rest/api/2/issue/${one}`]: oneIssue,
  [`GET /rest/api/2/issue/${one}/comment`]: comments,
  [`GET /rest/api/2/project/${one}`]: (state, _request, key) => jsonResponse(200, projectForm(state, key)),
  [`GET /rest/api/2/project/${one}/permissionscheme`]: permissionScheme,
  [`GET /rest/api/2/project/${one}/role/${one}`]: role,
  [`GET /rest/api/2/project/${one}/issuesecuritylevelscheme`]: securityScheme,
  'GET /rest/api/2/applicationrole': applicationRoles,
  'GET /rest/api/2/group/member': groupMembers,
};
/** https://developer.atlassian.com/cloud/jira/platform/rest/v2/ */
const cloudOnly: Readonly<Record<string, Route>> = {
  'GET /rest/api/2/project/search': projectSearch,
  'POST /rest/api/3/search/jql': enhancedSearch,
  'POST /rest/api/3/issue/bulkfetch': bulkFetch,
  'GET /rest/api/2/issuesecurityschemes/level/member': securityMembers,
  'GET /rest/api/2/user/bulk': usersBulk,
  'GET /rest/api/2/serverInfo': () =>
    jsonResponse(200, { baseUrl: 'https://acme.atlassian.net', deploymentType: 'Cloud' }),
};
/** https://developer.atlassian.com/server/jira/platform/rest/ */
const dataCenterOnly: Readonly<Record<string, Route>> = {
  'GET /rest/api/2/project': (state) =>
    jsonResponse(
      200,
      [...state.model.projects.keys()].map((key) => projectForm(state, key)),
    ),
  'POST /rest/api/2/search': offsetSearch,
  'GET /rest/api/2/user': oneUser,
};

const compile = (routes: Readonly<Record<string, Route>>) =>
  Object.entries(routes).map(([path, route]) => ({ path: new RegExp(`^${path}$`), route }));
const cloudRoutes = compile({ ...cloudOnly, ...shared });
const dataCenterRoutes = compile({ ...dataCenterOnly, ...shared });

/** Answers a request of an authenticated account. */
export function answerJira(state: JiraState, request: PlatformRequest): PlatformResponse {
  for (const { path, route } of state.cloud ? cloudRoutes : dataCenterRoutes) {
    const found = path.exec(`${request.method} ${request.path}`);
    if (found !== null) return route(state, request, found[1] ?? '', found[2] ?? '');
  }
  return jiraError(404, 'Not Found');
}

/**
 * Cloud serves rejected credentials like an anonymous visitor.
 * https://support.atlassian.com/jira/kb/jira-cloud-jql-search-rest-api-returns-200-ok-without-api-token/
 */
export function anonymousAnswer({ path }: PlatformRequest): PlatformResponse {
  if (path.endsWith('/project/search')) return jsonResponse(200, { startAt: 0, total: 0, isLast: true, values: [] });
  if (path.endsWith('/search/jql')) return jsonResponse(200, { issues: [], isLast: true });
  if (/\/issue\/[^/]+$/.test(path))
    return jiraError(404, 'Issue does not exist or you do not have permission to see it.');
  return jiraError(401, 'Client must be authenticated to access this resource.');
}
