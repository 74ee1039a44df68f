import { checkOptions, type GraphState, pageOf, refuse, selected } from '#emulators/microsoft-365/graph-responses';
import type { GraphChannel, GraphChatMessage } from '#emulators/microsoft-365/teams-model';
import { jsonResponse, type PlatformRequest, type PlatformResponse } from '#emulators/platform/platform-server';

const EIGHT_MONTHS_MS = 243 * 24 * 3_600_000;
const MAX_TOP = 50;
const DEFAULT_TOP = 20;

/** Without the header, values that were added later are hidden. */
const showsAll = ({ headers }: PlatformRequest): boolean =>
  /\binclude-unknown-enum-members\b/.test(String(headers.prefer ?? ''));

/** https://learn.microsoft.com/en-us/graph/api/resources/channel */
function channelResource(request: PlatformRequest, channel: GraphChannel): object {
  const { id, displayName, membershipType } = channel;
  const isHidden = membershipType === 'shared' && !showsAll(request);
  return {
    ...{ id, displayName, description: null, email: '', createdDateTime: '2026-01-01T08:00:00Z' },
    membershipType: isHidden ? 'unknownFutureValue' : membershipType,
    webUrl: `https://teams.microsoft.com/l/channel/${encodeURIComponent(id)}`,
  };
}

/** https://learn.microsoft.com/en-us/graph/api/resources/chatmessage */
function messageResource(state: GraphState, request: PlatformRequest, message: GraphChatMessage): object {
  const { id, replyToId, subject, author, content, contentType, attachments } = message;
  const teamId = state.model.teams.channels.get(message.channelId)?.teamId;
  const isEvent = message.messageType === 'systemEventMessage';
  const type = isEvent && !showsAll(request) ? 'unknownFutureValue' : message.messageType;
  return {
    ...{ id, replyToId: replyToId ?? null, etag: String(Date.parse(message.modified)), messageType: type },
    ...{ createdDateTime: message.created, lastModifiedDateTime: message.modified },
    ...{ lastEditedDateTime: message.edited, deletedDateTime: message.deleted, subject, summary: null, chatId: null },
    ...{ importance: 'normal', locale: 'en-us', policyViolation: message.policyViolation },
    webUrl: `https://teams.microsoft.com/l/message/${encodeURIComponent(message.channelId)}/${id}?groupId=${teamId}`,
    from: isEvent
      ? null
      : { application: null, device: null, user: { id: 'ada', displayName: author, userIdentityType: 'aadUser' } },
    body: { contentType, content: isEvent ? '<systemEventMessage/>' : content },
    channelIdentity: { teamId, channelId: message.channelId },
    ...{ attachments, mentions: [], reactions: [], eventDetail: isEvent ? {} : null },
  };
}

function topOf({ query }: PlatformRequest): number {
  const top = Number(query.get('$top') ?? DEFAULT_TOP);
  if (!Number.isInteger(top) || top < 1 || top > MAX_TOP) {
    return refuse(400, `The limit of '${MAX_TOP}' for Top query has been exceeded.`, 'BadRequest');
  }
  return top;
}

/** A message with its replies, of which there is a first page, if the request expands them. */
function rootResource(
  state: GraphState,
  request: PlatformRequest,
  root: GraphChatMessage,
  expands: string | null,
): object {
  const resource = messageResource(state, request, root);
  if (expands === null) return resource;
  if (expands !== 'replies') return refuse(400, `Could not find a property named '${expands}'.`, 'BadRequest');
  const replies = state.model.teams.repliesOf(root.id);
  const size = state.replyPageSize;
  const teamId = state.model.teams.channels.get(root.channelId)?.teamId;
  const path = `/v1.0/teams/${teamId}/channels/${encodeURIComponent(root.channelId)}/messages/${root.id}/replies`;
  const next = `${state.origin}${path}?$skiptoken=${state.pages.issue(`replies ${root.id}`, size)}`;
  return {
    ...resource,
    replies: replies.slice(0, size).map((reply) => messageResource(state, request, reply)),
    ...(replies.length > size ? { 'replies@odata.nextLink': next } : {}),
  };
}

/** https://learn.microsoft.com/en-us/graph/api/channel-list-messages */
function listMessages(state: GraphState, request: PlatformRequest, channel: GraphChannel): PlatformResponse {
  checkOptions(request, ['$top', '$expand', '$skiptoken']);
  topOf(request);
  const expands = request.query.get('$expand');
  const values = state.model.teams.threads(channel.id);
  const show = (root: GraphChatMessage) => rootResource(state, request, root, expands);
  return pageOf(state, request, { list: `messages ${channel.id}`, most: DEFAULT_TOP, values, show });
}

/**
 * Lists the threads by their last change, of at most eight months. Parameters belong to the first
 * request of a query.
 * https://learn.microsoft.com/en-us/graph/api/chatmessage-delta
 */
