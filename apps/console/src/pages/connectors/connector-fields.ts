import type { ConnectorTypeName } from '#api/types.ts';

/** A form field for one setting of a connector type. */
export interface FieldSpec {
  /** The name in the API. `dateRange.from` is a property of an object. */
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'list' | 'number' | 'date' | 'secret' | 'choice';
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly choices?: readonly string[];
}

export interface TypeSpec {
  readonly type: ConnectorTypeName;
  readonly label: string;
  readonly about: string;
  /** Uses OAuth, unless the user chooses to enter the credentials. */
  readonly isOAuth?: boolean;
  /** With OAuth: the labels of the choice between an authorization and the credentials. */
  readonly access?: { readonly oauth: string; readonly credentials: string };
  /** Files can be uploaded and deleted. */
  readonly acceptsFiles?: boolean;
  /** A program pushes its items. */
  readonly acceptsItems?: boolean;
  readonly config: readonly FieldSpec[];
  readonly credentials: readonly FieldSpec[];
  readonly credentialsHint?: string;
}

const PRINCIPALS: FieldSpec = {
  name: 'principals',
  label: 'Who can read the documents',
  kind: 'list',
  placeholder: 'public',
  hint: 'One per line, for example public or user:ann@example.com. Leave empty for everyone with access to the collection.',
};

