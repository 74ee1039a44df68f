import type { ConnectorTypeName } from '#api/types.ts';

/** What to do at the source before it is connected. */
export interface SetUpGuide {
  /** In order. `code` is in backquotes. */
  readonly steps: readonly string[];
  /** Where the first step begins. */
  readonly link?: { readonly label: string; readonly url: string };
}

/** The guides of the types that need something from their vendor. */
export const SET_UP_GUIDES: Readonly<Partial<Record<ConnectorTypeName, SetUpGuide>>> = {
  s3: {
    steps: [
      'Create a user or role in IAM for Lectern.',
      'Allow `s3:ListBucket` on the bucket and `s3:GetObject` on its objects. Add `s3:PutObject` and `s3:DeleteObject` to upload and delete files here.',
      'Create an access key for it, and copy its id and its secret.',
    ],
    link: { label: 'IAM console', url: 'https://console.aws.amazon.com/iam/' },
  },
  google_drive: {
    steps: [
      'Choose the Google account whose files Lectern reads: everything that it can open is indexed.',
      'Select Authorize. Google asks for permission to view the files of the account (`drive.readonly`).',
      'If authorization is not available, the operator of Lectern has to set `GOOGLE_CLIENT_ID` and `GOOGLE_CLIENT_SECRET`.',
    ],
  },
  confluence: {
    steps: [
      'Choose an account that can view the spaces. To read permissions, it also has to see space permissions and groups.',
      'Cloud: create an API token for the account. Enter its email and the token.',
      'Data Center: create a personal access token under Profile → Personal access tokens. Enter only the token.',
    ],
    link: { label: 'Atlassian API tokens', url: 'https://id.atlassian.com/manage-profile/security/api-tokens' },
  },
  jira: {
    steps: [
      'Choose an account with the permission Browse projects. To read permissions, it also needs Administer projects, Administer Jira, and Browse users and groups.',
      'Cloud: create an API token for the account. With scopes, select `read:jira-work`, `read:jira-user`, `manage:jira-project` and `manage:jira-configuration`.',
      'Data Center: create a personal access token under Profile → Personal access tokens. Enter only the token.',
    ],
    link: { label: 'Atlassian API tokens', url: 'https://id.atlassian.com/manage-profile/security/api-tokens' },
  },
  github: {
    steps: [
      'Create a fine-grained token for the repositories, with read access to Contents and Metadata.',
      'For the permissions of private repositories, the owner of the token needs push access to them.',
      'Copy the token. GitHub shows it once.',
    ],
    link: { label: 'GitHub tokens', url: 'https://github.com/settings/personal-access-tokens/new' },
  },
  gitlab: {
    steps: [
      'Create an access token with the scope `read_api`. A group access token with the role Reporter is the simplest.',
      'People find private projects only if Lectern can see their verified emails. Use the token of an administrator, or of the owner of a group of enterprise users, or ask people to set a public email in their profile.',
      'Copy the token, and enter the full paths of the groups or projects.',
    ],
    link: { label: 'GitLab access tokens', url: 'https://gitlab.com/-/user_settings/personal_access_tokens' },
  },
  slack: {
    steps: [
      'Create an app for your workspace. Keep it internal: Slack limits distributed apps to 15 messages a minute.',
      'Add the bot scopes `channels:read`, `channels:history`, `users:read` and `users:read.email`. Add `groups:read` and `groups:history` for private channels, and `files:read` for files.',
      'Install the app, and copy the bot token (`xoxb-…`).',
      'Invite the app to the channels: type `/invite` and its name.',
    ],
    link: { label: 'Slack apps', url: 'https://api.slack.com/apps' },
  },
  notion: {
    steps: [
      'Select Authorize, and choose the pages to share with Lectern. Their child pages are included.',
      'If authorization is not available, the operator of Lectern has to set `NOTION_CLIENT_ID` and `NOTION_CLIENT_SECRET`.',
    ],
  },
  salesforce: {
    steps: [
      'In Setup, create an application with the client-credentials flow and the scope `api`.',
      'Choose the user that it runs as: one with the right to use the API and read access to the objects.',
      'Copy the consumer key (client id) and the consumer secret.',
    ],
    link: { label: 'Salesforce sign-in', url: 'https://login.salesforce.com/' },
  },
  postgresql: {
    steps: [
      'Create a user that can only read: `CREATE ROLE lectern LOGIN PASSWORD …`, `GRANT USAGE ON SCHEMA public TO lectern`, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO lectern`.',
      'Allow connections from the address of Lectern. With PgBouncer, set `pool_mode = session`.',
    ],
  },
  web: {
    steps: [
      'Check that you may copy the website. Lectern obeys its `robots.txt`.',
      'Enter the pages where the crawl starts. Only their hosts are crawled, unless you add others.',
      'Exclude pages that need a sign-in, calendars and search results.',
    ],
  },
};
