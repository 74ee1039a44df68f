import { startGraphServer } from '@lectern/testing';
import { microsoft365Type } from '#microsoft-365/microsoft-365-type';
import { platformSource } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import type { TestSource } from './conformance/test-source.ts';
import { openType } from './support/open-type.ts';
import { encodeHtml, withPlainText } from './support/plain-text.ts';
import { createTestHost } from './support/test-host.ts';

/** Every third message is in a personal mailbox, every fourth in a folder of a folder. */
async function start(): Promise<TestSource> {
  const server = await startGraphServer({ pageSize: 7 });
  const host = createTestHost({ allow: new URL(server.origin).host });
  const { model, tenantId, clientId, clientSecret } = server;
  const { mail } = model;
  const users = [model.addUser('Help', { accountEnabled: false }), model.addUser('Ada')];
  for (const { id } of users) mail.addMailbox(id);
  const folders = users.map(({ id }) => mail.addFolder(id, 'Plans/2026', mail.wellKnown(id, 'inbox').id).id);
  let number = 0;
  const messageOf = (id: string) => id.split('/')[2] ?? '';
  return {
    ...platformSource(server),
    open: (credentials = 'valid') => {
      const secret = credentials === 'valid' ? clientSecret : 'wrong';
      const config = {
        ...{ sharedMailboxes: 'help@example.com', mailboxes: 'ada@example.com', mailboxReaders: 'bob@example.com' },
        endpoint: server.origin,
      };
      return withPlainText(openType(microsoft365Type, config, { tenantId, clientId, clientSecret: secret }, host));
    },
    add: async (items) =>
      items.map(({ name, text }) => {
        number += 1;
        const at = number % 3 === 0 ? 1 : 0;
        const user = users[at]!;
        const place = number % 4 === 0 ? { folderId: folders[at]! } : {};
        return `mail/${user.id}/${mail.deliver(user.id, name, { body: `<p>${encodeHtml(text)}</p>`, ...place }).id}`;
      }),
    change: async (id, text) => mail.edit(messageOf(id), { body: `<p>${encodeHtml(text)}</p>` }),
    rename: async (id, name) => {
      mail.edit(messageOf(id), { subject: name });
      return id;
    },
    remove: async (id) => mail.remove(messageOf(id)),
    expireTokens: () => server.expireTokens(),
    renewals: () => Math.max(0, server.signIns - 1),
    stop: async () => {
      await server.stop();
      await host.close();
    },
  };
}

runConformance({ type: 'microsoft_365 with mail', lacks: ['writing'], start, keepsIdOnRename: true });
