import { startJiraServer } from '@lectern/testing';
import { jiraType } from '#jira/jira-type';
import { platformSource } from './conformance/platform-source.ts';
import { runConformance } from './conformance/run-conformance.ts';
import type { TestSource } from './conformance/test-source.ts';
import { openType } from './support/open-type.ts';
import { encodeHtml, withPlainText } from './support/plain-text.ts';
import { createTestHost } from './support/test-host.ts';

async function start(edition: 'cloud' | 'data_center'): Promise<TestSource> {
  const server = await startJiraServer({ edition, pageSize: 30 });
  const host = createTestHost({ allow: new URL(server.origin).host });
  const { model } = server;
  model.addProject('DOCS', {
    browsers: [
      { type: 'user', id: 'account-ada' },
      { type: 'projectRole', id: '10' },
    ],
    roles: { 10: { groups: ['staff'] } },
  });
  model.addGroup('staff', 'staff', ['account-ada']);
  let last = Date.now();
  // Versions differ, also if the clock does not advance.
  const now = () => {
    last = Math.max(last + 1, Date.now());
    return new Date(last).toISOString();
  };
  return {
    open: (credentials = 'valid') => {
      const { email } = server;
      const { apiToken, token } = credentials === 'valid' ? server : { apiToken: 'wrong', token: 'wrong' };
      const login = edition === 'cloud' ? { email, apiToken } : { token };
      return withPlainText(openType(jiraType, { baseUrl: server.baseUrl, projects: ['DOCS'] }, login, host));
    },
    add: async (wanted) =>
      wanted.map(
        ({ name, text }) =>
          model.addIssue('DOCS', name, { rendered: `<p>${encodeHtml(text)}</p>`, updated: now() }).key,
      ),
    change: async (key, text) => {
      model.edit(key, { rendered: `<p>${encodeHtml(text)}</p>`, updated: now() });
    },
    rename: async (key, summary) => {
      model.edit(key, { summary, updated: now() });
      return key;
    },
    remove: async (key) => model.remove(key),
    ...platformSource(server),
    stop: async () => {
      await server.stop();
      await host.close();
    },
  };
}

for (const edition of ['cloud', 'data_center'] as const) {
  runConformance({
    type: `jira (${edition})`,
    lacks: ['tokens', 'writing'],
    start: () => start(edition),
    feedReportsDeletions: false,
    keepsIdOnRename: true,
  });
}