function deltaOfMessages(state: GraphState, request: PlatformRequest, channel: GraphChannel): PlatformResponse {
  const { query } = request;
  const { teams } = state.model;
  const list = `channel ${channel.id}`;
  const token = query.get('$skiptoken') ?? query.get('$deltatoken');
  checkOptions(request, token === null ? ['$top', '$expand', '$filter'] : ['$skiptoken', '$deltatoken']);
  const filter = query.get('$filter');
  const since = /^lastModifiedDateTime gt (\d{4}-\d\d-\d\dT[\d:.]+Z)$/.exec(filter ?? '')?.[1];
  if (filter !== null && since === undefined) refuse(400, 'The filter is not supported.', 'BadRequest');
  const place =
    token === null
      ? {
          ...{ from: undefined, startedAt: teams.changes, after: 0, fields: query.get('$expand') },
          ...{ since: since === undefined ? undefined : Date.parse(since), top: topOf(request) },
        }
      : (state.deltas.read(list, token) ?? refuse(410, 'The sync state is not found.', 'SyncStateNotFound'));
  const { since: filtered, top = DEFAULT_TOP } = place;
  const lastModified = (root: GraphChatMessage) =>
    Math.max(...[root, ...teams.repliesOf(root.id)].map(({ modified }) => Date.parse(modified)));
  const pending = teams
    .threads(channel.id)
    .filter(({ change, created }) => change > place.after && Date.parse(created) > Date.now() - EIGHT_MONTHS_MS)
    .filter((root) => filtered === undefined || lastModified(root) > filtered)
    .toReversed();
  const page = pending.slice(0, Math.min(top, state.pageSize));
  const hasMore = pending.length > page.length;
  const after = page.at(-1)?.change ?? place.after;
  const path = `/v1.0/teams/${channel.teamId}/channels/${encodeURIComponent(channel.id)}/messages/delta`;
  const link = (name: string, next: typeof place) =>
    `${state.origin}${path}?$${name}=${state.deltas.issue(list, next)}`;
  return jsonResponse(200, {
    '@odata.context': `${state.origin}/v1.0/$metadata#Collection(chatMessage)`,
    value: page.map((root) => rootResource(state, request, root, place.fields)),
    ...(hasMore
      ? { '@odata.nextLink': link('skiptoken', { ...place, after }) }
      : { '@odata.deltaLink': link('deltatoken', { ...place, from: after, after: Math.max(after, place.after) }) }),
  });
}

/** https://learn.microsoft.com/en-us/graph/api/channel-list-allmembers */
function listMembers(
  state: GraphState,
  request: PlatformRequest,
  channel: GraphChannel,
  isAll: boolean,
): PlatformResponse {
  checkOptions(request, ['$select', '$filter', '$skiptoken']);
  const members = channel.members.filter(({ tenantId }) => isAll || tenantId === state.tenantId);
  const values = members.map((member, at) => ({
    ...{ '@odata.type': '#microsoft.graph.aadUserConversationMember', id: `member-${at}`, roles: [], ...member },
    visibleHistoryStartDateTime: '0001-01-01T00:00:00Z',
  }));
  return pageOf(state, request, { list: `members ${channel.id}`, most: 100, values });
}

/** https://learn.microsoft.com/en-us/graph/api/resources/teams-api-overview */
export function answerTeams(
  state: GraphState,
  request: PlatformRequest,
  [teamId, part, channelId, list, messageId, replies]: readonly string[],
): PlatformResponse {
  const { teams } = state.model;
  if (teamId === undefined) {
    checkOptions(request, ['$select', '$top', '$skiptoken']);
    const values = [...teams.teams.values()].map((team) => ({ ...team, description: null }));
    return pageOf(state, request, { list: 'teams', most: 100, values });
  }
  const team = teams.teams.get(teamId) ?? refuse(404, 'No team found with Group Id.', 'NotFound');
  if (part === undefined) {
    checkOptions(request, ['$select']);
    return jsonResponse(200, selected(request.query.get('$select'), team));
  }
  if (part !== 'channels') return refuse(400, 'Resource not found for the segment.', 'BadRequest');
  if (channelId === undefined) {
    checkOptions(request, ['$select', '$filter', '$skiptoken']);
    const values = teams.channelsOf(teamId).map((channel) => channelResource(request, channel));
    return pageOf(state, request, { list: `channels ${teamId}`, most: 100, values });
  }
  const channel = teams.channels.get(channelId);
  if (channel === undefined || channel.teamId !== teamId) return refuse(404, 'Channel not found.', 'NotFound');
  if (list === 'members' || list === 'allMembers') return listMembers(state, request, channel, list === 'allMembers');
  if (list !== 'messages') return refuse(400, 'Resource not found for the segment.', 'BadRequest');
  if (messageId === undefined) return listMessages(state, request, channel);
  if (messageId === 'delta') return deltaOfMessages(state, request, channel);
  const message = teams.messages.get(messageId);
  if (message === undefined || message.channelId !== channelId || message.replyToId !== undefined) {
    return refuse(404, 'Message not found.', 'NotFound');
  }
  if (replies === undefined) {
    checkOptions(request, []);
    return jsonResponse(200, messageResource(state, request, message));
  }
  checkOptions(request, ['$top', '$skiptoken']);
  topOf(request);
  const values = teams.repliesOf(message.id).map((reply) => messageResource(state, request, reply));
  return pageOf(state, request, { list: `replies ${message.id}`, most: DEFAULT_TOP, values });
}
