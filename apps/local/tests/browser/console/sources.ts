import {
  type ConfluenceServer,
  type GithubServer,
  type GitlabServer,
  type GoogleDriveServer,
  type GraphServer,
  htmlPage,
  type ImapServer,
  type JiraServer,
  mailOf,
  type NotionServer,
  notionBlock,
  type S3Server,
  type SalesforceServer,
  type SlackServer,
  startConfluenceServer,
  startGithubServer,
  startGitlabServer,
  startGoogleDriveServer,
  startGraphServer,
  startImapServer,
  startJiraServer,
  startNotionServer,
  startS3Server,
  startSalesforceServer,
  startSlackServer,
  startWebServer,
  type WebServer,
} from '@lectern/testing';

/** Emulators of the connected platforms; everything else is real. */
export interface Sources {
  readonly s3: S3Server;
  readonly drive: GoogleDriveServer;
  readonly notion: NotionServer;
  readonly confluence: ConfluenceServer;
  readonly jira: JiraServer;
  readonly microsoft365: GraphServer;
  readonly github: GithubServer;
  readonly gitlab: GitlabServer;
  readonly imap: ImapServer;
  readonly slack: SlackServer;
  readonly salesforce: SalesforceServer;
  readonly web: WebServer;
  /** The settings of Lectern for them. */
  readonly env: Record<string, string>;
  stop(): Promise<void>;
}

/** Enough objects for a sync that would delete most of them. */
export const OBJECTS = 24;

/** Starts the emulators with content. `publicUrl` is the address of Lectern. */
export async function startSources(publicUrl: string): Promise<Sources> {
  const callback = (provider: string) => ({ redirectUris: [`${publicUrl}/api/v1/oauth/callback/${provider}`] });
  const [s3, drive, notion, confluence, jira, microsoft365, github, gitlab, imap, slack, salesforce, web] =
    await Promise.all([
      startS3Server(),
      startGoogleDriveServer(callback('google_drive')),
      startNotionServer(callback('notion')),
      startConfluenceServer(),
      startJiraServer(),
      startGraphServer(),
      startGithubServer(),
      startGitlabServer(),
      startImapServer(),
      startSlackServer(),
      startSalesforceServer(),
      startWebServer(),
    ]);
  for (let number = 1; number <= OBJECTS; number += 1)
    s3.put(`animals/${number}.txt`, `Animal ${number} is seen at dawn.`);
  drive.model.put({ id: 'f-1', name: 'plan.txt', mimeType: 'text/plain', content: 'The plan for autumn.' });
  notion.model.page('Roadmap', { blocks: [notionBlock('paragraph', 'The roadmap for spring.')] });
  confluence.model.addSpace('DOCS');
  confluence.model.addPage('DOCS', 'Visitors', { storage: '<p>Visitors sign in at the door.</p>' });
  jira.model.addProject('OPS');
  jira.model.addIssue('OPS', 'The gate is stuck', { rendered: '<p>The gate at the door is stuck.</p>' });
  microsoft365.model.addOneDrive(microsoft365.model.addUser('Ada').id);
  microsoft365.model.mail.addMailbox(microsoft365.model.addUser('Support').id);
  const library = microsoft365.model.addLibrary(microsoft365.model.addSite('/sites/marketing').id);
  microsoft365.model.add(library.id, 'prices.txt', { content: 'A ticket costs nine euros.' });
  github.repository('acme/site');
  github.commit('acme/site', { 'readme.md': '# Site\n\nThe site of Acme.' });
  gitlab.model.addUser(1, 'Ada');
  gitlab.model.addProject('acme/site').members.push({ user: 1, level: 40 });
  gitlab.model.addIssuable('acme/site', 'issues', 'The sign is upside down', { description: 'At the door.' });
  imap.mailbox.append('INBOX', mailOf({ subject: 'Lost umbrella', text: 'It is blue.', messageId: '<1@example.com>' }));
  slack.model.addUser('U0ADA', 'Ada');
  slack.model.addChannel('C1', 'general');
  slack.model.post('C1', 'The lift is repaired.', { user: 'U0ADA' });
  salesforce.model.put('Account', { Name: 'Acme', Description: 'Buys paper.' });
  web.page('/', htmlPage('Zoo', 'The zoo opens at nine.'));
  const servers = [s3, drive, notion, confluence, jira, microsoft365, github, gitlab, imap, slack, salesforce, web];
  return {
    ...{ s3, drive, notion, confluence, jira, microsoft365, github, gitlab, imap, slack, salesforce, web },
    env: {
      // The connected database is that of the system.
      EGRESS_ALLOW: '127.0.0.1,localhost',
      GITHUB_API_URL: github.apiUrl,
      SLACK_API_URL: slack.apiUrl,
      SALESFORCE_LOGIN_URL: salesforce.origin,
      GOOGLE_API_URL: drive.origin,
      GOOGLE_ADMIN_API_URL: drive.origin,
      GOOGLE_AUTH_URL: `${drive.origin}/o/oauth2/v2/auth`,
      GOOGLE_TOKEN_URL: `${drive.origin}/token`,
      GOOGLE_CLIENT_ID: drive.clientId,
      GOOGLE_CLIENT_SECRET: drive.clientSecret,
      NOTION_API_URL: notion.origin,
      NOTION_AUTH_URL: `${notion.origin}/v1/oauth/authorize`,
      NOTION_CLIENT_ID: notion.clientId,
      NOTION_CLIENT_SECRET: notion.clientSecret,
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
