import { type GitlabServer, startGitlabServer } from '@lectern/testing';
import { gitlabType } from '#gitlab/gitlab-type';
import { platformSource } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import type { TestSource } from './conformance/test-source.ts';
import { openType } from './support/open-type.ts';
import { createTestHost } from './support/test-host.ts';

const PROJECT = 'acme/platform/docs';

type Items = Pick<TestSource, 'add' | 'change' | 'rename' | 'remove'>;
type Model = GitlabServer['model'];

/** Each part of a project as a source of its own. */
const PARTS = {
  repository: (model: Model): Items => {
    const { repository } = model.find(PROJECT);
    const pathOf = (id: string) => id.slice(PROJECT.length + 1);
    const fileOf = (name: string) => `docs/${name}.md`;
    return {
      add: async (wanted) => {
        model.commit(PROJECT, Object.fromEntries(wanted.map(({ name, text }) => [fileOf(name), text])));
        return wanted.map(({ name }) => `${PROJECT}:${fileOf(name)}`);
      },
      change: async (id, text) => void model.commit(PROJECT, { [pathOf(id)]: text }),
      rename: async (id, name) => {
        const sha = repository.branches.get('main') ?? '';
        const file = repository.commits.get(sha)?.get(pathOf(id));
        if (file !== undefined) model.commit(PROJECT, { [pathOf(id)]: null, [fileOf(name)]: file });
        return `${PROJECT}:${fileOf(name)}`;
      },
      remove: async (id) => void model.commit(PROJECT, { [pathOf(id)]: null }),
    };
  },
  issues: (model: Model): Items => issuables(model, 'issues', '#'),
  merge_requests: (model: Model): Items => issuables(model, 'merge_requests', '!'),
  wiki: (model: Model): Items => {
    const { wiki } = model.find(PROJECT);
    const slugOf = (id: string) => id.slice(`${PROJECT}/-/wikis/`.length);
    const put = (name: string, content: string) => {
      const slug = `guide/${name.replaceAll(' ', '-')}`;
      wiki.set(slug, { title: name, content, format: 'markdown' });
      return `${PROJECT}/-/wikis/${slug}`;
    };
    return {
      add: async (wanted) => wanted.map(({ name, text }) => put(name, text)),
      change: async (id, text) => {
        const page = wiki.get(slugOf(id));
        if (page !== undefined) page.content = text;
      },
      rename: async (id, name) => {
        const page = wiki.get(slugOf(id));
        wiki.delete(slugOf(id));
        return put(name, page?.content ?? '');
      },
      remove: async (id) => void wiki.delete(slugOf(id)),
    };
  },
} as const;

function issuables(model: Model, kind: 'issues' | 'merge_requests', mark: '#' | '!'): Items {
  const list = model.find(PROJECT)[kind];
  const find = (id: string) => list.find(({ iid }) => id === `${PROJECT}${mark}${iid}`)!;
  let last = Date.now();
  const now = () => {
    last = Math.max(last + 1, Date.now());
    return new Date(last).toISOString();
  };
  return {
    add: async (wanted) =>
      wanted.map(
        ({ name, text }) => `${PROJECT}${mark}${model.addIssuable(PROJECT, kind, name, { description: text }).iid}`,
      ),
    change: async (id, description) => void Object.assign(find(id), { description, updatedAt: now() }),
    rename: async (id, title) => {
      Object.assign(find(id), { title, updatedAt: now() });
      return id;
    },
    remove: async (id) => void list.splice(list.indexOf(find(id)), 1),
  };
}

async function start(part: keyof typeof PARTS): Promise<TestSource> {
  const server = await startGitlabServer({ pageSize: 30 });
  const host = createTestHost({ allow: new URL(server.origin).host });
  const { model } = server;
  model.addUser(1, 'Ada');
  model.addUser(2, 'Bob', { publicEmail: 'bob@example.org' });
  model.addProject(PROJECT).members.push({ user: 1, level: 40 }, { user: 2, level: 10 });
  model.commit(PROJECT, {});
  model.addProject('acme/other', { visibility: 'public' });
  return {
    open: (credentials) =>
      openType(
        gitlabType,
        { instanceUrl: server.instanceUrl, groups: ['acme'], include: [part] },
        { token: credentials === 'wrong' ? 'glpat-wrong' : server.token },
        host,
      ),
    ...PARTS[part](model),
    ...platformSource(server),
    stop: async () => {
      await server.stop();
      await host.close();
    },
  };
}

for (const part of ['repository', 'issues', 'merge_requests', 'wiki'] as const) {
  const isIssuable = part === 'issues' || part === 'merge_requests';
  runConformance({
    type: `gitlab (${part})`,
    lacks: ['tokens', 'writing'],
    start: () => start(part),
    feedReportsDeletions: part === 'repository',
    keepsIdOnRename: isIssuable,
    // A blob exists as long as its commit.
    keepsRemoved: part === 'repository',
  });
}
