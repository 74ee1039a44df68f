import { startGraphServer } from '@lectern/testing';
import { microsoft365Type } from '#microsoft-365/microsoft-365-type';
import { platformSource } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import type { TestSource } from './conformance/test-source.ts';
import { openType } from './support/open-type.ts';
import { encodeHtml, withPlainText } from './support/plain-text.ts';
import { createTestHost } from './support/test-host.ts';

/** Every third thread is in a private channel, every fourth has its text in a reply. */
async function start(): Promise<TestSource> {
  const server = await startGraphServer({ pageSize: 7, replyPageSize: 2 });
  const host = createTestHost({ allow: new URL(server.origin).host });
  const { model, tenantId, clientId, clientSecret } = server;
  const { teams } = model;
  const ada = model.addUser('Ada');
  const group = model.addGroup('Marketing', { isUnified: true, members: [ada.id], owners: [ada.id] });
  teams.addTeam(group.id, 'Marketing');
  const members = [{ userId: ada.id, email: 'ada@example.com', tenantId, displayName: 'Ada' }];
  const channels = [
    teams.addChannel(group.id, 'General'),
    teams.addChannel(group.id, 'Secret', { membershipType: 'private', members }),
  ];
  const replies = new Map<string, string>();
  let number = 0;
  const messageOf = (id: string) => id.split('/')[3] ?? '';
  return {
    ...platformSource(server),
    open: (credentials = 'valid') => {
      const secret = credentials === 'valid' ? clientSecret : 'wrong';
      const config = { teams: 'all', endpoint: server.origin };
      return withPlainText(openType(microsoft365Type, config, { tenantId, clientId, clientSecret: secret }, host));
    },
    add: async (items) =>
      items.map(({ name, text }) => {
        number += 1;
        const channel = channels[number % 3 === 0 ? 1 : 0]!;
        const hasReply = number % 4 === 0;
        const root = teams.post(channel.id, hasReply ? '<p>See below</p>' : `<p>${encodeHtml(text)}</p>`, {
          subject: name,
        });
        if (hasReply) {
          replies.set(root.id, teams.reply(root.id, `<p>${encodeHtml(text)}</p>`).id);
          for (const extra of ['One', 'Two']) teams.reply(root.id, `<p>${extra}</p>`);
        }
        return `teams/${group.id}/${channel.id}/${root.id}`;
      }),
    change: async (id, text) => teams.edit(replies.get(messageOf(id)) ?? messageOf(id), `<p>${encodeHtml(text)}</p>`),
    remove: async (id) => {
      for (const reply of teams.repliesOf(messageOf(id))) teams.remove(reply.id);
      teams.remove(messageOf(id));
    },
    expireTokens: () => server.expireTokens(),
    renewals: () => Math.max(0, server.signIns - 1),
    stop: async () => {
      await server.stop();
      await host.close();
    },
  };
}

runConformance({ type: 'microsoft_365 with teams', lacks: ['rename', 'writing'], start });
