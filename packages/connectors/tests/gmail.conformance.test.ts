import { startGmailServer } from '@lectern/testing';
import { gmailType } from '#gmail/gmail-type';
import { publicAddresses } from '#host';
import { escapeHtml } from '#html/clean-html';
import { platformSource, revokedTokens } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import type { TestSource } from './conformance/test-source.ts';
import { openType } from './support/open-type.ts';
import { withPlainText } from './support/plain-text.ts';
import { createRefreshingTokens } from './support/refreshing-tokens.ts';
import { createTestHost } from './support/test-host.ts';

const USERS = ['100000001', '100000002'] as const;

/** Two users have the threads in turns. Every third message has HTML; every fifth a picture, which is no item. */
async function startDomain(): Promise<TestSource> {
  const server = await startGmailServer({ pageSize: 7 });
  const { directory, delegation, origin } = server;
  directory.putUser({ id: USERS[1], primaryEmail: 'bob@example.com' });
  const addresses = { ...publicAddresses, gmail: origin, googleAdmin: origin, googleToken: `${origin}/token` };
  const host = createTestHost({ addresses });
  return {
    ...platformSource(server),
    open: (credentials = 'valid') =>
      withPlainText(
        openType(
          gmailType,
          {},
          {
            serviceAccountKey: delegation.keyFile({ revoked: credentials === 'wrong' }),
            adminEmail: 'ada@example.com',
          },
          host,
        ),
      ),
    ...threads(server, USERS, (user) => user),
    expireTokens: () => delegation.expireTokens(),
    // The first token of each user is no renewal.
    renewals: () => Math.max(0, ...[...delegation.issued.values()].map((count) => count - 1)),
    stop: async () => {
      await host.close();
      await server.stop();
    },
  };
}

async function startUser(): Promise<TestSource> {
  const server = await startGmailServer({ pageSize: 7 });
  const { oauth, origin } = server;
  const addresses = { ...publicAddresses, gmail: origin };
  const tokens = createRefreshingTokens(server, '/token', gmailType.oauth!, oauth.grant());
  const host = createTestHost({ addresses, tokens });
  return {
    ...platformSource(server),
    open: (credentials = 'valid') =>
      withPlainText(openType(gmailType, {}, {}, { ...host, tokens: credentials === 'wrong' ? revokedTokens : tokens })),
    ...threads(server, [USERS[0]], () => 'ada@example.com'),
    expireTokens: () => oauth.expireAccess(),
    renewals: () => oauth.refreshes,
    stop: async () => {
      await host.close();
      await server.stop();
    },
  };
}

function threads(
  server: Awaited<ReturnType<typeof startGmailServer>>,
  users: readonly string[],
  mailboxId: (user: string) => string,
): Pick<TestSource, 'add' | 'change' | 'remove'> {
  let number = 0;
  const find = (id: string) => {
    const threadId = id.split('/')[1]!;
    const mailbox = users.map(server.mailbox).find((candidate) => candidate.thread(threadId).length > 0)!;
    return { threadId, mailbox, messages: mailbox.thread(threadId) };
  };
  return {
    add: async (items) =>
      items.map(({ name, text }) => {
        const user = users[number % users.length]!;
        number += 1;
        const body = number % 3 === 0 ? { html: `<div>${escapeHtml(text)}</div>` } : { text };
        const picture = { mimeType: 'image/png', filename: 'photo.png', content: new Uint8Array([1, 2, 3]) };
        const attachments = number % 5 === 0 ? [picture] : [];
        const { threadId } = server.mailbox(user).deliver({ subject: name, ...body, attachments });
        return `${mailboxId(user)}/${threadId}`;
      }),
    change: async (id, text) => {
      const { mailbox, threadId } = find(id);
      mailbox.deliver({ threadId, text });
    },
    remove: async (id) => {
      const { mailbox, messages } = find(id);
      number += 1;
      for (const message of messages) {
        if (number % 2 === 0) mailbox.trash(message.id);
        else mailbox.remove(message.id);
      }
    },
  };
}

runConformance({ type: 'gmail with a service account', lacks: ['rename', 'writing'], start: startDomain });
runConformance({ type: 'gmail', lacks: ['rename', 'writing'], start: startUser, many: 1_200 });
