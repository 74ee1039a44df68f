import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canContainText } from '#media-type';
import type { MailFolder } from '#microsoft-365/mail/mail-folders';
import type { Mailbox } from '#microsoft-365/mail/mailboxes';
import { attachmentItemId, messageItemId, PART_ID } from '#microsoft-365/mail/message-id';
import type { SourceRef } from '#source';

const Id = z.string().regex(PART_ID, 'is not an id');

export const Person = z.object({
  emailAddress: z.object({ name: z.string().optional(), address: z.string().optional() }).optional(),
});
export type Person = z.infer<typeof Person>;

/** https://learn.microsoft.com/en-us/graph/api/resources/message */
export const MailMessage = z.object({
  id: Id,
  parentFolderId: z.string(),
  changeKey: z.string().optional(),
  lastModifiedDateTime: z.string().optional(),
  subject: z.string().optional(),
  from: Person.optional(),
  sender: Person.optional(),
  toRecipients: z.array(Person).default([]),
  ccRecipients: z.array(Person).default([]),
  receivedDateTime: z.string().optional(),
  sentDateTime: z.string().optional(),
  hasAttachments: z.boolean(),
  conversationId: z.string().optional(),
  webLink: z.string().optional(),
});
export type MailMessage = z.infer<typeof MailMessage>;

/** The fields to request. Without `$select`, lists contain the texts too. */
export const MESSAGE_FIELDS =
  'id,parentFolderId,changeKey,lastModifiedDateTime,subject,from,sender,toRecipients,ccRecipients,receivedDateTime,sentDateTime,hasAttachments,conversationId,webLink';

const Body = z.object({ contentType: z.string(), content: z.string().default('') });

/** A message with its texts: `uniqueBody` lacks what it quotes of its conversation. */
export const FullMessage = MailMessage.extend({ body: Body.optional(), uniqueBody: Body.optional() });
export type FullMessage = z.infer<typeof FullMessage>;

/**
 * Lists of changes also contain messages that left the folder, and only the id and a few fields of
 * messages with a small change, for example of those that were read.
 */
export const ChangedMessage = z.union([
  MailMessage,
  z.object({ id: Id, '@removed': z.looseObject({}) }).transform(({ id }) => ({ id, is: 'removed' as const })),
  z
    .looseObject({ id: Id })
    .refine((entry) => !('hasAttachments' in entry) && !('@removed' in entry))
    .transform(({ id }) => ({ id, is: 'partial' as const })),
]);
export type ChangedMessage = z.infer<typeof ChangedMessage>;

/** A message of a conversation. */
export const ConversationMessage = MailMessage.pick({
  ...{ id: true, parentFolderId: true, receivedDateTime: true, sentDateTime: true },
});
export type ConversationMessage = z.infer<typeof ConversationMessage>;

/** https://learn.microsoft.com/en-us/graph/api/resources/attachment */
export const Attachment = z.object({
  '@odata.type': z.string().optional(),
  id: Id,
  name: z.string().optional(),
  contentType: z.string().optional(),
  size: z.number().optional(),
  isInline: z.boolean().default(false),
  lastModifiedDateTime: z.string().optional(),
});
export type Attachment = z.infer<typeof Attachment>;

const SIGNATURE = /^application\/(x-)?(pkcs7|pgp)-signature\b/i;

const isKind = (attachment: Attachment, kind: string): boolean =>
  attachment['@odata.type']?.toLowerCase() === `#microsoft.graph.${kind}`;

/** True for an attached message, event or contact. */
export const isAttachedItem = (attachment: Attachment): boolean => isKind(attachment, 'itemattachment');

const PICTURE = /\.(?:avif|bmp|emz|gif|heic|ico|jpe?g|png|svg|tiff?|webp|wmz)$/i;

/** True for a picture in the text. Some mail programs also mark files as inline, for example a PDF. */
export const isPicture = ({ isInline, contentType = '', name = '' }: Attachment): boolean =>
  isInline && (/^image\//i.test(contentType) || PICTURE.test(name.trim()));

/**
 * Returns false for pictures in the text, signatures, files without text, and links to files, which
 * have no content.
 */
export function isReadable(attachment: Attachment): boolean {
  const { contentType } = attachment;
  if (isPicture(attachment) || isKind(attachment, 'referenceattachment') || SIGNATURE.test(contentType ?? '')) {
    return false;
  }
  return canContainText(contentType);
}

export const nameOfAttachment = (attachment: Attachment): string => {
  const name = (attachment.name ?? '').replaceAll('/', '_').trim();
  return name === '' ? 'attachment' : name;
};

export const subjectOf = ({ subject = '' }: Pick<MailMessage, 'subject'>): string =>
  subject.trim() === '' ? '(no subject)' : subject.trim();

/** The name and address of a person, as mail programs show it. */
export function shownPerson({ emailAddress }: Person): string | undefined {
  const { name = '', address = '' } = emailAddress ?? {};
  if (address === '') return name === '' ? undefined : name;
  return name === '' || name === address ? address : `${name} <${address}>`;
}

const authorOf = ({ from, sender }: MailMessage): string | undefined => {
  const { name = '', address = '' } = (from ?? sender)?.emailAddress ?? {};
  return name !== '' ? name : address !== '' ? address : undefined;
};

export const timeOf = ({
  receivedDateTime,
  sentDateTime,
}: Pick<MailMessage, 'receivedDateTime' | 'sentDateTime'>): string | undefined => receivedDateTime ?? sentDateTime;

/** The path is part of the version, because the folder of a message can get another name. */
const hashOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 8);

/** Where a message is. */
export interface MessageHome {
  readonly mailbox: Mailbox;
  readonly folder: MailFolder;
}

const pathOf = ({ mailbox, folder }: MessageHome, message: MailMessage): string =>
  `${mailbox.address}/${folder.path}/${subjectOf(message).replaceAll('/', '_')}`;

export function messageRef(home: MessageHome, message: MailMessage): SourceRef {
  const path = pathOf(home, message);
  return {
    id: messageItemId({ user: home.mailbox.id, message: message.id }),
    path,
    version: `${message.changeKey ?? message.lastModifiedDateTime ?? ''}:${hashOf(path)}`,
    title: subjectOf(message),
    url: message.webLink,
    author: authorOf(message),
    mimeType: 'text/html',
    updatedAt: timeOf(message),
  };
}

export function attachmentRef(home: MessageHome, message: MailMessage, attachment: Attachment): SourceRef {
  const name = nameOfAttachment(attachment);
  const path = `${pathOf(home, message)}/${name}`;
  const { id, size, contentType, lastModifiedDateTime } = attachment;
  return {
    id: attachmentItemId({ user: home.mailbox.id, message: message.id, attachment: id }),
    path,
    version: `${lastModifiedDateTime ?? ''}:${size ?? ''}:${hashOf(path)}`,
    title: name,
    url: message.webLink,
    author: authorOf(message),
    sizeBytes: isAttachedItem(attachment) ? undefined : size,
    mimeType: isAttachedItem(attachment) ? undefined : contentType,
    updatedAt: timeOf(message),
  };
}
