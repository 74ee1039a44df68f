import type { GraphUser } from '#emulators/microsoft-365/graph-model';
import { checkOptions, type GraphState, pageOf, refuse, selected } from '#emulators/microsoft-365/graph-responses';
import {
  type GraphMail,
  type GraphMailAttachment,
  type GraphMailFolder,
  WELL_KNOWN,
} from '#emulators/microsoft-365/mail-model';
import { jsonResponse, type PlatformRequest, type PlatformResponse } from '#emulators/platform/platform-server';

const preferOf = ({ headers }: PlatformRequest): string => String(headers.prefer ?? '');

/**
 * Without the header, the id of a message changes when it moves.
 * https://learn.microsoft.com/en-us/graph/outlook-immutable-id
 */
const isImmutable = (request: PlatformRequest): boolean => /(?:^|,\s*)IdType="ImmutableId"/.test(preferOf(request));
const movingId = ({ id, folderId }: GraphMail): string => `${id.slice(0, -1)}${folderId.slice(4, 12)}=`;
const idOf = (request: PlatformRequest, message: GraphMail): string =>
  isImmutable(request) ? message.id : movingId(message);

/** https://learn.microsoft.com/en-us/graph/api/resources/mailfolder */
function folderResource({ model }: GraphState, folder: GraphMailFolder): object {
  const { id, userId, displayName, parentId, isSearch } = folder;
  const messages = model.mail.messagesOf(userId).filter(({ folderId }) => folderId === id);
  return {
    ...(isSearch ? { '@odata.type': '#microsoft.graph.mailSearchFolder' } : {}),
    ...{ id, displayName, parentFolderId: parentId ?? 'AQMkROOT=', isHidden: false },
    childFolderCount: model.mail.foldersOf(userId, id).length,
    ...{ totalItemCount: messages.length, unreadItemCount: 0 },
  };
}

/** Replies and forwards have the conversation of their original. */
const conversationOf = ({ subject }: GraphMail): string => `conversation-${subject.replace(/^((RE|FW|WG): )+/, '')}`;

/** https://learn.microsoft.com/en-us/graph/api/resources/message */
function messageResource(state: GraphState, request: PlatformRequest, message: GraphMail): object {
  const { subject, body, contentType, uniqueBody = body, received, version, folderId } = message;
  const user = state.model.users.get(message.userId);
  const person = (name: string, address: string) => ({ emailAddress: { name, address } });
  return {
    '@odata.type': '#microsoft.graph.message',
    '@odata.etag': `W/"${version}"`,
    ...{ id: idOf(request, message), parentFolderId: folderId, changeKey: `CK${message.id.slice(4, 10)}${version}` },
    ...{ subject, bodyPreview: body.slice(0, 255), isDraft: false, isRead: message.isRead, importance: 'normal' },
    ...{ from: person('Grace Hopper', 'grace@partner.example'), sender: person('', 'grace@partner.example') },
    toRecipients: [person(user?.displayName ?? '', user?.mail ?? '')],
    ...{ ccRecipients: [], bccRecipients: [person('Secret', 'secret@example.com')], replyTo: [] },
    ...{ receivedDateTime: received, sentDateTime: received, createdDateTime: received },
    lastModifiedDateTime: new Date(Date.parse(received) + version * 1_000).toISOString(),
    hasAttachments: message.attachments.some(({ isInline }) => !isInline),
    ...{ conversationId: conversationOf(message), internetMessageId: `<${message.id}@partner.example>` },
    webLink: `https://outlook.office365.com/owa/?ItemID=${encodeURIComponent(message.id)}`,
    ...{ body: { contentType, content: body }, uniqueBody: { contentType, content: uniqueBody } },
  };
}

/** `uniqueBody` must be selected. */
const withoutUniqueBody = (fields: string | null, resource: object): object =>
  fields === null ? Object.fromEntries(Object.entries(resource).filter(([name]) => name !== 'uniqueBody')) : resource;

/** Returns the selected fields, the id and the annotations. */
function shown(fields: string | null, resource: object): object {
  const annotations = Object.entries(resource).filter(([name]) => name.startsWith('@') || name === 'id');
  return { ...Object.fromEntries(annotations), ...selected(fields, withoutUniqueBody(fields, resource)) };
}

