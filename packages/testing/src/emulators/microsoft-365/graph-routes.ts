import { delta, getItem, listPermissions } from '#emulators/microsoft-365/drive-routes';
import type { GraphSite } from '#emulators/microsoft-365/graph-model';
import {
  checkOptions,
  driveResource,
  type GraphState,
  graphError,
  pageOf,
  refuse,
  selected,
  userResource,
} from '#emulators/microsoft-365/graph-responses';
import { answerMail } from '#emulators/microsoft-365/mail-routes';
import { answerTeams } from '#emulators/microsoft-365/teams-routes';
import {
  jsonResponse,
  PlatformError,
  type PlatformRequest,
  type PlatformResponse,
} from '#emulators/platform/platform-server';

/** The maximum number of requests in a batch. */
const MAX_BATCH = 20;

const siteResource = ({ id, host, path }: GraphSite): object => ({
  ...{ id, displayName: path.split('/').at(-1) ?? host, webUrl: `https://${host}${path}` },
});

/** Finds a site by id, by host, or by host and path (`/sites/<host>:/<path>`). */
function findSite({ model }: GraphState, name: string): GraphSite {
  const [host = '', path = ''] = name.split(':');
  const site =
    model.sites.get(name) ??
    [...model.sites.values()].find((each) => each.host === host && each.path.toLowerCase() === path.toLowerCase());
  return site ?? refuse(404, 'Requested site could not be found');
}

/** https://learn.microsoft.com/en-us/graph/api/resources/site */
function answerSites(state: GraphState, request: PlatformRequest, rest: string): PlatformResponse {
  const { model } = state;
  if (rest === 'getAllSites') {
    checkOptions(request, ['$select', '$skiptoken']);
    return pageOf(state, request, { list: 'sites', most: 200, values: [...model.sites.values()].map(siteResource) });
  }
  const [, name, hasDrives] = /^([^/:]+(?::.*?)?)(:?\/drives)?$/.exec(rest) ?? [];
  const site = findSite(state, name ?? '');
  if (hasDrives === undefined) {
    checkOptions(request, ['$select']);
    return jsonResponse(200, selected(request.query.get('$select'), siteResource(site)));
  }
  checkOptions(request, ['$select', '$skiptoken']);
  const values = [...model.drives.values()].filter(({ siteId }) => siteId === site.id);
  const list = `drives ${site.id}`;
  return pageOf(state, request, { list, most: 200, values: values.map((drive) => driveResource(state, drive)) });
}

/** https://learn.microsoft.com/en-us/graph/api/resources/user */
function answerUsers(
  state: GraphState,
  request: PlatformRequest,
  [name, ...rest]: readonly string[],
): PlatformResponse {
  const [part] = rest;
  const { model } = state;
  if (name === undefined) {
    checkOptions(request, ['$select', '$top', '$skiptoken']);
    return pageOf(state, request, { list: 'users', most: 100, values: [...model.users.values()].map(userResource) });
  }
  const isNamed = (address: string) => address.toLowerCase() === name.toLowerCase();
  const user = model.users.get(name) ?? [...model.users.values()].find((each) => isNamed(each.userPrincipalName));
  if (user === undefined) return refuse(404, `Resource '${name}' does not exist.`, 'Request_ResourceNotFound');
  if (part !== undefined && part !== 'drive') return answerMail(state, request, user, rest);
  checkOptions(request, ['$select']);
  const fields = request.query.get('$select');
  if (part === undefined) return jsonResponse(200, selected(fields, userResource(user)));
  const drive = [...model.drives.values()].find(({ userId }) => userId === user.id);
  if (drive === undefined) return refuse(404, "User's mysite not found.", 'ResourceNotFound');
  return jsonResponse(200, selected(fields, driveResource(state, drive)));
}

/** The users in a group and the groups in it. */
function transitiveMembers({ model }: GraphState, id: string): ReadonlySet<string> {
  const users = new Set<string>();
  const seen = new Set<string>();
  const visit = (group: string) => {
    if (seen.has(group)) return;
    seen.add(group);
    for (const member of model.groups.get(group)?.members ?? []) {
      if (model.users.has(member)) users.add(member);
      else visit(member);
    }
  };
  visit(id);
  return users;
}

/**
 * https://learn.microsoft.com/en-us/graph/api/group-list-transitivemembers
 * https://learn.microsoft.com/en-us/graph/aad-advanced-queries
 */
function answerGroups(
  state: GraphState,
  request: PlatformRequest,
  [id, part, cast]: readonly string[],
): PlatformResponse {
  const { model } = state;
  const resources = [...model.groups.values()].map(({ isUnified, ...group }) => ({
    ...{ id: group.id, displayName: group.displayName, securityEnabled: group.securityEnabled, mail: group.mail },
    ...{ groupTypes: isUnified ? ['Unified'] : [] },
  }));
  if (id === undefined) {
    checkOptions(request, ['$select', '$top', '$filter', '$skiptoken']);
    const filter = request.query.get('$filter');
    const [, quoted] = /^mail eq '((?:[^']|'')*)'$/.exec(filter ?? '') ?? [];
    if (filter !== null && quoted === undefined) return refuse(400, 'Unsupported Query.', 'Request_UnsupportedQuery');
    const mail = quoted?.replaceAll("''", "'").toLowerCase();
    const values = resources.filter((each) => mail === undefined || each.mail?.toLowerCase() === mail);
    return pageOf(state, request, { list: 'groups', most: 100, values });
  }
  const resource = resources.find((group) => group.id === id);
  const group = model.groups.get(id);
  if (resource === undefined || group === undefined) {
    return refuse(404, `Resource '${id}' does not exist.`, 'Request_ResourceNotFound');
  }
  if (part === undefined) {
    checkOptions(request, ['$select']);
    return jsonResponse(200, selected(request.query.get('$select'), resource));
  }
  checkOptions(request, ['$select', '$top', '$count', '$skiptoken']);
  const isAdvanced = request.headers.consistencylevel === 'eventual' && request.query.get('$count') === 'true';
  if (cast !== 'microsoft.graph.user' || !isAdvanced) {
    return refuse(400, 'Request with $count or a cast needs ConsistencyLevel: eventual.', 'Request_UnsupportedQuery');
  }
  if (part !== 'transitiveMembers' && part !== 'owners') return refuse(400, 'Resource not found for the segment.');
  const ids = part === 'owners' ? group.owners : [...transitiveMembers(state, id)];
  const values = ids.flatMap((each) => model.users.get(each) ?? []).map(userResource);
  return pageOf(state, request, { list: `${part} ${id}`, most: 100, values });
}

