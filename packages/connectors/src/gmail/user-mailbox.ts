import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import { createGmailApi } from '#gmail/gmail-api';
import type { Mailbox, Mailboxes } from '#gmail/mailboxes';
import { createGmailErrorReader } from '#gmail/read-error';
import type { ConnectorHost } from '#host';
import { SourceError } from '#source-error';

const MAX_TOKENS = 10;

interface Owner {
  readonly token: string;
  readonly email: string;
}

/**
 * The mailbox of the user who authorized the connector. Another user can authorize it at any time, so
 * that each token is used only for the mailbox that it belongs to.
 */
export function createUserMailbox(host: Pick<ConnectorHost, 'addresses' | 'egress' | 'tokens'>): Mailboxes {
  const errorOf = createGmailErrorReader();
  const emails = createCache<string, string>({ maxEntries: MAX_TOKENS });
  const used = new WeakMap<ConnectorCall, string>();

  const ownerOf = async (call: ConnectorCall, token: string): Promise<Owner> => {
    const known = emails.get(token);
    if (known !== undefined) return { token, email: known };
    const api = createGmailApi(host, { authorize: async () => ({ authorization: `Bearer ${token}` }), errorOf });
    const email = (await api.profile(call)).emailAddress.toLowerCase();
    emails.set(token, email);
    return { token, email };
  };
  const current = async (call: ConnectorCall, rejected?: string): Promise<Owner> => {
    const renew = (token: string) => host.tokens.renew(token, call.signal);
    const token = rejected === undefined ? await host.tokens.access(call.signal) : await renew(rejected);
    try {
      return await ownerOf(call, token);
    } catch (error) {
      if (rejected !== undefined || !(error instanceof SourceError) || error.kind !== 'auth') throw error;
      return ownerOf(call, await renew(token));
    }
  };
  const find = async (call: ConnectorCall): Promise<Mailbox> => {
    const { email } = await current(call);
    return { id: email, email };
  };

  return {
    all: async (call) => ({ selected: [await find(call)], failures: [] }),
    find: async (call, id) => {
      const mailbox = await find(call);
      return mailbox.id === id ? { mailbox, inactive: false } : undefined;
    },
    open: (mailbox) =>
      createGmailApi(host, {
        authorize: async (call, rejected) => {
          const { token, email } = await current(call, rejected ? used.get(call) : undefined);
          if (email !== mailbox.email) {
            // A retry reads the other mailbox.
            throw new SourceError('transient', 'Another user authorized the connector during the request.');
          }
          used.set(call, token);
          return { authorization: `Bearer ${token}` };
        },
        errorOf,
      }),
    async *groups() {},
    test: async (call) => `The mailbox ${(await find(call)).email} can be read.`,
  };
}
