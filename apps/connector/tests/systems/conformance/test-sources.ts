import { createHash } from 'node:crypto';
import {
  htmlPage,
  mailOf,
  notionBlock,
  startConfluenceServer,
  startGithubServer,
  startGitlabServer,
  startGmailServer,
  startGoogleDriveServer,
  startGraphServer,
  startImapServer,
  startJiraServer,
  startNotionServer,
  startS3Server,
  startSalesforceServer,
  startSlackServer,
  startWebServer,
} from '@lectern/testing';
import { postgresql } from './postgresql-source.ts';
import { CALLBACK, type NewItem, type TestSource } from './test-source.ts';

async function s3(): Promise<TestSource> {
  const server = await startS3Server({ pageSize: 5 });
  const { accessKeyId, secretAccessKey, bucket, region, origin: endpoint } = server;
  return {
    type: 's3',
    server,
    stop: () => server.stop(),
    env: {},
    config: { bucket, region, endpoint },
    credentials: { accessKeyId, secretAccessKey },
    add: (items) =>
      items.map(({ name, text }) => {
        server.put(`docs/${name}.txt`, text);
        return `docs/${name}.txt`;
      }),
    change: (id, text) => server.put(id, text),
    remove: (id) => server.remove(id),
  };
}

async function slack(): Promise<TestSource> {
  const server = await startSlackServer({ pageSize: 5 });
  const { model } = server;
  model.addUser('U0ADA', 'Ada Lovelace');
  model.addChannel('C0GENERAL', 'general', { members: ['U0ADA'] });
  const tsOf = (id: string) => id.split('__')[1] ?? '';
  return {
    type: 'slack',
    server,
    stop: () => server.stop(),
    env: { SLACK_API_URL: server.apiUrl },
    config: { channels: ['general'] },
    credentials: { token: server.token },
    add: (items) => items.map(({ name, text }) => `C0GENERAL__${model.post('C0GENERAL', `${name}\n${text}`).ts}`),
    change: (id, text) => {
      model.edit('C0GENERAL', tsOf(id), text);
    },
    remove: (id) => {
      model.remove('C0GENERAL', tsOf(id));
    },
  };
}

async function confluence(): Promise<TestSource> {
  const server = await startConfluenceServer({ edition: 'cloud', pageSize: 5 });
  const { model, email, apiToken, instanceUrl } = server;
  model.addSpace('DOCS', { readers: { users: ['account-ada'] } });
  const pageId = (id: string) => id.split('/')[1] ?? '';
  return {
    type: 'confluence',
    server,
    stop: () => server.stop(),
    env: {},
    config: { instanceUrl, spaceKeys: ['DOCS'] },
    credentials: { email, apiToken },
    add: (items) =>
      items.map(
        ({ name, text }) =>
          `DOCS/${model.addPage('DOCS', name, { storage: `<p>${text}</p>`, when: new Date().toISOString() }).id}`,
      ),
    change: (id, text) => {
      model.edit(pageId(id), { storage: `<p>${text}</p>`, when: new Date().toISOString() });
    },
    rename: (id, name) => {
      model.edit(pageId(id), { title: name });
    },
    remove: (id) => {
      model.trash(pageId(id));
    },
  };
}

async function jira(): Promise<TestSource> {
  const server = await startJiraServer({ edition: 'cloud', pageSize: 5 });
  const { model, email, apiToken, baseUrl } = server;
  model.addProject('DOCS', { browsers: [{ type: 'user', id: 'account-ada' }] });
  const updated = () => new Date().toISOString();
  return {
    type: 'jira',
    server,
    stop: () => server.stop(),
    env: {},
    config: { baseUrl, projects: ['DOCS'] },
    credentials: { email, apiToken },
    add: (items) =>
      items.map(
        ({ name, text }) => model.addIssue('DOCS', name, { rendered: `<p>${text}</p>`, updated: updated() }).key,
      ),
    change: (id, text) => {
      model.edit(id, { rendered: `<p>${text}</p>`, updated: updated() });
    },
    rename: (id, name) => {
      model.edit(id, { summary: name });
    },
    remove: (id) => {
      model.remove(id);
    },
  };
}

