import type { AttachmentPart } from '#imap/body-parts';
import { itemId, type MessagePlace, versionOf } from '#imap/item-id';
import type { MessageFacts } from '#imap/message-facts';
import type { SourceRef } from '#source';

const NO_SUBJECT = '(no subject)';

export const titleOf = ({ subject }: MessageFacts): string => (subject === '' ? NO_SUBJECT : subject);

/** A message in a mailbox. */
export interface FoundMessage {
  readonly mailbox: string;
  readonly place: MessagePlace;
  readonly facts: MessageFacts;
}

export function messageRef({ mailbox, place, facts }: FoundMessage): SourceRef {
  return {
    id: itemId(mailbox, facts.key),
    path: `${mailbox}/${place.folder}/${titleOf(facts)}`,
    version: versionOf(place, facts.labels),
    title: titleOf(facts),
    author: facts.author,
    mimeType: 'message/rfc822',
    updatedAt: facts.sentAt,
  };
}

export function attachmentRef({ mailbox, place, facts }: FoundMessage, attachment: AttachmentPart): SourceRef {
  return {
    id: itemId(mailbox, facts.key, attachment.part),
    path: `${mailbox}/${place.folder}/${titleOf(facts)}/${attachment.fileName}`,
    version: versionOf(place),
    title: attachment.fileName,
    author: facts.author,
    mimeType: attachment.mimeType,
    updatedAt: facts.sentAt,
  };
}

/** Returns the items of a message: itself, then its attachments. */
export const refsOf = (found: FoundMessage, readsAttachments: boolean): readonly SourceRef[] => [
  messageRef(found),
  ...(readsAttachments ? found.facts.attachments.map((attachment) => attachmentRef(found, attachment)) : []),
];
