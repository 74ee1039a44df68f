import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { Entries } from '#http/entries';
import type { SourceHttp } from '#http/source-http';
import { type BatchResult, type GraphHttp, pageOf } from '#microsoft-365/graph-http';
import { batched, batchedLists } from '#microsoft-365/graph-lists';
import { encodePart, query, quoted } from '#microsoft-365/graph-query';
import { type DeltaPage, deltaPage, deltaResponse } from '#microsoft-365/listing/delta-page';
import {
  Attachment,
  ChangedMessage,
  ConversationMessage,
  FullMessage,
  MailMessage,
  MESSAGE_FIELDS,
} from '#microsoft-365/mail/message';
import type { AttachmentPlace, MessagePlace } from '#microsoft-365/mail/message-id';

const MESSAGES_PER_PAGE = 100;
/** A query for the current position reads no attachments. */
const MESSAGES_PER_LONG_PAGE = 500;
/**
 * The requests of a batch run at the same time, and a mailbox accepts four.
 * https://learn.microsoft.com/en-us/graph/throttling-limits#outlook-service-limits
 */
const MAILBOX_BATCH = 4;

const permission =
  'Add the application permission Mail.Read in Entra ID, grant admin consent, and include the mailbox in the policy that limits the application to mailboxes.';

/** Ids that stay if a message moves. https://learn.microsoft.com/en-us/graph/outlook-immutable-id */
const prefer = (pageSize?: number) => ({
  prefer: ['IdType="ImmutableId"', ...(pageSize === undefined ? [] : [`odata.maxpagesize=${pageSize}`])].join(', '),
});

const Folder = z.object({
  '@odata.type': z.string().optional(),
  id: z.string().min(1),
  displayName: z.string(),
  childFolderCount: z.number(),
  totalItemCount: z.number().default(0),
});
export type Folder = z.infer<typeof Folder>;
const FOLDER_FIELDS = 'id,displayName,childFolderCount,totalItemCount';

const CONVERSATION_FIELDS = 'id,parentFolderId,receivedDateTime,sentDateTime';

const ATTACHMENT_FIELDS = 'id,name,contentType,size,isInline,lastModifiedDateTime';

export interface MailApi {
  /** Reads the folders in a folder, or those of the mailbox. */
  folders(call: ConnectorCall, user: string, parent: string | undefined): AsyncGenerator<Entries<Folder>, void, void>;
  /** Returns the ids of folders with a fixed name, in their order. */
  wellKnownFolders(
    call: ConnectorCall,
    user: string,
    names: readonly string[],
  ): Promise<readonly BatchResult<{ readonly id: string }>[]>;
  /** Reads a page of the messages of a folder, from a link or the beginning. */
  messages(
    call: ConnectorCall,
    place: { readonly user: string; readonly folder: string },
    link: string | undefined,
    isLong?: boolean,
  ): Promise<DeltaPage<ChangedMessage>>;
  changes(call: ConnectorCall, link: string): Promise<DeltaPage<ChangedMessage>>;
  message(call: ConnectorCall, place: MessagePlace): Promise<MailMessage>;
  fullMessage(call: ConnectorCall, place: MessagePlace): Promise<FullMessage>;
  /** Reads up to 100 messages of a conversation, in any order. */
  conversation(call: ConnectorCall, user: string, id: string): Promise<Entries<ConversationMessage>>;
  /** Reads the attachments of messages, in their order, without their content. */
  attachments(
    call: ConnectorCall,
    messages: readonly MessagePlace[],
  ): Promise<readonly BatchResult<Entries<Attachment>>[]>;
  attachment(call: ConnectorCall, place: AttachmentPlace): Promise<Attachment>;
  content(call: ConnectorCall, place: AttachmentPlace): ReturnType<SourceHttp['download']>;
}

const userPath = (user: string) => `/users/${encodePart(user)}`;
const folderPath = (user: string, folder: string) => `${userPath(user)}/mailFolders/${encodePart(folder)}`;
const messagePath = ({ user, message }: MessagePlace) => `${userPath(user)}/messages/${encodePart(message)}`;
const attachmentPath = (place: AttachmentPlace) => `${messagePath(place)}/attachments/${encodePart(place.attachment)}`;

const MessagesResponse = deltaResponse(ChangedMessage);

export function createMailApi(http: GraphHttp): MailApi {
  const ofMessages = { what: 'the messages of a folder', permission };
  return {
    folders: (call, user, parent) => {
      const options = query({ $select: FOLDER_FIELDS, $top: '100' });
      const path = parent === undefined ? `${userPath(user)}/mailFolders` : `${folderPath(user, parent)}/childFolders`;
      const what = `the folders of the mailbox ${user}`;
      return http.pages(call, { path: `${path}?${options}`, what, permission }, Folder);
    },
    wellKnownFolders: (call, user, names) =>
      batched(
        http,
        call,
        names.map((name) => ({
          ...{ path: `${folderPath(user, name)}?$select=id`, what: `the folders of the mailbox ${user}`, permission },
        })),
        z.object({ id: z.string().min(1) }),
        MAILBOX_BATCH,
      ),
    messages: async (call, { user, folder }, link, isLong = false) => {
      const headers = prefer(isLong ? MESSAGES_PER_LONG_PAGE : MESSAGES_PER_PAGE);
      const path = `${folderPath(user, folder)}/messages/delta?${query({ $select: MESSAGE_FIELDS })}`;
      const page = await (link === undefined
        ? http.get(call, { ...ofMessages, path, headers }, MessagesResponse)
        : http.follow(call, link, { ...ofMessages, headers }, MessagesResponse));
      return deltaPage(page, 'messages');
    },
    changes: async (call, link) => {
      const headers = prefer(MESSAGES_PER_PAGE);
      return deltaPage(await http.follow(call, link, { ...ofMessages, headers }, MessagesResponse), 'messages');
    },
    message: (call, place) => {
      const path = `${messagePath(place)}?${query({ $select: MESSAGE_FIELDS })}`;
      return http.get(call, { path, what: 'the message', permission, headers: prefer() }, MailMessage);
    },
    fullMessage: (call, place) => {
      const path = `${messagePath(place)}?${query({ $select: `${MESSAGE_FIELDS},body,uniqueBody` })}`;
      return http.get(call, { path, what: 'the message', permission, headers: prefer() }, FullMessage);
    },
    conversation: async (call, user, id) => {
      const options = { $filter: `conversationId eq ${quoted(id)}`, $select: CONVERSATION_FIELDS, $top: '100' };
      const path = `${userPath(user)}/messages?${query(options)}`;
      const from = { path, what: 'the messages of a conversation', permission, headers: prefer() };
      return (await http.get(call, from, pageOf(ConversationMessage))).value;
    },
    attachments: (call, messages) =>
      batchedLists(
        http,
        call,
        messages.map((place) => ({
          path: `${messagePath(place)}/attachments?${query({ $select: ATTACHMENT_FIELDS })}`,
          ...{ what: 'the attachments of a message', permission, headers: prefer() },
        })),
        Attachment,
        MAILBOX_BATCH,
      ),
    attachment: (call, place) => {
      const path = `${attachmentPath(place)}?${query({ $select: ATTACHMENT_FIELDS })}`;
      return http.get(call, { path, what: 'the attachment', permission, headers: prefer() }, Attachment);
    },
    content: (call, place) =>
      http.download(call, {
        ...{ path: `${attachmentPath(place)}/$value`, what: 'the attachment', permission, headers: prefer() },
      }),
  };
}