async function web(): Promise<TestSource> {
  const server = await startWebServer();
  const paths = new Set<string>();
  const serveIndex = () => {
    const head = '<meta name="robots" content="noindex">';
    server.page('/', htmlPage('Index', 'All pages', { links: [...paths], head }));
  };
  const put = (path: string, title: string, text: string) => {
    paths.add(path);
    const etag = `"${createHash('sha256').update(`${title}\0${text}`).digest('hex').slice(0, 16)}"`;
    const headers = { 'content-type': 'text/html; charset=utf-8', etag };
    server.page(path, { headers, body: htmlPage(title, text) });
    return new URL(path, server.origin).href;
  };
  const remove = (id: string) => {
    const path = new URL(id).pathname;
    paths.delete(path);
    server.remove(path);
    serveIndex();
  };
  serveIndex();
  return {
    type: 'web',
    server,
    stop: () => server.stop(),
    env: {},
    config: { startUrls: [server.origin], delayMs: 0 },
    credentials: {},
    add: (items) => {
      const ids = items.map(({ name, text }) => put(`/${encodeURIComponent(name)}`, name, text));
      serveIndex();
      return ids;
    },
    change: (id, text) => {
      put(new URL(id).pathname, 'Changed', text);
    },
    remove,
  };
}

async function microsoft365(): Promise<TestSource> {
  const server = await startGraphServer({ pageSize: 5 });
  const { model, tenantId, clientId, clientSecret, origin: endpoint } = server;
  const ada = model.addUser('Ada');
  const drive = model.addLibrary(model.addSite('/sites/docs').id);
  const folder = model.add(drive.id, 'Plans', { kind: 'folder' });
  model.share(drive.rootId, [{ roles: ['read'], grantedToV2: { user: { id: ada.id } } }]);
  const itemOf = (id: string) => id.split('/')[1] ?? '';
  return {
    type: 'microsoft_365',
    server,
    stop: () => server.stop(),
    env: {},
    config: { sites: ['https://example.sharepoint.com/sites/docs'], endpoint },
    credentials: { tenantId, clientId, clientSecret },
    add: (items) =>
      items.map(({ name, text }, n) => {
        const parentId = n % 2 === 0 ? folder.id : drive.rootId;
        return `${drive.id}/${model.add(drive.id, `${name}.txt`, { content: text, parentId }).id}`;
      }),
    change: (id, text) => {
      model.write(itemOf(id), text);
    },
    rename: (id, name) => {
      model.rename(itemOf(id), name);
    },
    remove: (id) => {
      model.remove(itemOf(id));
    },
  };
}

/** Channel messages, as a variant of `microsoft_365`. */
export async function microsoft365Teams(): Promise<TestSource> {
  const server = await startGraphServer({ pageSize: 50, replyPageSize: 1 });
  const { model, tenantId, clientId, clientSecret, origin: endpoint } = server;
  const { teams } = model;
  const ada = model.addUser('Ada');
  const group = model.addGroup('Docs', { isUnified: true, members: [ada.id] });
  teams.addTeam(group.id, 'Docs');
  const members = [{ userId: ada.id, email: null, tenantId, displayName: 'Ada' }];
  const channels = [
    teams.addChannel(group.id, 'General'),
    teams.addChannel(group.id, 'Secret', { membershipType: 'private', members }),
  ] as const;
  const messageOf = (id: string) => id.split('/')[3] ?? '';
  return {
    type: 'microsoft_365',
    server,
    stop: () => server.stop(),
    env: {},
    config: { teams: 'all', endpoint },
    credentials: { tenantId, clientId, clientSecret },
    add: (items) =>
      items.map(({ name, text }, n) => {
        const channel = channels[n % 3 === 0 ? 1 : 0];
        const root = teams.post(channel.id, `<p>${text}</p>`, { subject: name });
        if (n % 4 === 0) for (const reply of ['One', 'Two']) teams.reply(root.id, reply);
        return `teams/${group.id}/${channel.id}/${root.id}`;
      }),
    change: (id, text) => {
      const [reply] = teams.repliesOf(messageOf(id));
      teams.edit(reply?.id ?? messageOf(id), `<p>${text}</p>`);
    },
    remove: (id) => {
      for (const { id: message } of [...teams.repliesOf(messageOf(id)), { id: messageOf(id) }]) teams.remove(message);
    },
    expireTokens: () => server.expireTokens(),
  };
}

