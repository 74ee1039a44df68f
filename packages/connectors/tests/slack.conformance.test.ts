import { startSlackServer } from '@lectern/testing';
import { publicAddresses } from '#host';
import { slackType } from '#slack/slack-type';
import { rewriting } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import type { SourceFault, TestSource } from './conformance/test-source.ts';
import { openType } from './support/open-type.ts';
import { createTestHost } from './support/test-host.ts';

const CHANNEL = 'C0GENERAL';
const toFault = (fault: SourceFault | undefined) => (fault?.kind === 'cut' ? { kind: 'truncated' as const } : fault);

async function start(): Promise<TestSource> {
  const server = await startSlackServer({ pageSize: 30 });
  const host = createTestHost({ addresses: { ...publicAddresses, slack: server.apiUrl } });
  const { model } = server;
  model.addUser('U0ADA', 'Ada Lovelace');
  model.addChannel(CHANNEL, 'general', { members: ['U0ADA'] });
  const tsOf = (id: string) => id.split('__')[1] ?? '';
  // A message has no name: the suite looks for it in the title, which is the first line.
  const messageText = (name: string, text: string) =>
    `${name}\n${text}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return {
    open: (credentials = 'valid') =>
      openType(
        slackType,
        { channels: ['general'] },
        { token: credentials === 'valid' ? server.token : 'xoxb-wrong' },
        host,
      ),
    add: async (wanted) =>
      wanted.map(({ name, text }) => `${CHANNEL}__${model.post(CHANNEL, messageText(name, text)).ts}`),
    change: async (id, text) => model.edit(CHANNEL, tsOf(id), text),
    remove: async (id) => model.remove(CHANNEL, tsOf(id)),
    fail: (plan) => server.fail(plan === undefined ? undefined : (_request, number) => toFault(plan(number))),
    before: (listener) => {
      let number = 0;
      server.before(() => {
        number += 1;
        listener?.(number);
      });
    },
    requests: () => server.requests.length,
    rewrite: rewriting(server),
    stop: async () => {
      await server.stop();
      await host.close();
    },
  };
}

runConformance({ type: 'slack', lacks: ['rename', 'tokens', 'change feed', 'writing'], start });