/**
 * Lists the messages of a folder by their last change, and those that left it since the query began.
 * https://learn.microsoft.com/en-us/graph/api/message-delta
 */
function deltaOfFolder(state: GraphState, request: PlatformRequest, folder: GraphMailFolder): PlatformResponse {
  const { query } = request;
  const { mail } = state.model;
  const list = `folder ${folder.id}`;
  const token = query.get('$skiptoken') ?? query.get('$deltatoken');
  checkOptions(request, token === null ? ['$select', '$top'] : ['$skiptoken', '$deltatoken']);
  const beginning = { from: undefined, startedAt: mail.changes, after: 0, fields: query.get('$select') };
  const place =
    token === null
      ? beginning
      : (state.deltas.read(list, token) ?? refuse(410, 'The sync state is not found.', 'SyncStateNotFound'));
  const start = place.from ?? place.startedAt;
  const pending = [...mail.messages.values()]
    .filter(({ userId }) => userId === folder.userId)
    .flatMap((message) => {
      const left = message.left.get(folder.id) ?? 0;
      if (left > Math.max(place.after, start)) return [{ message, at: left, isRemoved: true }];
      const isHere = message.folderId === folder.id && !message.isGone && message.change > place.after;
      return isHere ? [{ message, at: message.change, isRemoved: false }] : [];
    })
    .sort((a, b) => a.at - b.at);
  const size = Number(/odata\.maxpagesize=(\d+)/.exec(preferOf(request))?.[1] ?? 10);
  if (size < 1 || size > 1_000) refuse(400, 'The page size is not supported.', 'ErrorInvalidRequest');
  const page = pending.slice(0, Math.min(size, state.pageSize));
  const hasMore = pending.length > page.length;
  const after = page.at(-1)?.at ?? place.after;
  const path = `/v1.0/users/${folder.userId}/mailFolders('${encodeURIComponent(folder.id)}')/messages/delta`;
  const link = (name: string, next: typeof place) =>
    `${state.origin}${path}?$${name}=${state.deltas.issue(list, next)}`;
  return jsonResponse(200, {
    '@odata.context': `${state.origin}/v1.0/$metadata#Collection(message)`,
    value: page.map(({ message, isRemoved }) =>
      isRemoved
        ? {
            '@odata.type': '#microsoft.graph.message',
            ...{ id: idOf(request, message), '@removed': { reason: 'deleted' } },
          }
        : message.contentChange > place.after
          ? shown(place.fields, messageResource(state, request, message))
          : // Without the selected fields, which are unchanged.
            {
              '@odata.type': '#microsoft.graph.message',
              ...{ id: idOf(request, message), parentFolderId: message.folderId, isRead: message.isRead },
            },
    ),
    ...(hasMore
      ? { '@odata.nextLink': link('skiptoken', { ...place, after }) }
      : {
          '@odata.deltaLink': link('deltatoken', {
            ...place,
            from: Math.max(after, start),
            after: Math.max(after, start),
          }),
        }),
  });
}

/** Folders in the form `mailFolders/<id>` or `mailFolders('<id>')`, also with a fixed name. */
function answerFolders(
  state: GraphState,
  request: PlatformRequest,
  user: GraphUser,
  [name, part, delta]: readonly string[],
): PlatformResponse {
  const { mail } = state.model;
  const listed = (parentId: string | undefined) => {
    checkOptions(request, ['$select', '$top', '$skiptoken', 'includeHiddenFolders']);
    const values = mail.foldersOf(user.id, parentId).map((folder) => folderResource(state, folder));
    const fields = request.query.get('$select');
    const all = values.map((value) => shown(fields, value));
    request.query.delete('$select');
    return pageOf(state, request, { list: `folders ${user.id} ${parentId}`, most: 10, values: all });
  };
  if (name === undefined) return listed(undefined);
  const known = WELL_KNOWN.find((each) => each === name.toLowerCase());
  const folder = known === undefined ? mail.folders.get(name) : mail.wellKnown(user.id, known);
  if (folder === undefined || folder.userId !== user.id) {
    return refuse(404, 'The specified object was not found in the store.', 'ErrorItemNotFound');
  }
  if (part === undefined) {
    checkOptions(request, ['$select']);
    return jsonResponse(200, shown(request.query.get('$select'), folderResource(state, folder)));
  }
  if (part === 'childFolders') return listed(folder.id);
  if (part === 'messages' && delta === 'delta') return deltaOfFolder(state, request, folder);
  return refuse(400, 'Resource not found for the segment.', 'BadRequest');
}