/** Mailboxes, as a variant of `microsoft_365`. */
export async function microsoft365Mail(): Promise<TestSource> {
  const server = await startGraphServer({ pageSize: 50 });
  const { model, tenantId, clientId, clientSecret, origin: endpoint } = server;
  const { mail } = model;
  const users = [model.addUser('Docs', { accountEnabled: false }), model.addUser('Ada')] as const;
  for (const { id } of users) mail.addMailbox(id);
  const folder = mail.addFolder(users[0].id, 'Plans', mail.wellKnown(users[0].id, 'inbox').id);
  const messageOf = (id: string) => id.split('/')[2] ?? '';
  return {
    type: 'microsoft_365',
    server,
    stop: () => server.stop(),
    env: {},
    config: { sharedMailboxes: 'docs@example.com', mailboxes: 'ada@example.com', endpoint },
    credentials: { tenantId, clientId, clientSecret },
    add: (items) =>
      items.map(({ name, text }, n) => {
        const user = users[n % 3 === 0 ? 1 : 0];
        const place = n % 3 === 1 ? { folderId: folder.id } : {};
        return `mail/${user.id}/${mail.deliver(user.id, name, { body: `<p>${text}</p>`, ...place }).id}`;
      }),
    change: (id, text) => {
      mail.edit(messageOf(id), { body: `<p>${text}</p>` });
    },
    rename: (id, name) => {
      mail.edit(messageOf(id), { subject: name });
    },
    remove: (id) => {
      mail.remove(messageOf(id));
    },
    expireTokens: () => server.expireTokens(),
  };
}

async function notion(): Promise<TestSource> {
  const server = await startNotionServer({ pageSize: 5, redirectUris: [CALLBACK] });
  const { model, oauth } = server;
  const names = new Map<string, string>();
  const blocks = (text: string) => [notionBlock('paragraph', text)];
  const rewrite = (id: string, more: object) => {
    const { lastEdited: _, ...page } = model.pages.get(id)!;
    model.page(names.get(id)!, { ...page, ...more });
  };
  const add = ({ name, text }: NewItem) => {
    const key = `${names.size} ${name}`;
    const id = model.page(key, { title: name, blocks: blocks(text) });
    names.set(id, key);
    return id;
  };
  return {
    type: 'notion',
    server,
    stop: () => server.stop(),
    env: {
      NOTION_API_URL: server.origin,
      NOTION_AUTH_URL: `${server.origin}/v1/oauth/authorize`,
      NOTION_CLIENT_ID: server.clientId,
      NOTION_CLIENT_SECRET: server.clientSecret,
    },
    config: {},
    credentials: undefined,
    add: (items) => items.map(add),
    change: (id, text) => rewrite(id, { blocks: blocks(text) }),
    rename: (id, title) => rewrite(id, { title }),
    remove: (id) => {
      model.trash(id);
    },
    expireTokens: () => oauth.expireAccess(),
  };
}

async function googleDrive(): Promise<TestSource> {
  const server = await startGoogleDriveServer({ pageSize: 5, redirectUris: [CALLBACK] });
  const { model, oauth } = server;
  let number = 0;
  return {
    type: 'google_drive',
    server,
    stop: () => server.stop(),
    env: {
      GOOGLE_API_URL: server.origin,
      GOOGLE_AUTH_URL: `${server.origin}/o/oauth2/v2/auth`,
      GOOGLE_TOKEN_URL: `${server.origin}/token`,
      GOOGLE_CLIENT_ID: server.clientId,
      GOOGLE_CLIENT_SECRET: server.clientSecret,
    },
    config: {},
    credentials: undefined,
    add: (items) =>
      items.map(({ name, text }) => {
        number += 1;
        const id = `file-${String(number).padStart(5, '0')}`;
        model.put({ id, name: `${name}.txt`, content: text });
        return id;
      }),
    change: (id, text) => {
      model.put({ id, name: model.files.get(id)!.name, content: text });
    },
    rename: (id, name) => {
      model.rename(id, `${name}.txt`);
    },
    remove: (id) => {
      model.remove(id);
    },
    expireTokens: () => oauth.expireAccess(),
  };
}

/**
 * A whole Google Workspace domain. Its server would replace that of `google_drive` in the settings of
 * the service, so it is not in `TEST_SOURCES`.
 */