/** The form fields of each connector type. The API validates the values. */
export const CONNECTOR_TYPES: readonly TypeSpec[] = [
  {
    type: 'upload',
    label: 'Files',
    about: 'Files uploaded to Lectern.',
    acceptsFiles: true,
    config: [PRINCIPALS],
    credentials: [],
  },
  {
    type: 'custom',
    label: 'Custom',
    about: 'A system without a type of its own: your program pushes its items. Connect to get the code.',
    acceptsItems: true,
    config: [PRINCIPALS],
    credentials: [],
  },
  {
    type: 's3',
    label: 'Amazon S3',
    about: 'A bucket in Amazon S3 or on an S3-compatible server.',
    acceptsFiles: true,
    config: [
      { name: 'bucket', label: 'Bucket', kind: 'text', isRequired: true },
      { name: 'region', label: 'Region', kind: 'text', placeholder: 'us-east-1' },
      { name: 'prefix', label: 'Prefix', kind: 'text', placeholder: 'docs/' },
      {
        name: 'endpoint',
        label: 'Endpoint',
        kind: 'text',
        placeholder: 'https://minio.example.com',
        hint: 'Only for S3-compatible servers.',
      },
      PRINCIPALS,
    ],
    credentials: [
      { name: 'accessKeyId', label: 'Access key ID', kind: 'text', isRequired: true },
      { name: 'secretAccessKey', label: 'Secret access key', kind: 'secret', isRequired: true },
      { name: 'sessionToken', label: 'Session token', kind: 'secret', hint: 'Only for temporary credentials.' },
    ],
  },
  {
    type: 'google_drive',
    label: 'Google Drive',
    about: 'All files that your Google account can access, or those of a whole domain.',
    isOAuth: true,
    access: { oauth: 'My Google account', credentials: 'Service account (whole domain)' },
    config: [
      {
        name: 'users',
        label: 'Users',
        kind: 'list',
        placeholder: 'ada@example.com',
        hint: 'For a service account: whose files to list, one per line. Shared drives are always listed. Leave empty for all users.',
      },
      {
        name: 'orgUnits',
        label: 'Organizational units',
        kind: 'list',
        placeholder: '/Sales',
        hint: 'For a service account: paths, one per line. The files of their users are listed too.',
      },
    ],
    credentials: [
      {
        name: 'serviceAccountKey',
        label: 'Service account key',
        kind: 'secret',
        hint: 'Paste the content of the JSON key file.',
      },
      {
        name: 'adminEmail',
        label: 'Administrator',
        kind: 'text',
        placeholder: 'admin@example.com',
        hint: 'An administrator who can read users and groups and manage shared drives.',
      },
    ],
    credentialsHint:
      'The service account needs domain-wide delegation in the Google Admin console with the scopes drive.readonly, admin.directory.user.readonly, admin.directory.group.readonly and admin.directory.group.member.readonly.',
  },
  {
    type: 'confluence',
    label: 'Confluence',
    about: 'Pages and attachments of Confluence Cloud or Data Center.',
    config: [
      {
        name: 'instanceUrl',
        label: 'URL',
        kind: 'text',
        isRequired: true,
        placeholder: 'https://example.atlassian.net',
      },
      {
        name: 'spaceKeys',
        label: 'Spaces',
        kind: 'list',
        placeholder: 'DOCS',
        hint: 'One per line. Leave empty for all spaces.',
      },
    ],
    credentials: [
      { name: 'email', label: 'Email', kind: 'text' },
      { name: 'apiToken', label: 'API token', kind: 'secret' },
      { name: 'token', label: 'Personal access token', kind: 'secret' },
    ],
    credentialsHint: 'Email and API token for Cloud, or a personal access token for Data Center.',
  },
  {
    type: 'jira',
    label: 'Jira',
    about: 'Issues and comments of Jira Cloud or Data Center.',
    config: [
      {
        name: 'baseUrl',
        label: 'URL',
        kind: 'text',
        isRequired: true,
        placeholder: 'https://example.atlassian.net',
      },
      {
        name: 'projects',
        label: 'Projects',
        kind: 'list',
        placeholder: 'DOCS',
        hint: 'Keys, one per line. Leave empty for all projects.',
      },
      {
        name: 'jql',
        label: 'JQL filter',
        kind: 'text',
        placeholder: 'status = Done AND labels = public',
        hint: 'A condition without ORDER BY. Leave empty for all issues.',
      },
    ],
    credentials: [
      { name: 'email', label: 'Email', kind: 'text' },
      {
        name: 'apiToken',
        label: 'API token',
        kind: 'secret',
        hint: 'Create one at id.atlassian.com: Security, API tokens. A token with scopes needs the URL https://api.atlassian.com/ex/jira/ and your cloud ID.',
      },
      {
        name: 'token',
        label: 'Personal access token',
        kind: 'secret',
        hint: 'Create one in Jira Data Center: Profile, Personal Access Tokens.',
      },
    ],
    credentialsHint:
      'Email and API token for Cloud, or a personal access token for Data Center. The account must be able to browse the projects. Use an administrator of Jira, so that Lectern can read who may see each issue.',
  },
  {
    type: 'microsoft_365',
    label: 'Microsoft 365',
    about: 'Files in SharePoint sites and OneDrive.',
    config: [
      {
        name: 'sites',
        label: 'Sites',
        kind: 'list',
        placeholder: 'https://example.sharepoint.com/sites/marketing',
        hint: 'URLs, one per line, or all. Leave empty for no SharePoint sites.',
      },
      {
        name: 'oneDrives',
        label: 'OneDrive users',
        kind: 'list',
        placeholder: 'ann@example.com',
        hint: 'Addresses, one per line, or all. Leave empty for no OneDrive.',
      },
      {
        name: 'pathFilter',
        label: 'Paths',
        kind: 'list',
        placeholder: 'Plans',
        hint: 'Prefixes or globs in a library, one per line. ! excludes. Leave empty for all files.',
      },
      {
        name: 'cloud',
        label: 'Cloud',
        kind: 'choice',
        choices: ['global', 'us_government', 'us_government_dod', 'china'],
      },
      {
        name: 'endpoint',
        label: 'Endpoint',
        kind: 'text',
        placeholder: 'https://graph.example.com',
        hint: 'Only for a server in front of Entra ID and Microsoft Graph.',
      },
    ],
    credentials: [
      { name: 'tenantId', label: 'Tenant ID', kind: 'text', isRequired: true, hint: 'The directory (tenant) ID.' },
      { name: 'clientId', label: 'Client ID', kind: 'text', isRequired: true, hint: 'The application (client) ID.' },
      {
        name: 'clientSecret',
        label: 'Client secret',
        kind: 'secret',
        isRequired: true,
        hint: 'The value of the secret, not its ID.',
      },
    ],
    credentialsHint:
      'Register an application in Entra ID, add the application permissions Sites.Read.All, Files.Read.All, User.Read.All and GroupMember.Read.All, and grant admin consent.',
  },
  {
    type: 'github',
    label: 'GitHub',
    about: 'Files in GitHub repositories.',
    config: [
      {
        name: 'repos',
        label: 'Repositories',
        kind: 'list',
        isRequired: true,
        placeholder: 'owner/repo',
        hint: 'One per line.',
      },
      { name: 'branch', label: 'Branch', kind: 'text', hint: 'Leave empty for the default branch.' },
      {
        name: 'pathFilter',
        label: 'Paths',
        kind: 'list',
        placeholder: 'docs/**',
        hint: 'One per line. Leave empty for all files.',
      },
    ],
    credentials: [{ name: 'token', label: 'Token', kind: 'secret', isRequired: true }],
  },
  {
    type: 'gitlab',
    label: 'GitLab',
    about: 'Files, issues, merge requests and wikis of GitLab.com or a self-managed instance.',
    config: [
      {
        name: 'instanceUrl',
        label: 'URL',
        kind: 'text',
        placeholder: 'https://gitlab.com',
        hint: 'Leave empty for GitLab.com.',
      },
      {
        name: 'groups',
        label: 'Groups',
        kind: 'list',
        placeholder: 'group/subgroup',
        hint: 'Full paths, one per line. Includes the projects of subgroups.',
      },
      {
        name: 'projects',
        label: 'Projects',
        kind: 'list',
        placeholder: 'group/project',
        hint: 'Full paths, one per line. Required without groups.',
      },
      {
        name: 'include',
        label: 'Parts',
        kind: 'list',
        placeholder: 'issues',
        hint: 'repository, issues, merge_requests or wiki, one per line. Leave empty for all.',
      },
      { name: 'branch', label: 'Branch', kind: 'text', hint: 'Leave empty for the default branch.' },
      {
        name: 'pathFilter',
        label: 'Paths',
        kind: 'list',
        placeholder: 'docs/**',
        hint: 'Files of the repository, one pattern per line. Leave empty for all files.',
      },
    ],
    credentials: [{ name: 'token', label: 'Access token', kind: 'secret', isRequired: true, placeholder: 'glpat-…' }],
    credentialsHint:
      'A personal, group or project access token with the scope read_api. It needs the role Reporter or higher, so that Lectern can read the code and the members.',
  },
  {
    type: 'slack',
    label: 'Slack',
    about: 'Threads in Slack channels.',
    config: [
      {
        name: 'channels',
        label: 'Channels',
        kind: 'list',
        placeholder: '#general',
        hint: 'Names or IDs, one per line. Leave empty for all channels that the bot has joined.',
      },
      { name: 'dateRange.from', label: 'From', kind: 'date' },
      { name: 'dateRange.to', label: 'To', kind: 'date' },
    ],
    credentials: [{ name: 'token', label: 'Bot token', kind: 'secret', isRequired: true, placeholder: 'xoxb-…' }],
  },
  {
    type: 'notion',
    label: 'Notion',
    about: 'Pages and databases that you share with Lectern.',
    isOAuth: true,
    config: [],
    credentials: [],
  },
  {
    type: 'salesforce',
    label: 'Salesforce',
    about: 'Records and files of a Salesforce organization.',
    config: [
      {
        name: 'objects',
        label: 'Objects',
        kind: 'list',
        placeholder: 'Account',
        hint: 'API names, one per line. Leave empty for the standard objects.',
      },
      { name: 'soqlFilter', label: 'SOQL filter', kind: 'text', placeholder: "Status = 'Open'" },
      PRINCIPALS,
    ],
    credentials: [
      { name: 'clientId', label: 'Client ID', kind: 'text' },
      { name: 'clientSecret', label: 'Client secret', kind: 'secret' },
      { name: 'accessToken', label: 'Access token', kind: 'secret' },
      {
        name: 'instanceUrl',
        label: 'Instance URL',
        kind: 'text',
        placeholder: 'https://example.my.salesforce.com',
      },
    ],
    credentialsHint: 'Client ID and secret, or an access token with the instance URL.',
  },
  {
    type: 'web',
    label: 'Website',
    about: 'Pages and documents of public websites.',
    config: [
      {
        name: 'startUrls',
        label: 'Start URLs',
        kind: 'list',
        isRequired: true,
        placeholder: 'https://example.com/docs',
        hint: 'One per line. Lectern follows links on the hosts of these URLs. It obeys robots.txt as Lectern.',
      },
      {
        name: 'sitemaps',
        label: 'Sitemaps',
        kind: 'list',
        placeholder: 'https://example.com/sitemap.xml',
        hint: 'One per line. Those in robots.txt are found without this.',
      },
      {
        name: 'hosts',
        label: 'Further hosts',
        kind: 'list',
        placeholder: 'www.example.com',
        hint: 'One per line. Links to all other hosts are ignored.',
      },
      {
        name: 'include',
        label: 'Only these paths',
        kind: 'list',
        placeholder: 'docs/**',
        hint: 'One per line. Leave empty for all pages.',
      },
      {
        name: 'exclude',
        label: 'Never these paths',
        kind: 'list',
        placeholder: 'calendar/**',
        hint: 'One per line. Exclude calendars, search results, and pages that need a sign-in.',
      },
      {
        name: 'maxPages',
        label: 'Maximum pages',
        kind: 'number',
        placeholder: '1000',
        hint: 'URLs that a sync requests. If a site has more, nothing is deleted.',
      },
      { name: 'maxDepth', label: 'Maximum depth', kind: 'number', placeholder: '10', hint: 'Links from a start URL.' },
      {
        name: 'maxPagesPerPattern',
        label: 'Maximum similar pages',
        kind: 'number',
        placeholder: '200',
        hint: 'Linked pages whose URLs differ only in numbers or in the query, for example the days of a calendar.',
      },
      {
        name: 'delayMs',
        label: 'Delay (milliseconds)',
        kind: 'number',
        placeholder: '500',
        hint: 'Between two requests to a host. A longer Crawl-delay in robots.txt takes precedence.',
      },
      PRINCIPALS,
    ],
    credentials: [],
  },
  {
    type: 'postgresql',
    label: 'PostgreSQL',
    about: 'Rows of tables and views. Agents can query the database.',
    config: [
      { name: 'host', label: 'Host', kind: 'text', isRequired: true },
      { name: 'port', label: 'Port', kind: 'number', placeholder: '5432' },
      { name: 'database', label: 'Database', kind: 'text', isRequired: true },
      { name: 'schema', label: 'Schema', kind: 'text', placeholder: 'public' },
      { name: 'sslMode', label: 'TLS', kind: 'choice', choices: ['', 'disable', 'prefer', 'require', 'verify-full'] },
      PRINCIPALS,
    ],
    credentials: [
      { name: 'user', label: 'User', kind: 'text', isRequired: true },
      { name: 'password', label: 'Password', kind: 'secret', isRequired: true },
    ],
  },
];

/** The sync schedule. */
const SCHEDULE: FieldSpec = {
  name: 'syncEveryMinutes',
  label: 'Sync interval (minutes)',
  kind: 'number',
  placeholder: '0',
  hint: 'Enter 0 or leave empty to sync manually only.',
};

export function typeSpec(type: string): TypeSpec | undefined {
  return CONNECTOR_TYPES.find((spec) => spec.type === type);
}

/** Returns the setting fields of a type, with the schedule if it has one. */
export function configFields(spec: TypeSpec | undefined): readonly FieldSpec[] {
  return [...(spec?.config ?? []), ...(spec?.type === 'upload' ? [] : [SCHEDULE])];
}
