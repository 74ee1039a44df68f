import { z } from 'zod';
import { entriesOf } from '#http/entries';

// https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.threads
// https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages#Message

/** Ids are parts of the ids of items. */
const GmailId = z.string().regex(/^[\da-f]{1,32}$/, 'must be a hexadecimal number');

/** 64-bit numbers are texts in JSON; small ones may not be. */
const digits = (max: number) =>
  z.union([z.string(), z.int().transform(String)]).pipe(z.string().regex(new RegExp(`^\\d{1,${max}}$`)));

export const Message = z.object({
  id: GmailId,
  labelIds: z.array(z.string()).default([]),
  /** Milliseconds since 1970. */
  internalDate: digits(15),
  /** Nested to any depth: it is read step by step. */
  payload: z.unknown().optional(),
});
export type Message = z.infer<typeof Message>;

export const Thread = z.object({ id: GmailId, messages: entriesOf(Message, { optional: true }) });
export type Thread = z.infer<typeof Thread>;

export const ThreadPage = z.object({
  threads: entriesOf(z.object({ id: GmailId }), { optional: true }),
  nextPageToken: z.string().min(1).optional(),
});
export type ThreadPage = z.infer<typeof ThreadPage>;

export const Label = z.object({ id: z.string().min(1), name: z.string(), type: z.string().optional() });
export type Label = z.infer<typeof Label>;
/** Each mailbox has the labels of the system. */
export const LabelList = z.object({
  labels: entriesOf(Label).refine(({ items, unreadable }) => items.length + unreadable.length > 0, 'must not be empty'),
});

const HistoryId = digits(20);
export const Profile = z.object({ emailAddress: z.string().includes('@').max(320), historyId: HistoryId });
export type Profile = z.infer<typeof Profile>;

const Changed = z.object({
  message: z.object({ id: GmailId, threadId: GmailId }),
  labelIds: z.array(z.string()).default([]),
});
const changes = z.array(Changed).default([]);
export const History = z.object({
  id: HistoryId,
  messagesAdded: changes,
  messagesDeleted: changes,
  labelsAdded: changes,
  labelsRemoved: changes,
});
export type History = z.infer<typeof History>;
export const HistoryPage = z.object({
  history: entriesOf(History, { optional: true }),
  nextPageToken: z.string().min(1).optional(),
  historyId: HistoryId,
});
export type HistoryPage = z.infer<typeof HistoryPage>;

export const AttachmentBody = z.object({ data: z.string().default('') });