export async function googleDriveDomain(): Promise<TestSource> {
  const server = await startGoogleDriveServer({ pageSize: 50 });
  const { model, directory, delegation, origin } = server;
  const bob = { displayName: 'Bob', emailAddress: 'bob@example.com' };
  directory.putUser({ id: '100000002', primaryEmail: bob.emailAddress });
  model.addDrive('d1', 'Shared');
  directory.setDriveMembers('d1', [{ id: 'p1', type: 'user', role: 'organizer', emailAddress: bob.emailAddress }]);
  const places = [
    { prefix: 'user/100000001', place: {} },
    { prefix: 'user/100000002', place: { owner: bob, permissions: [] } },
    { prefix: 'drive/d1', place: { driveId: 'd1' } },
  ] as const;
  const fileOf = (id: string) => model.files.get(id.split('/')[2] ?? '')!;
  let number = 0;
  return {
    type: 'google_drive',
    server,
    stop: () => server.stop(),
    env: { GOOGLE_API_URL: origin, GOOGLE_ADMIN_API_URL: origin, GOOGLE_TOKEN_URL: `${origin}/token` },
    config: {},
    credentials: { serviceAccountKey: delegation.keyFile(), adminEmail: 'ada@example.com' },
    add: (items) =>
      items.map(({ name, text }) => {
        const { prefix, place } = places[number % places.length]!;
        number += 1;
        const id = `file-${String(number).padStart(5, '0')}`;
        model.put({ id, name: `${name}.txt`, content: text, ...place });
        return `${prefix}/${id}`;
      }),
    change: (id, text) => {
      const { id: fileId, name, owner, permissions } = fileOf(id);
      model.put({ id: fileId, name, owner, permissions, content: text });
    },
    rename: (id, name) => {
      model.rename(fileOf(id).id, `${name}.txt`);
    },
    remove: (id) => {
      model.remove(fileOf(id).id);
    },
    expireTokens: () => delegation.expireTokens(),
  };
}

/**
 * The mailboxes of a domain. Its token endpoint would replace that of `google_drive`, so it is not in
 * `TEST_SOURCES`.
 */
export async function gmailDomain(): Promise<TestSource> {
  const server = await startGmailServer({ pageSize: 50 });
  const { directory, delegation, origin } = server;
  const users = ['100000001', '100000002'] as const;
  directory.putUser({ id: users[1], primaryEmail: 'bob@example.com' });
  const find = (id: string) => {
    const [user = '', threadId = ''] = id.split('/');
    const mailbox = server.mailbox(user);
    return { mailbox, threadId, messages: mailbox.thread(threadId) };
  };
  let number = 0;
  return {
    type: 'gmail',
    server,
    stop: () => server.stop(),
    env: { GOOGLE_GMAIL_API_URL: origin, GOOGLE_ADMIN_API_URL: origin, GOOGLE_TOKEN_URL: `${origin}/token` },
    config: {},
    credentials: { serviceAccountKey: delegation.keyFile(), adminEmail: 'ada@example.com' },
    add: (items) =>
      items.map(({ name: subject, text }) => {
        const user = users[number % users.length]!;
        number += 1;
        const { threadId } = server.mailbox(user).deliver({ subject, text });
        return `${user}/${threadId}`;
      }),
    change: (id, text) => {
      const { mailbox, threadId } = find(id);
      mailbox.deliver({ threadId, text });
    },
    remove: (id) => {
      const { mailbox, messages } = find(id);
      for (const message of messages) mailbox.trash(message.id);
    },
    expireTokens: () => delegation.expireTokens(),
  };
}

async function github(): Promise<TestSource> {
  const repo = 'acme/docs';
  const server = await startGithubServer();
  const { branches, commits } = server.repository(repo);
  const pathOf = (id: string) => id.slice(repo.length + 1);
  return {
    type: 'github',
    server,
    stop: () => server.stop(),
    env: { GITHUB_API_URL: server.apiUrl },
    config: { repos: [repo] },
    credentials: { token: server.token },
    add: (items) => {
      const files = items.map(({ name, text }) => [`docs/${name.replaceAll('/', ' ')}.md`, text] as const);
      server.commit(repo, Object.fromEntries(files));
      return files.map(([path]) => `${repo}:${path}`);
    },
    change: (id, text) => {
      server.commit(repo, { [pathOf(id)]: text });
    },
    remove: (id) => {
      // Deleting a missing file creates no commit.
      if (commits.get(branches.get('main') ?? '')?.has(pathOf(id))) server.commit(repo, { [pathOf(id)]: null });
    },
  };
}