/** https://learn.microsoft.com/en-us/graph/api/resources/attachment */
function attachmentResource(attachment: GraphMailAttachment): object {
  const { id, kind, name, contentType, isInline, content } = attachment;
  return {
    ...{ '@odata.type': `#microsoft.graph.${kind}Attachment`, id, name, contentType, isInline },
    ...{ size: Buffer.byteLength(content) + 128, lastModifiedDateTime: '2026-03-01T08:00:00Z' },
    ...(kind === 'file' ? { contentId: null, contentBytes: Buffer.from(content).toString('base64') } : {}),
  };
}

/** https://learn.microsoft.com/en-us/graph/api/attachment-get */
function answerAttachments(
  state: GraphState,
  request: PlatformRequest,
  message: GraphMail,
  [id, value]: readonly string[],
): PlatformResponse {
  if (id === undefined) {
    checkOptions(request, ['$select', '$skiptoken']);
    const fields = request.query.get('$select');
    const values = message.attachments.map((attachment) => shown(fields, attachmentResource(attachment)));
    request.query.delete('$select');
    return pageOf(state, request, { list: `attachments ${message.id}`, most: 100, values });
  }
  const attachment = message.attachments.find((each) => each.id === id);
  if (attachment === undefined) return refuse(404, 'The specified object was not found.', 'ErrorItemNotFound');
  if (value === undefined) {
    checkOptions(request, ['$select']);
    return jsonResponse(200, shown(request.query.get('$select'), attachmentResource(attachment)));
  }
  if (value !== '$value') return refuse(400, 'Resource not found for the segment.', 'BadRequest');
  if (attachment.kind === 'reference') return refuse(405, 'A link has no content.', 'ErrorInvalidRequest');
  const type = attachment.contentType ?? 'text/plain';
  return { status: 200, headers: { 'content-type': type }, body: attachment.content };
}

/** https://learn.microsoft.com/en-us/graph/api/user-list-messages */
function listConversation(state: GraphState, request: PlatformRequest, user: GraphUser): PlatformResponse {
  checkOptions(request, ['$select', '$top', '$filter', '$skiptoken']);
  const [, quoted] = /^conversationId eq '((?:[^']|'')*)'$/.exec(request.query.get('$filter') ?? '') ?? [];
  if (quoted === undefined) return refuse(400, 'The filter is not supported.', 'ErrorInvalidUrlQueryFilter');
  const id = quoted.replaceAll("''", "'");
  const fields = request.query.get('$select');
  const values = state.model.mail
    .messagesOf(user.id)
    .filter((message) => conversationOf(message) === id)
    .map((message) => shown(fields, messageResource(state, request, message)));
  request.query.delete('$select');
  return pageOf(state, request, { list: `conversation ${id}`, most: 10, values });
}

/** https://learn.microsoft.com/en-us/graph/api/resources/mail-api-overview */
export function answerMail(
  state: GraphState,
  request: PlatformRequest,
  user: GraphUser,
  [part = '', ...rest]: readonly string[],
): PlatformResponse {
  const { mail } = state.model;
  if (!mail.hasMailbox(user.id)) {
    return refuse(
      404,
      'The mailbox is either inactive, soft-deleted, or is hosted on-premise.',
      'MailboxNotEnabledForRESTAPI',
    );
  }
  const [, quoted] = /^mailFolders\('(.+)'\)$/.exec(part) ?? [];
  if (quoted !== undefined) return answerFolders(state, request, user, [quoted, ...rest]);
  if (part === 'mailFolders') return answerFolders(state, request, user, rest);
  if (part === 'messages' && rest.length === 0) return listConversation(state, request, user);
  const [id = '', list, ...more] = rest;
  const message = mail.messagesOf(user.id).find((each) => each.id === id || movingId(each) === id);
  if (part !== 'messages' || message === undefined) {
    return refuse(404, 'The specified object was not found in the store.', 'ErrorItemNotFound');
  }
  if (list === 'attachments') return answerAttachments(state, request, message, more);
  checkOptions(request, ['$select']);
  const fields = request.query.get('$select');
  return jsonResponse(200, shown(fields, messageResource(state, request, message)));
}
