import { startConfluenceServer } from '@lectern/testing';
import { confluenceType } from '#confluence/confluence-type';
import { rewriting } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import type { SourceFault, TestSource } from './conformance/test-source.ts';
import { openType } from './support/open-type.ts';
import { encodeHtml, withPlainText } from './support/plain-text.ts';
import { createTestHost } from './support/test-host.ts';

const toFault = (fault: SourceFault | undefined) => (fault?.kind === 'cut' ? { kind: 'truncated' as const } : fault);

async function start(edition: 'cloud' | 'data_center'): Promise<TestSource> {
  const server = await startConfluenceServer({ edition, pageSize: 30 });
  const host = createTestHost({ allow: new URL(server.origin).host });
  const { model } = server;
  model.addSpace('DOCS', { readers: { users: ['account-ada'] } });
  const pageId = (id: string) => id.split('/')[1] ?? '';
  return {
    open: (credentials = 'valid') => {
      const secret = credentials === 'valid' ? {} : { apiToken: 'wrong', token: 'wrong' };
      const { email, apiToken, token } = {
        email: server.email,
        apiToken: server.apiToken,
        token: server.token,
        ...secret,
      };
      const login = edition === 'cloud' ? { email, apiToken } : { token };
      return withPlainText(
        openType(confluenceType, { instanceUrl: server.instanceUrl, spaceKeys: ['DOCS'] }, login, host),
      );
    },
    add: async (wanted) =>
      wanted.map(({ name, text }) => {
        const page = model.addPage('DOCS', name, {
          storage: `<p>${encodeHtml(text)}</p>`,
          when: new Date().toISOString(),
        });
        return `DOCS/${page.id}`;
      }),
    change: async (id, text) => {
      model.edit(pageId(id), { storage: `<p>${encodeHtml(text)}</p>`, when: new Date().toISOString() });
    },
    rename: async (id, name) => {
      model.edit(pageId(id), { title: name });
      return id;
    },
    remove: async (id) => model.trash(pageId(id)),
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

runConformance({
  type: 'confluence',
  lacks: ['tokens', 'writing'],
  start: () => start('cloud'),
  feedReportsDeletions: false,
  keepsIdOnRename: true,
});
