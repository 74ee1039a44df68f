import { BUILTIN_MODEL_ID } from '@lectern/extractive';
import { z } from 'zod';
import { documentsOf, type Readable, type ReplyDocuments } from '#conversations/readable-replies';

/** A message of a shared conversation. */
export interface SharedMessage extends ReplyDocuments {
  readonly id: string;
  readonly role: string;
  readonly model: string | null;
  readonly shownDocuments: unknown;
}

const storedIds = z.array(z.string()).nullable();

/** The documents whose text a reply could contain. Undefined if they are unknown. */
function shownIn(message: SharedMessage): readonly string[] | undefined {
  const shown = storedIds.parse(message.shownDocuments);
  return shown === null ? undefined : [...documentsOf(message), ...shown];
}

/** The documents to ask for, before `repliesForOthers`. */
export const documentsForOthers = (message: SharedMessage): readonly string[] => shownIn(message) ?? [];

/**
 * Returns the ids of the replies that a reader other than the owner may see, of all messages in their order. Such a
 * reader may never have had access to a document, and a model can put its content in other words. Therefore the reader
 * must be able to read everything that the model saw: also the replies before.
 */
export function repliesForOthers(messages: readonly SharedMessage[], readable: Readable): ReadonlySet<string> {
  const visible = new Set<string>();
  let isEarlierHidden = false;
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    const isTraced = message.model === BUILTIN_MODEL_ID || !isEarlierHidden;
    if (isTraced && shownIn(message)?.every((id) => readable.has(id)) === true) visible.add(message.id);
    else isEarlierHidden = true;
  }
  return visible;
}
