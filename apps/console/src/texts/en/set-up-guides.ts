export const setUpGuides = {
  title: 'Before you start',
  checkStep: 'Check this step:',
  opensInNewTab: '(opens {{label}} in a new tab)',
  s3: {
    user: 'Create a user for Lectern in IAM.',
    rights:
      'Allow `s3:ListBucket` on the bucket and `s3:GetObject` on its objects. Add `s3:PutObject` and `s3:DeleteObject` to upload and delete files here.',
    accessKey: 'Create an access key for it, and copy its id and its secret.',
    readers: 'Choose who can read the documents: S3 has no readers that Lectern could use.',
    link: 'IAM console',
  },
  googleDrive: {
    account:
      'One account: choose the Google account whose files Lectern reads, everything that it can open. Google asks for permission to view them (`drive.readonly`).',
    operator:
      'If the authorization is not available, the operator of Lectern must set `GOOGLE_CLIENT_ID` and `GOOGLE_CLIENT_SECRET`.',
    domain:
      'A whole domain: create a service account with a JSON key, and allow it domain-wide delegation in the Google Admin console, with the scopes in the documentation. Enter the key and the address of an administrator.',
  },
  gmail: {
    mailbox:
      'One mailbox: choose the Google account. Google asks for permission to view its email (`gmail.readonly`). If the authorization is not available, the operator of Lectern must set `GOOGLE_CLIENT_ID` and `GOOGLE_CLIENT_SECRET`, and add the scope to the application.',
    project:
      'A whole domain: in a project of Google Cloud, enable the Gmail API and the Admin SDK API, and create a service account with a JSON key.',
    delegation:
      'In the Google Admin console, under Security → Access and data control → API controls → Domain-wide delegation, add the client ID of the service account with the scopes `https://www.googleapis.com/auth/gmail.readonly` and `https://www.googleapis.com/auth/admin.directory.user.readonly`.',
    groups:
      'If Groups or readers name Google groups, also add `https://www.googleapis.com/auth/admin.directory.group.readonly` and `https://www.googleapis.com/auth/admin.directory.group.member.readonly`.',
    readers:
      'Enter the key and the address of an administrator, and list who can read shared mailboxes for example support@example.com. Every other mailbox is readable only by its user.',
    link: 'Google Admin console',
  },
  confluence: {
    account:
      'Choose an account that can view the spaces. To read permissions, it also has to see space permissions and groups.',
    cloud: 'Cloud: create an API token without scopes for the account. Enter its email and the token.',
    dataCenter:
      'Data Center: create a personal access token under Settings → Personal access tokens. Enter only the token.',
    link: 'Atlassian API tokens',
  },
  jira: {
    account:
      'Choose an account with the permission Browse projects. To read permissions, it also needs Administer projects, Administer Jira, and Browse users and groups.',
    cloud:
      'Cloud: create an API token for the account. A token with scopes needs `read:jira-work` and `read:jira-user`, for permissions also `manage:jira-project` and `manage:jira-configuration`, and the URL `https://api.atlassian.com/ex/jira/<cloudId>`.',
    dataCenter:
      'Data Center: create a personal access token under Profile → Personal access tokens. Enter only the token.',
    link: 'Atlassian API tokens',
  },
  github: {
    token: 'Create a fine-grained token for the repositories, with read access to Contents and Metadata.',
    permissions: 'For the permissions of private repositories, the owner of the token needs push access to them.',
    copy: 'Copy the token. GitHub shows it once.',
    link: 'GitHub tokens',
  },
  gitlab: {
    token:
      'Create an access token with the scope `read_api`: under Settings → Access tokens of the group, with the role Reporter, or in the preferences of an account that is a member of the groups.',
    emails:
      'Such a token sees only public emails. People find private projects if their profile has a public email, if the token belongs to an administrator (with `admin_mode` if your instance uses it), or if it belongs to the owner of a group of enterprise users.',
    paths: 'Copy the token, and enter the full paths of the groups or projects.',
    link: 'GitLab: access tokens',
  },
  microsoft365: {
    registration:
      'In the Entra admin center, open App registrations → New registration. Keep one organization, without a redirect URI.',
    ids: 'Copy the tenant ID and the client ID from the overview.',
    secret: 'Under Certificates & secrets, create a client secret and copy its value.',
    permissions:
      'Under API permissions, add the application permissions `User.Read.All` and `GroupMember.Read.All` of Microsoft Graph.',
    files: 'SharePoint and OneDrive: add `Sites.Read.All` and `Files.Read.All`.',
    teams:
      'Teams: add `Team.ReadBasic.All`, `Channel.ReadBasic.All`, `ChannelMessage.Read.All` and `ChannelMember.Read.All`.',
    outlook:
      'Outlook: add `Mail.Read`, and limit the application to the mailboxes in Exchange Online. Otherwise it can read every mailbox.',
    consent: 'Grant admin consent.',
    link: 'Entra admin center',
  },
  slack: {
    app: 'Create an app for your workspace. Keep it internal: distributed apps outside of Slack’s marketplace can read only 15 messages a minute. Do not turn on token rotation.',
    scopes:
      'Add the bot scopes `channels:read`, `channels:history`, `users:read` and `users:read.email`. Add `groups:read` and `groups:history` for private channels, and `files:read` for files.',
    install: 'Install the app, and copy the bot token (`xoxb-…`).',
    invite: 'Invite the app to the channels: type `/invite` and its name.',
    link: 'Slack apps',
  },
  notion: {
    pages: 'Select Authorize with Notion, and choose the pages to share with Lectern. Their child pages are included.',
    operator:
      'If the authorization is not available, the operator of Lectern must set `NOTION_CLIENT_ID` and `NOTION_CLIENT_SECRET`.',
  },
  salesforce: {
    application: 'In Setup, create an application with the client-credentials flow and the scope `api`.',
    user: 'Choose the user that it runs as: one with the right to use the API and read access to the objects.',
    consumerKey: 'Copy the consumer key (client id) and the consumer secret.',
    operator: 'The operator of Lectern must set `SALESFORCE_LOGIN_URL` to the domain of your organization (My Domain).',
    readers: 'Choose who can read the documents: Lectern does not read the sharing of Salesforce.',
  },
  imap: {
    server: 'Find the IMAP server of your provider, and turn on IMAP for the mailbox if it is off.',
    password:
      'Create an app password for Lectern in the settings of the account. Most providers require one with two-step verification. Microsoft 365 and most Google domains allow only OAuth.',
    microsoft:
      'Microsoft 365: register an application in Entra ID with the application permission `IMAP.AccessAsApp` of Office 365 Exchange Online, and grant admin consent. In Exchange Online, run `New-ServicePrincipal` for it and give it access to each mailbox with `Add-MailboxPermission`. The server is `outlook.office365.com`; the token URL is `https://login.microsoftonline.com/<tenant ID>/oauth2/v2.0/token`.',
    google:
      'Google: create an OAuth client, authorize it for the scope `https://mail.google.com/` as the owner of the mailbox, and enter its refresh token. The server is `imap.gmail.com`; the token URL is `https://oauth2.googleapis.com/token`. The type Gmail is easier to set up.',
    mailbox:
      'A personal mailbox: only its owner can find the documents. A shared one: enter who can read the documents.',
    mailboxes:
      'Several mailboxes: enter a user or an application that may open them, for example a master user of Dovecot, and the names of the mailboxes.',
  },
  postgresql: {
    user: 'Create a user that can only read: `CREATE ROLE lectern LOGIN PASSWORD …`, `GRANT USAGE ON SCHEMA public TO lectern`, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO lectern`.',
    connections: 'Allow connections from the address of Lectern. With PgBouncer, set `pool_mode = session`.',
    readers: 'Choose who can read the documents: a database has no readers that Lectern could use.',
  },
  web: {
    permission: 'Check that you may copy the website. Lectern obeys its `robots.txt`.',
    start: 'Enter the pages where the crawl starts. Only their hosts are crawled, unless you add others.',
    exclude: 'Exclude pages that need a sign-in, calendars and search results.',
  },
} as const;
