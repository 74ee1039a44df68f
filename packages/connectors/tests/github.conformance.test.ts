import { startGithubServer } from '@lectern/testing';
import { githubType } from '#github/github-type';
import { publicAddresses } from '#host';
import { rewriting } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import { openType } from './support/open-type.ts';
import { createTestHost } from './support/test-host.ts';

const REPO = 'acme/docs';

runConformance({
  type: 'github',
  lacks: ['tokens', 'writing'],
  // A blob exists as long as its commit.
  keepsRemoved: true,
  start: async () => {
    const server = await startGithubServer();
    const repository = server.repository(REPO);
    server.repository('acme/other').visibility = 'public';
    const host = createTestHost({ addresses: { ...publicAddresses, github: server.apiUrl } });
    const idOf = (name: string) => `${REPO}:docs/${name}.md`;
    const pathOf = (id: string) => id.slice(REPO.length + 1);
    let before = 0;
    return {
      open: (credentials) =>
        openType(
          githubType,
          { repos: [REPO, 'acme/other'] },
          { token: credentials === 'wrong' ? 'ghp_wrong' : server.token },
          host,
        ),
      add: async (wanted) => {
        server.commit(REPO, Object.fromEntries(wanted.map(({ name, text }) => [pathOf(idOf(name)), text])));
        // Truncates the trees of small listings, so that the connector walks the folders.
        server.setTreeLimit(wanted.length > 100 ? 100_000 : 60);
        return wanted.map(({ name }) => idOf(name));
      },
      change: async (id, text) => void server.commit(REPO, { [pathOf(id)]: text }),
      rename: async (id, name) => {
        const sha = repository.branches.get('main') ?? '';
        const file = repository.commits.get(sha)?.get(pathOf(id));
        if (file !== undefined) server.commit(REPO, { [pathOf(id)]: null, [pathOf(idOf(name))]: file });
        return idOf(name);
      },
      remove: async (id) => void server.commit(REPO, { [pathOf(id)]: null }),
      fail: (plan) =>
        server.fail(
          plan &&
            ((_request, number) => {
              const fault = plan(number);
              return fault?.kind === 'cut' ? { kind: 'truncated' } : fault;
            }),
        ),
      before: (listener) => {
        before = server.requests.length;
        server.before(listener && (() => listener(server.requests.length - before)));
      },
      requests: () => server.requests.length,
      rewrite: rewriting(server),
      stop: async () => {
        await server.stop();
        await host.close();
      },
    };
  },
});
