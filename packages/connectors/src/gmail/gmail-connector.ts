import { runChecks } from '#checks/run-checks';
import type { Connector, ConnectorCall } from '#connector';
import { parseItemId } from '#gmail/item-id';
import { listThreads } from '#gmail/list-threads';
import type { Mailboxes } from '#gmail/mailboxes';
import { readChanges, readCursor } from '#gmail/read-changes';
import { findItem, readItem } from '#gmail/read-item';
import { createGmailContext } from '#gmail/read-mailbox';
import type { ThreadFilter } from '#gmail/selection';
import { isPermanent } from '#google/directory-api';
import type { ConnectorHost } from '#host';
import type { SourcePermissions } from '#source';

export interface GmailSettings {
  readonly mailboxes: Mailboxes;
  readonly filter: ThreadFilter;
  /** Additional readers by the primary address of a shared mailbox. */
  readonly sharedReaders: ReadonlyMap<string, readonly string[]>;
}

/** Opens mailboxes. Each is private to its user, unless it is shared. */
export function openGmail(
  { mailboxes, filter, sharedReaders }: GmailSettings,
  { maxItemBytes }: Pick<ConnectorHost, 'maxItemBytes'>,
): Connector {
  const context = createGmailContext(mailboxes, filter);

  const readPermissions = async (call: ConnectorCall, id: string): Promise<SourcePermissions> => {
    const item = parseItemId(id);
    try {
      const found = item === undefined ? undefined : await mailboxes.find(call, item.mailbox);
      if (found === undefined) return { id, principals: [] };
      const { email } = found.mailbox;
      return { id, principals: [...new Set([`user:${email}`, ...(sharedReaders.get(email) ?? [])])] };
    } catch (error) {
      // Without a known owner, no one can read the document.
      if (!isPermanent(error) || error.kind === 'auth') throw error;
      return { id, principals: [] };
    }
  };

  return {
    test: (call) =>
      runChecks([
        ['mailboxes', () => mailboxes.test(call)],
        [
          'threads',
          async () => {
            const [first] = (await mailboxes.all(call)).selected;
            if (first !== undefined) await mailboxes.open(first).threads(call, { query: filter.query || undefined });
            return 'The threads of a mailbox can be listed.';
          },
        ],
      ]),
    list: (call, from) => listThreads(context, call, from),
    cursor: (call) => readCursor(context, call),
    changes: (call, from) => readChanges(context, call, from),
    resolve: (call, id) => findItem(context, call, id),
    fetch: (call, ref) => readItem(context, call, ref, maxItemBytes),
    async *permissions(call, refs) {
      for (const { id } of refs) yield await readPermissions(call, id);
    },
    // The users are cached.
    permissionsAreCheap: true,
    groups: (call) => mailboxes.groups(call),
  };
}
