import { type NotionDataSource, notionBlock, startNotionServer } from '@lectern/testing';
import { publicAddresses } from '#host';
import { notionType } from '#notion/notion-type';
import { platformSource, revokedTokens } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import type { TestSource } from './conformance/test-source.ts';
import { createRefreshingTokens } from './support/refreshing-tokens.ts';
import { createTestHost } from './support/test-host.ts';

/** Every third page is a row that search does not find; every fifth is a row that it finds. */
async function start(): Promise<TestSource> {
  const server = await startNotionServer({ pageSize: 12 });
  const { model, oauth } = server;
  const addresses = { ...publicAddresses, notion: server.origin };
  const tokens = createRefreshingTokens(server, '/v1/oauth/token', notionType.oauth!, oauth.grant());
  const hosts = {
    valid: createTestHost({ addresses, tokens }),
    wrong: createTestHost({ addresses, tokens: revokedTokens }),
  };
  let tasks: NotionDataSource | undefined;
  let number = 0;
  const names = new Map<string, string>();
  const blocks = (text: string) => [notionBlock('paragraph', text)];
  return {
    ...platformSource(server),
    open: (credentials = 'valid') => notionType.open({ config: {}, credentials: {}, host: hosts[credentials] }),
    add: async (items) =>
      items.map(({ name, text }) => {
        number += 1;
        tasks ??= model.database('Tasks');
        const isRow = number % 3 === 0 || number % 5 === 0;
        const place = isRow ? { parent: tasks.parent, searchable: number % 3 !== 0 } : {};
        const key = `${number} ${name}`;
        const id = model.page(key, { ...place, title: name, blocks: blocks(text) });
        names.set(id, key);
        return id;
      }),
    change: async (id, text) => {
      const { lastEdited: _, ...page } = model.pages.get(id)!;
      model.page(names.get(id)!, { ...page, blocks: blocks(text) });
    },
    rename: async (id, name) => {
      const { lastEdited: _, ...page } = model.pages.get(id)!;
      model.page(names.get(id)!, { ...page, title: name });
      return id;
    },
    remove: async (id) => model.trash(id),
    expireTokens: () => oauth.expireAccess(),
    renewals: () => oauth.refreshes,
    stop: async () => {
      await Promise.all([hosts.valid.close(), hosts.wrong.close()]);
      await server.stop();
    },
  };
}

// A crawl requests the blocks of each page. For 2,500 pages that takes too long on a busy machine.
runConformance({
  type: 'notion',
  lacks: ['change feed', 'permissions', 'writing'],
  start,
  keepsIdOnRename: true,
  repeats: true,
});