async function gitlab(): Promise<TestSource> {
  const project = 'acme/docs';
  const server = await startGitlabServer({ pageSize: 5 });
  const { model, token, instanceUrl } = server;
  model.addUser(1, 'Ada');
  model.addProject(project).members.push({ user: 1, level: 40 });
  const { issues } = model.find(project);
  const numberOf = (id: string) => Number(id.slice(project.length + 1));
  const edit = (id: string, fields: { description?: string; title?: string }) => {
    const found = issues.find(({ iid }) => iid === numberOf(id));
    if (found !== undefined) Object.assign(found, fields, { updatedAt: new Date().toISOString() });
  };
  return {
    type: 'gitlab',
    server,
    stop: () => server.stop(),
    env: {},
    config: { instanceUrl, groups: ['acme'] },
    credentials: { token },
    add: (items) =>
      items.map(
        ({ name, text }) => `${project}#${model.addIssuable(project, 'issues', name, { description: text }).iid}`,
      ),
    change: (id, text) => edit(id, { description: text }),
    rename: (id, name) => edit(id, { title: name }),
    remove: (id) => {
      const at = issues.findIndex(({ iid }) => iid === numberOf(id));
      if (at >= 0) issues.splice(at, 1);
    },
  };
}

async function imap(): Promise<TestSource> {
  const server = await startImapServer();
  const { mailbox, host, port, user, password } = server;
  mailbox.addFolder('Archive');
  let count = 0;
  const added = new Map<
    string,
    { readonly folder: string; readonly subject: string; readonly messageId: string; uid: number }
  >();
  /** The size is a part of what identifies a message, so all texts have the same. */
  const mail = (subject: string, messageId: string, text: string) =>
    mailOf({ subject, text: text + ' '.repeat(Math.max(4_000 - Buffer.byteLength(text), 0)), messageId });
  /** Ids contain the Message-ID, and a hash of header fields, the time of arrival and the size. */
  const idOf = (messageId: string, raw: string) => {
    const fields = ['Message-ID', 'Date', 'From', 'Subject'].map(
      (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(raw)?.[1]?.trim() ?? null,
    );
    const digest = createHash('sha256')
      .update(JSON.stringify([...fields, '20260105T101112Z', Buffer.byteLength(raw)]))
      .digest('hex');
    return `${encodeURIComponent(user)}/${messageId}~${digest.slice(0, 20)}`;
  };
  return {
    type: 'imap',
    server,
    hasUrls: false,
    stop: () => server.stop(),
    env: {},
    config: { host, port, security: 'none' },
    credentials: { user, password },
    add: (items) =>
      items.map(({ name: subject, text }) => {
        count += 1;
        const folder = count % 2 === 0 ? 'INBOX' : 'Archive';
        const messageId = `m${count}@example.com`;
        const raw = mail(subject, `<${messageId}>`, text);
        const id = idOf(messageId, raw);
        added.set(id, { folder, subject, messageId, uid: mailbox.append(folder, raw) });
        return id;
      }),
    // A message never changes: a mail program replaces it.
    change: (id, text) => {
      const message = added.get(id);
      if (message === undefined) return;
      const { folder, subject, messageId, uid } = message;
      mailbox.expunge(folder, uid);
      message.uid = mailbox.append(folder, mail(subject, `<${messageId}>`, text));
    },
    remove: (id) => {
      const message = added.get(id);
      if (message !== undefined) mailbox.expunge(message.folder, message.uid);
    },
  };
}

async function salesforce(): Promise<TestSource> {
  const server = await startSalesforceServer({ batchSize: 5 });
  const { model, clientId, clientSecret } = server;
  const keyOf = (id: string) => id.slice('Account/'.length);
  return {
    type: 'salesforce',
    server,
    stop: () => server.stop(),
    env: { SALESFORCE_LOGIN_URL: server.origin },
    config: { objects: ['Account'] },
    credentials: { clientId, clientSecret },
    add: (items) => items.map(({ name, text }) => `Account/${model.put('Account', { Name: name, Description: text })}`),
    change: (id, text) => {
      model.put('Account', { Id: keyOf(id), Description: text });
    },
    rename: (id, name) => {
      model.put('Account', { Id: keyOf(id), Name: name });
    },
    remove: (id) => {
      model.remove(keyOf(id));
    },
    expireTokens: () => server.expireSessions(),
  };
}

/** The types of sources that a service can read together, by name. */
export const TEST_SOURCES: Readonly<Record<string, () => Promise<TestSource>>> = {
  s3,
  slack,
  confluence,
  jira,
  microsoft_365: microsoft365,
  web,
  notion,
  google_drive: googleDrive,
  github,
  gitlab,
  imap,
  salesforce,
  postgresql,
};
