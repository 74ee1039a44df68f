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
      'Create a user for Lectern in IAM.',
      'Allow `s3:ListBucket` on the bucket and `s3:GetObject` on its objects. Add `s3:PutObject` and `s3:DeleteObject` to upload and delete files here.',
      'Create an access key for it, and copy its id and its secret.',
      'Choose who can read the documents: S3 has no readers that Lectern could use.',
    ],
    link: { label: 'IAM console', url: 'https://console.aws.amazon.com/iam/' },
  },
  google_drive: {
    steps: [
      'One account: choose the Google account whose files Lectern reads, everything that it can open. Google asks for permission to view them (`drive.readonly`).',
      'If the authorization is not available, the operator of Lectern must set `GOOGLE_CLIENT_ID` and `GOOGLE_CLIENT_SECRET`.',
      'A whole domain: create a service account with a JSON key, and allow it domain-wide delegation in the Google Admin console, with the scopes in the documentation. Enter the key and the address of an administrator.',
    ],
  },
  confluence: {
    steps: [
      'Choose an account that can view the spaces. To read permissions, it also has to see space permissions and groups.',
      'Cloud: create an API token without scopes for the account. Enter its email and the token.',
      'Data Center: create a personal access token under Settings → Personal access tokens. Enter only the token.',
    ],
    link: { label: 'Atlassian API tokens', url: 'https://id.atlassian.com/manage-profile/security/api-tokens' },
  },
  jira: {
    steps: [
      'Choose an account with the permission Browse projects. To read permissions, it also needs Administer projects, Administer Jira, and Browse users and groups.',
      'Cloud: create an API token for the account. A token with scopes needs `read:jira-work` and `read:jira-user`, for permissions also `manage:jira-project` and `manage:jira-configuration`, and the URL `https://api.atlassian.com/ex/jira/<cloudId>`.',
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
      'Create an access token with the scope `read_api`: under Settings → Access tokens of the group, with the role Reporter, or in the preferences of an account that is a member of the groups.',
      'Such a token sees only public emails. People find private projects if their profile has a public email, if the token belongs to an administrator (with `admin_mode` if your instance uses it), or if it belongs to the owner of a group of enterprise users.',
      'Copy the token, and enter the full paths of the groups or projects.',
    ],
    link: { label: 'GitLab: access tokens', url: 'https://docs.gitlab.com/security/tokens/' },
  },
  microsoft_365: {
    steps: [
      'In the Entra admin center, open App registrations → New registration. Keep one organization, without a redirect URI.',
      'Copy the tenant ID and the client ID from the overview.',
      'Under Certificates & secrets, create a client secret and copy its value.',
      'Under API permissions, add the application permissions `Sites.Read.All`, `Files.Read.All`, `User.Read.All` and `GroupMember.Read.All` of Microsoft Graph, and grant admin consent.',
    ],
    link: { label: 'Entra admin center', url: 'https://entra.microsoft.com' },
  },
  slack: {
    steps: [
      'Create an app for your workspace. Keep it internal: distributed apps outside of Slack’s marketplace can read only 15 messages a minute. Do not turn on token rotation.',
      'Add the bot scopes `channels:read`, `channels:history`, `users:read` and `users:read.email`. Add `groups:read` and `groups:history` for private channels, and `files:read` for files.',
      'Install the app, and copy the bot token (`xoxb-…`).',
      'Invite the app to the channels: type `/invite` and its name.',
    ],
    link: { label: 'Slack apps', url: 'https://api.slack.com/apps' },
  },
  notion: {
    steps: [
      'Select Authorize with Notion, and choose the pages to share with Lectern. Their child pages are included.',
      'If the authorization is not available, the operator of Lectern must set `NOTION_CLIENT_ID` and `NOTION_CLIENT_SECRET`.',
    ],
  },
  salesforce: {
    steps: [
      'In Setup, create an application with the client-credentials flow and the scope `api`.',
      'Choose the user that it runs as: one with the right to use the API and read access to the objects.',
      'Copy the consumer key (client id) and the consumer secret.',
      'The operator of Lectern must set `SALESFORCE_LOGIN_URL` to the domain of your organization (My Domain).',
      'Choose who can read the documents: Lectern does not read the sharing of Salesforce.',
    ],
  },
  postgresql: {
    steps: [
      'Create a user that can only read: `CREATE ROLE lectern LOGIN PASSWORD …`, `GRANT USAGE ON SCHEMA public TO lectern`, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO lectern`.',
      'Allow connections from the address of Lectern. With PgBouncer, set `pool_mode = session`.',
      'Choose who can read the documents: a database has no readers that Lectern could use.',
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