function answerDrives(
  state: GraphState,
  request: PlatformRequest,
  [driveId = '', ...parts]: readonly string[],
): PlatformResponse {
  const drive = state.model.drives.get(driveId);
  if (drive === undefined) return refuse(404, 'The resource could not be found.');
  if (parts.length === 0) {
    checkOptions(request, ['$select']);
    return jsonResponse(200, selected(request.query.get('$select'), driveResource(state, drive)));
  }
  const [first, second = '', third] = parts;
  const [, token] = /^delta(?:\(token='([^']+)'\))?$/.exec(second) ?? ['', undefined];
  if (first === 'root' && second.startsWith('delta')) return delta(state, request, drive, token);
  if (first === 'items' && third === undefined) return getItem(state, request, drive, second);
  if (first === 'items' && third === 'permissions') return listPermissions(state, request, drive, second);
  return refuse(400, 'Resource not found for the segment.', 'BadRequest');
}

interface BatchRequest {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly url?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A mailbox accepts this many requests at the same time. https://learn.microsoft.com/en-us/graph/throttling-limits */
const MAX_MAILBOX_REQUESTS = 4;

/** Counts the requests of a batch for each mailbox. */
function createMailboxLimits() {
  const counts = new Map<string, number>();
  return (path: string): PlatformResponse | undefined => {
    const [, user] = /^\/v1\.0\/users\/([^/]+)\/(?:mailFolders|messages)\b/.exec(path) ?? [];
    if (user === undefined) return undefined;
    counts.set(user, (counts.get(user) ?? 0) + 1);
    if ((counts.get(user) ?? 0) <= MAX_MAILBOX_REQUESTS) return undefined;
    return graphError(429, 'ApplicationThrottled', 'Application is over its MailboxConcurrency limit.', {
      'retry-after': '60',
    });
  };
}

/** https://learn.microsoft.com/en-us/graph/json-batching */
function answerBatch(state: GraphState, request: PlatformRequest): PlatformResponse {
  if (request.method !== 'POST') return graphError(405, 'Request_BadRequest', 'Use POST.');
  const requests: unknown = Object(JSON.parse(request.body)).requests;
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > MAX_BATCH) {
    return refuse(400, `The number of requests must be 1 to ${MAX_BATCH}.`, 'BadRequest');
  }
  const limited = createMailboxLimits();
  const responses = requests.map(({ id, method, url, headers = {} }: BatchRequest) => {
    if (typeof id !== 'string' || method !== 'GET' || typeof url !== 'string' || !url.startsWith('/')) {
      return refuse(400, 'Invalid batch payload format.', 'BadRequest');
    }
    const target = new URL(`http://emulator/v1.0${url}`);
    const inner: PlatformRequest = {
      ...{ method: 'GET', path: decodeURIComponent(target.pathname), query: target.searchParams },
      ...{ headers, body: '', bytes: Buffer.from(''), url: `/v1.0${url}` },
    };
    const fault = state.batchFault(url);
    const wait = fault?.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
    const response =
      fault === undefined
        ? (limited(inner.path) ?? answered(state, inner))
        : graphError(fault.status, 'activityLimitReached', 'Throttled.', wait);
    const all = { ...response.headers, ...fault?.headers };
    return { id, status: response.status, headers: all, body: JSON.parse(String(response.body)) };
  });
  // Responses can have any order.
  return jsonResponse(200, { responses: responses.toReversed() });
}

function answered(state: GraphState, request: PlatformRequest): PlatformResponse {
  try {
    return answerGraph(state, request);
  } catch (error) {
    if (error instanceof PlatformError) return error.answer;
    throw error;
  }
}

/** Answers a request with a valid token. */
export function answerGraph(state: GraphState, request: PlatformRequest): PlatformResponse {
  const path = request.path.replace(/^\/v1\.0\//, '');
  if (path === '$batch') return answerBatch(state, request);
  if (state.denied?.test(path) === true) {
    return graphError(403, 'Authorization_RequestDenied', 'Insufficient privileges to complete the operation.');
  }
  if (request.method !== 'GET') return graphError(405, 'Request_BadRequest', 'Method not allowed.');
  const [area, ...parts] = path.split('/');
  if (area === 'sites') return answerSites(state, request, parts.join('/'));
  if (area === 'users') return answerUsers(state, request, parts);
  if (area === 'teams') return answerTeams(state, request, parts);
  if (area === 'groups') return answerGroups(state, request, parts);
  if (area === 'drives') return answerDrives(state, request, parts);
  return refuse(400, `Resource not found for the segment '${area}'.`, 'BadRequest');
}
