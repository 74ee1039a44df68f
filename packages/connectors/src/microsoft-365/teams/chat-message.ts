import { z } from 'zod';
import { type Entries, entriesOf } from '#http/entries';
import { PART_ID } from '#microsoft-365/teams/thread-id';

const Named = z.object({ displayName: z.string().optional() });
const Identity = z.object({ user: Named.optional(), application: Named.optional(), device: Named.optional() });

const Attachment = z.object({
  id: z.string().optional(),
  contentType: z.string().optional(),
  contentUrl: z.string().optional(),
  name: z.string().optional(),
});

/**
 * What a policy against data loss did. Both fields can have several values, separated by commas.
 * https://learn.microsoft.com/en-us/graph/api/resources/chatmessagepolicyviolation
 */
const PolicyViolation = z.object({ dlpAction: z.string().default(''), userAction: z.string().default('') });

const fields = {
  id: z.string().regex(PART_ID, 'is not an id'),
  messageType: z.string().default('message'),
  createdDateTime: z.string(),
  lastEditedDateTime: z.string().optional(),
  deletedDateTime: z.string().optional(),
  subject: z.string().optional(),
  webUrl: z.string().optional(),
  from: Identity.optional(),
  body: z.object({ contentType: z.string().default('text'), content: z.string().default('') }).optional(),
  attachments: z.array(Attachment).default([]),
  policyViolation: PolicyViolation.optional(),
};

/** https://learn.microsoft.com/en-us/graph/api/resources/chatmessage */
export const ChatMessage = z.object(fields);
export type ChatMessage = z.infer<typeof ChatMessage>;

/** A message of a list, perhaps with the first page of its replies. */
export const RootMessage = z.object({
  ...fields,
  /** Undefined if the list does not contain replies. */
  replies: entriesOf(ChatMessage).optional(),
  'replies@odata.nextLink': z.string().optional(),
});
export type RootMessage = z.infer<typeof RootMessage>;

/** Lists of changes can also name removed messages. */
export const ChangedMessage = z.union([
  RootMessage,
  z.object({ id: fields.id, '@removed': z.looseObject({}) }).transform(({ id }) => ({ id, isRemoved: true as const })),
]);
export type ChangedMessage = z.infer<typeof ChangedMessage>;

/** A message and its replies. */
export interface Thread {
  readonly root: ChatMessage;
  readonly replies: Entries<ChatMessage>;
  /** True if it has more replies than are read. */
  readonly isCut: boolean;
}

const valuesOf = (text = ''): readonly string[] => text.split(',').map((value) => value.trim().toLowerCase());

/** True if a policy hides the message, also if only from guests, and its author did not override that. */
function isBlocked({ policyViolation }: ChatMessage): boolean {
  const actions = valuesOf(policyViolation?.dlpAction);
  const blocks = actions.includes('blockaccess') || actions.includes('blockaccessexternal');
  return blocks && !valuesOf(policyViolation?.userAction).includes('override');
}

/** False for deleted and blocked messages, and for events like a new member. */
export const isVisible = (message: ChatMessage): boolean =>
  message.messageType === 'message' && message.deletedDateTime === undefined && !isBlocked(message);
