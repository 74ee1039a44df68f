import type { ConnectorCall } from '#connector';
import type { GmailApi } from '#gmail/gmail-api';
import type { SourceEvent, SourceGroup } from '#source';

/** The mailbox of one user. */
export interface Mailbox {
  /** The id of the user in the directory; without a directory, the address. */
  readonly id: string;
  /** The primary address, in lower case. */
  readonly email: string;
}

/** The mailboxes that a connector reads. */
export interface Mailboxes {
  /** Returns the mailboxes sorted by id, and what to report about others. */
  all(call: ConnectorCall): Promise<{
    readonly selected: readonly Mailbox[];
    readonly failures: readonly SourceEvent[];
  }>;
  /**
   * Finds a mailbox by its id. Undefined if it is not selected or no longer exists. `inactive`: it
   * exists but is unreadable, for example because the user is suspended.
   */
  find(call: ConnectorCall, id: string): Promise<{ readonly mailbox: Mailbox; readonly inactive: boolean } | undefined>;
  open(mailbox: Mailbox): GmailApi;
  groups(call: ConnectorCall): AsyncGenerator<SourceGroup, void, void>;
  /** Tests the access to the list of mailboxes. Returns a message. */
  test(call: ConnectorCall): Promise<string>;
}
