import type { ConnectorTypeName } from '#api/types.ts';
import { t } from '#texts/texts.ts';

/** A form field for one setting of a connector type. */
export interface FieldSpec {
  /** The name in the API. `dateRange.from` is a property of an object. */
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'list' | 'number' | 'date' | 'secret' | 'choice' | 'interval';
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
  label: t('connectors.fields.principals'),
  kind: 'list',
  placeholder: 'public',
  hint: t('connectors.fields.principalsHint'),
};

/** The credentials of a Google service account. `hint` describes its administrator. */
const serviceAccountFields = (hint: string): readonly FieldSpec[] => [
  {
    name: 'serviceAccountKey',
    label: t('connectors.fields.serviceAccountKey'),
    kind: 'secret',
    hint: t('connectors.fields.serviceAccountKeyHint'),
  },
  {
    name: 'adminEmail',
    label: t('connectors.fields.administrator'),
    kind: 'text',
    placeholder: 'admin@example.com',
    hint,
  },
];

/** The form fields of each connector type. The API validates the values. */
export const CONNECTOR_TYPES: readonly TypeSpec[] = [
  {
    type: 'upload',
    label: t('connectors.types.upload.label'),
    about: t('connectors.types.upload.about'),
    acceptsFiles: true,
    config: [PRINCIPALS],
    credentials: [],
  },
  {
    type: 'custom',
    label: t('connectors.types.custom.label'),
    about: t('connectors.types.custom.about'),
    acceptsItems: true,
    config: [PRINCIPALS],
    credentials: [],
  },
  {
    type: 's3',
    label: t('connectors.types.s3.label'),
    about: t('connectors.types.s3.about'),
    acceptsFiles: true,
    config: [
      { name: 'bucket', label: t('connectors.types.s3.bucket'), kind: 'text', isRequired: true },
      { name: 'region', label: t('connectors.types.s3.region'), kind: 'text', placeholder: 'us-east-1' },
      { name: 'prefix', label: t('connectors.types.s3.prefix'), kind: 'text', placeholder: 'docs/' },
      {
        name: 'endpoint',
        label: t('connectors.fields.endpoint'),
        kind: 'text',
        placeholder: 'https://minio.example.com',
        hint: t('connectors.types.s3.endpointHint'),
      },
      PRINCIPALS,
    ],
    credentials: [
      { name: 'accessKeyId', label: t('connectors.types.s3.accessKeyId'), kind: 'text', isRequired: true },
      { name: 'secretAccessKey', label: t('connectors.types.s3.secretAccessKey'), kind: 'secret', isRequired: true },
      {
        name: 'sessionToken',
        label: t('connectors.types.s3.sessionToken'),
        kind: 'secret',
        hint: t('connectors.types.s3.sessionTokenHint'),
      },
    ],
  },
  {
    type: 'google_drive',
    label: t('connectors.types.googleDrive.label'),
    about: t('connectors.types.googleDrive.about'),
    isOAuth: true,
    access: { oauth: t('connectors.types.googleDrive.ownAccount'), credentials: t('connectors.fields.serviceAccount') },
    config: [
      {
        name: 'users',
        label: t('connectors.fields.users'),
        kind: 'list',
        placeholder: 'ada@example.com',
        hint: t('connectors.types.googleDrive.usersHint'),
      },
      {
        name: 'orgUnits',
        label: t('connectors.types.googleDrive.orgUnits'),
        kind: 'list',
        placeholder: '/Sales',
        hint: t('connectors.types.googleDrive.orgUnitsHint'),
      },
    ],
    credentials: serviceAccountFields(t('connectors.types.googleDrive.administratorHint')),
    credentialsHint: t('connectors.types.googleDrive.credentialsHint'),
  },
  {
    type: 'gmail',
    label: t('connectors.types.gmail.label'),
    about: t('connectors.types.gmail.about'),
    isOAuth: true,
    access: { oauth: t('connectors.types.gmail.ownAccount'), credentials: t('connectors.fields.serviceAccount') },
    config: [
      {
        name: 'users',
        label: t('connectors.fields.users'),
        kind: 'list',
        placeholder: 'ada@example.com',
        hint: t('connectors.types.gmail.usersHint'),
      },
      {
        name: 'groups',
        label: t('connectors.fields.groups'),
        kind: 'list',
        placeholder: 'sales@example.com',
        hint: t('connectors.types.gmail.groupsHint'),
      },
      {
        name: 'excludeUsers',
        label: t('connectors.types.gmail.excludeUsers'),
        kind: 'list',
        placeholder: 'ceo@example.com',
        hint: t('connectors.types.gmail.excludeUsersHint'),
      },
      {
        name: 'labels',
        label: t('connectors.types.gmail.labels'),
        kind: 'list',
        placeholder: t('connectors.types.gmail.labelsExample'),
        hint: t('connectors.types.gmail.labelsHint'),
      },
      {
        name: 'excludeLabels',
        label: t('connectors.types.gmail.excludeLabels'),
        kind: 'list',
        placeholder: t('connectors.types.gmail.excludeLabelsExample'),
        hint: t('connectors.types.gmail.excludeLabelsHint'),
      },
      {
        name: 'query',
        label: t('connectors.types.gmail.query'),
        kind: 'text',
        placeholder: 'from:example.com',
        hint: t('connectors.types.gmail.queryHint'),
      },
      {
        name: 'since',
        label: t('connectors.types.gmail.since'),
        kind: 'date',
        hint: t('connectors.types.gmail.sinceHint'),
      },
      {
        name: 'sharedMailboxes',
        label: t('connectors.fields.sharedMailboxes'),
        kind: 'list',
        placeholder: 'support@example.com: group:support-team@example.com, user:ada@example.com',
        hint: t('connectors.types.gmail.sharedMailboxesHint'),
      },
    ],
    credentials: serviceAccountFields(t('connectors.types.gmail.administratorHint')),
    credentialsHint: t('connectors.types.gmail.credentialsHint'),
  },
  {
    type: 'confluence',
    label: t('connectors.types.confluence.label'),
    about: t('connectors.types.confluence.about'),
    config: [
      {
        name: 'instanceUrl',
        label: t('connectors.fields.url'),
        kind: 'text',
        isRequired: true,
        placeholder: 'https://example.atlassian.net',
      },
      {
        name: 'spaceKeys',
        label: t('connectors.types.confluence.spaceKeys'),
        kind: 'list',
        placeholder: 'DOCS',
        hint: t('connectors.types.confluence.spaceKeysHint'),
      },
    ],
    credentials: [
      { name: 'email', label: t('connectors.fields.email'), kind: 'text' },
      { name: 'apiToken', label: t('connectors.fields.apiToken'), kind: 'secret' },
      { name: 'token', label: t('connectors.fields.personalAccessToken'), kind: 'secret' },
    ],
    credentialsHint: t('connectors.types.confluence.credentialsHint'),
  },
  {
    type: 'jira',
    label: t('connectors.types.jira.label'),
    about: t('connectors.types.jira.about'),
    config: [
      {
        name: 'baseUrl',
        label: t('connectors.fields.url'),
        kind: 'text',
        isRequired: true,
        placeholder: 'https://example.atlassian.net',
      },
      {
        name: 'projects',
        label: t('connectors.fields.projects'),
        kind: 'list',
        placeholder: 'DOCS',
        hint: t('connectors.types.jira.projectsHint'),
      },
      {
        name: 'jql',
        label: t('connectors.types.jira.jql'),
        kind: 'text',
        placeholder: 'status = Done AND labels = public',
        hint: t('connectors.types.jira.jqlHint'),
      },
    ],
    credentials: [
      { name: 'email', label: t('connectors.fields.email'), kind: 'text' },
      {
        name: 'apiToken',
        label: t('connectors.fields.apiToken'),
        kind: 'secret',
        hint: t('connectors.types.jira.apiTokenHint'),
      },
      {
        name: 'token',
        label: t('connectors.fields.personalAccessToken'),
        kind: 'secret',
        hint: t('connectors.types.jira.tokenHint'),
      },
    ],
    credentialsHint: t('connectors.types.jira.credentialsHint'),
  },
  {
    type: 'microsoft_365',
    label: t('connectors.types.microsoft365.label'),
    about: t('connectors.types.microsoft365.about'),
    config: [
      {
        name: 'sites',
        label: t('connectors.types.microsoft365.sites'),
        kind: 'list',
        placeholder: 'https://example.sharepoint.com/sites/marketing',
        hint: t('connectors.types.microsoft365.sitesHint'),
      },
      {
        name: 'oneDrives',
        label: t('connectors.types.microsoft365.oneDrives'),
        kind: 'list',
        placeholder: 'ann@example.com',
        hint: t('connectors.types.microsoft365.oneDrivesHint'),
      },
      {
        name: 'pathFilter',
        label: t('connectors.fields.pathFilter'),
        kind: 'list',
        placeholder: t('connectors.types.microsoft365.pathFilterExample'),
        hint: t('connectors.types.microsoft365.pathFilterHint'),
      },
      {
        name: 'teams',
        label: t('connectors.types.microsoft365.teams'),
        kind: 'list',
        placeholder: t('connectors.types.microsoft365.teamsExample'),
        hint: t('connectors.types.microsoft365.teamsHint'),
      },
      {
        name: 'excludeTeams',
        label: t('connectors.types.microsoft365.excludeTeams'),
        kind: 'list',
        placeholder: t('connectors.types.microsoft365.excludeTeamsExample'),
        hint: t('connectors.types.microsoft365.excludeTeamsHint'),
      },
      {
        name: 'sharedMailboxes',
        label: t('connectors.fields.sharedMailboxes'),
        kind: 'list',
        placeholder: 'support@example.com',
        hint: t('connectors.types.microsoft365.sharedMailboxesHint'),
      },
      {
        name: 'mailboxReaders',
        label: t('connectors.types.microsoft365.mailboxReaders'),
        kind: 'list',
        placeholder: 'ann@example.com',
        hint: t('connectors.types.microsoft365.mailboxReadersHint'),
      },
      {
        name: 'mailboxes',
        label: t('connectors.types.microsoft365.mailboxes'),
        kind: 'list',
        placeholder: 'ann@example.com',
        hint: t('connectors.types.microsoft365.mailboxesHint'),
      },
      {
        name: 'mailboxGroups',
        label: t('connectors.types.microsoft365.mailboxGroups'),
        kind: 'list',
        placeholder: 'sales@example.com',
        hint: t('connectors.types.microsoft365.mailboxGroupsHint'),
      },
      {
        name: 'mailFolders',
        label: t('connectors.types.microsoft365.mailFolders'),
        kind: 'list',
        placeholder: t('connectors.types.microsoft365.mailFoldersExample'),
        hint: t('connectors.types.microsoft365.mailFoldersHint'),
      },
      {
        name: 'mailSince',
        label: t('connectors.types.microsoft365.mailSince'),
        kind: 'date',
        hint: t('connectors.types.microsoft365.mailSinceHint'),
      },
      {
        name: 'cloud',
        label: t('connectors.types.microsoft365.cloud'),
        kind: 'choice',
        choices: ['global', 'us_government', 'us_government_dod', 'china'],
      },
      {
        name: 'endpoint',
        label: t('connectors.fields.endpoint'),
        kind: 'text',
        placeholder: 'https://graph.example.com',
        hint: t('connectors.types.microsoft365.endpointHint'),
      },
    ],
    credentials: [
      {
        name: 'tenantId',
        label: t('connectors.types.microsoft365.tenantId'),
        kind: 'text',
        isRequired: true,
        hint: t('connectors.types.microsoft365.tenantIdHint'),
      },
      {
        name: 'clientId',
        label: t('connectors.fields.clientId'),
        kind: 'text',
        isRequired: true,
        hint: t('connectors.types.microsoft365.clientIdHint'),
      },
      {
        name: 'clientSecret',
        label: t('connectors.fields.clientSecret'),
        kind: 'secret',
        isRequired: true,
        hint: t('connectors.types.microsoft365.clientSecretHint'),
      },
    ],
    credentialsHint: t('connectors.types.microsoft365.credentialsHint'),
  },
  {
    type: 'github',
    label: t('connectors.types.github.label'),
    about: t('connectors.types.github.about'),
    config: [
      {
        name: 'repos',
        label: t('connectors.types.github.repos'),
        kind: 'list',
        isRequired: true,
        placeholder: 'owner/repo',
        hint: t('connectors.types.github.reposHint'),
      },
      { name: 'branch', label: t('connectors.fields.branch'), kind: 'text', hint: t('connectors.fields.branchHint') },
      {
        name: 'pathFilter',
        label: t('connectors.fields.pathFilter'),
        kind: 'list',
        placeholder: 'docs/**',
        hint: t('connectors.types.github.pathFilterHint'),
      },
    ],
    credentials: [{ name: 'token', label: t('connectors.types.github.token'), kind: 'secret', isRequired: true }],
  },
  {
    type: 'gitlab',
    label: t('connectors.types.gitlab.label'),
    about: t('connectors.types.gitlab.about'),
    config: [
      {
        name: 'instanceUrl',
        label: t('connectors.fields.url'),
        kind: 'text',
        placeholder: 'https://gitlab.com',
        hint: t('connectors.types.gitlab.instanceUrlHint'),
      },
      {
        name: 'groups',
        label: t('connectors.fields.groups'),
        kind: 'list',
        placeholder: 'group/subgroup',
        hint: t('connectors.types.gitlab.groupsHint'),
      },
      {
        name: 'projects',
        label: t('connectors.fields.projects'),
        kind: 'list',
        placeholder: 'group/project',
        hint: t('connectors.types.gitlab.projectsHint'),
      },
      {
        name: 'include',
        label: t('connectors.types.gitlab.include'),
        kind: 'list',
        placeholder: 'issues',
        hint: t('connectors.types.gitlab.includeHint'),
      },
      { name: 'branch', label: t('connectors.fields.branch'), kind: 'text', hint: t('connectors.fields.branchHint') },
      {
        name: 'pathFilter',
        label: t('connectors.fields.pathFilter'),
        kind: 'list',
        placeholder: 'docs/**',
        hint: t('connectors.types.gitlab.pathFilterHint'),
      },
    ],
    credentials: [
      {
        name: 'token',
        label: t('connectors.fields.accessToken'),
        kind: 'secret',
        isRequired: true,
        placeholder: 'glpat-…',
      },
    ],
    credentialsHint: t('connectors.types.gitlab.credentialsHint'),
  },
  {
    type: 'slack',
    label: t('connectors.types.slack.label'),
    about: t('connectors.types.slack.about'),
    config: [
      {
        name: 'channels',
        label: t('connectors.types.slack.channels'),
        kind: 'list',
        placeholder: '#general',
        hint: t('connectors.types.slack.channelsHint'),
      },
      { name: 'dateRange.from', label: t('connectors.types.slack.from'), kind: 'date' },
      { name: 'dateRange.to', label: t('connectors.types.slack.to'), kind: 'date' },
    ],
    credentials: [
      {
        name: 'token',
        label: t('connectors.types.slack.token'),
        kind: 'secret',
        isRequired: true,
        placeholder: 'xoxb-…',
      },
    ],
  },
  {
    type: 'notion',
    label: t('connectors.types.notion.label'),
    about: t('connectors.types.notion.about'),
    isOAuth: true,
    config: [],
    credentials: [],
  },
  {
    type: 'salesforce',
    label: t('connectors.types.salesforce.label'),
    about: t('connectors.types.salesforce.about'),
    config: [
      {
        name: 'objects',
        label: t('connectors.types.salesforce.objects'),
        kind: 'list',
        placeholder: t('connectors.types.salesforce.objectsExample'),
        hint: t('connectors.types.salesforce.objectsHint'),
      },
      {
        name: 'soqlFilter',
        label: t('connectors.types.salesforce.soqlFilter'),
        kind: 'text',
        placeholder: t('connectors.types.salesforce.soqlFilterExample'),
      },
      PRINCIPALS,
    ],
    credentials: [
      { name: 'clientId', label: t('connectors.fields.clientId'), kind: 'text' },
      { name: 'clientSecret', label: t('connectors.fields.clientSecret'), kind: 'secret' },
      { name: 'accessToken', label: t('connectors.fields.accessToken'), kind: 'secret' },
      {
        name: 'instanceUrl',
        label: t('connectors.types.salesforce.instanceUrl'),
        kind: 'text',
        placeholder: 'https://example.my.salesforce.com',
      },
    ],
    credentialsHint: t('connectors.types.salesforce.credentialsHint'),
  },
  {
    type: 'web',
    label: t('connectors.types.web.label'),
    about: t('connectors.types.web.about'),
    config: [
      {
        name: 'startUrls',
        label: t('connectors.types.web.startUrls'),
        kind: 'list',
        isRequired: true,
        placeholder: 'https://example.com/docs',
        hint: t('connectors.types.web.startUrlsHint'),
      },
      {
        name: 'sitemaps',
        label: t('connectors.types.web.sitemaps'),
        kind: 'list',
        placeholder: 'https://example.com/sitemap.xml',
        hint: t('connectors.types.web.sitemapsHint'),
      },
      {
        name: 'hosts',
        label: t('connectors.types.web.hosts'),
        kind: 'list',
        placeholder: 'www.example.com',
        hint: t('connectors.types.web.hostsHint'),
      },
      {
        name: 'include',
        label: t('connectors.types.web.include'),
        kind: 'list',
        placeholder: 'docs/**',
        hint: t('connectors.types.web.includeHint'),
      },
      {
        name: 'exclude',
        label: t('connectors.types.web.exclude'),
        kind: 'list',
        placeholder: 'calendar/**',
        hint: t('connectors.types.web.excludeHint'),
      },
      {
        name: 'maxPages',
        label: t('connectors.types.web.maxPages'),
        kind: 'number',
        placeholder: '1000',
        hint: t('connectors.types.web.maxPagesHint'),
      },
      {
        name: 'maxDepth',
        label: t('connectors.types.web.maxDepth'),
        kind: 'number',
        placeholder: '10',
        hint: t('connectors.types.web.maxDepthHint'),
      },
      {
        name: 'maxPagesPerPattern',
        label: t('connectors.types.web.maxPagesPerPattern'),
        kind: 'number',
        placeholder: '200',
        hint: t('connectors.types.web.maxPagesPerPatternHint'),
      },
      {
        name: 'delayMs',
        label: t('connectors.types.web.delayMs'),
        kind: 'number',
        placeholder: '500',
        hint: t('connectors.types.web.delayMsHint'),
      },
      PRINCIPALS,
    ],
    credentials: [],
  },
  {
    type: 'imap',
    label: t('connectors.types.imap.label'),
    about: t('connectors.types.imap.about'),
    config: [
      {
        name: 'host',
        label: t('connectors.fields.host'),
        kind: 'text',
        isRequired: true,
        placeholder: 'imap.example.com',
      },
      { name: 'port', label: t('connectors.fields.port'), kind: 'number', placeholder: '993' },
      {
        name: 'security',
        label: t('connectors.types.imap.security'),
        kind: 'choice',
        choices: ['', 'tls', 'starttls', 'none'],
        hint: t('connectors.types.imap.securityHint'),
      },
      {
        name: 'folders',
        label: t('connectors.types.imap.folders'),
        kind: 'list',
        placeholder: 'INBOX',
        hint: t('connectors.types.imap.foldersHint'),
      },
      {
        name: 'since',
        label: t('connectors.types.imap.since'),
        kind: 'date',
        hint: t('connectors.types.imap.sinceHint'),
      },
      {
        name: 'mailboxes',
        label: t('connectors.types.imap.mailboxes'),
        kind: 'list',
        placeholder: 'support@example.com',
        hint: t('connectors.types.imap.mailboxesHint'),
      },
      {
        name: 'delegation',
        label: t('connectors.types.imap.delegation'),
        kind: 'choice',
        choices: ['', 'master_user', 'authorization_id', 'access_token'],
        hint: t('connectors.types.imap.delegationHint'),
      },
      {
        ...PRINCIPALS,
        placeholder: 'group:lectern/support',
        hint: t('connectors.types.imap.principalsHint'),
      },
    ],
    credentials: [
      { name: 'user', label: t('connectors.fields.user'), kind: 'text', isRequired: true },
      {
        name: 'password',
        label: t('connectors.fields.password'),
        kind: 'secret',
        hint: t('connectors.types.imap.passwordHint'),
      },
      {
        name: 'tokenUrl',
        label: t('connectors.types.imap.tokenUrl'),
        kind: 'text',
        placeholder: 'https://login.microsoftonline.com/…/oauth2/v2.0/token',
        hint: t('connectors.types.imap.tokenUrlHint'),
      },
      { name: 'clientId', label: t('connectors.fields.clientId'), kind: 'text' },
      { name: 'clientSecret', label: t('connectors.fields.clientSecret'), kind: 'secret' },
      {
        name: 'refreshToken',
        label: t('connectors.types.imap.refreshToken'),
        kind: 'secret',
        hint: t('connectors.types.imap.refreshTokenHint'),
      },
      {
        name: 'scope',
        label: t('connectors.types.imap.scope'),
        kind: 'text',
        placeholder: 'https://outlook.office365.com/.default',
        hint: t('connectors.types.imap.scopeHint'),
      },
    ],
    credentialsHint: t('connectors.types.imap.credentialsHint'),
  },
  {
    type: 'postgresql',
    label: t('connectors.types.postgresql.label'),
    about: t('connectors.types.postgresql.about'),
    config: [
      { name: 'host', label: t('connectors.fields.host'), kind: 'text', isRequired: true },
      { name: 'port', label: t('connectors.fields.port'), kind: 'number', placeholder: '5432' },
      { name: 'database', label: t('connectors.types.postgresql.database'), kind: 'text', isRequired: true },
      { name: 'schema', label: t('connectors.types.postgresql.schema'), kind: 'text', placeholder: 'public' },
      {
        name: 'sslMode',
        label: t('connectors.types.postgresql.sslMode'),
        kind: 'choice',
        choices: ['', 'disable', 'prefer', 'require', 'verify-full'],
      },
      PRINCIPALS,
    ],
    credentials: [
      { name: 'user', label: t('connectors.fields.user'), kind: 'text', isRequired: true },
      { name: 'password', label: t('connectors.fields.password'), kind: 'secret', isRequired: true },
    ],
  },
];

/** The sync schedule. */
const SCHEDULE: FieldSpec = {
  name: 'syncEveryMinutes',
  label: t('connectors.fields.schedule'),
  kind: 'interval',
};

export function typeSpec(type: string): TypeSpec | undefined {
  return CONNECTOR_TYPES.find((spec) => spec.type === type);
}

/** Returns the setting fields of a type, with the schedule if it has one. */
export function configFields(spec: TypeSpec | undefined): readonly FieldSpec[] {
  return [...(spec?.config ?? []), ...(spec?.type === 'upload' ? [] : [SCHEDULE])];
}
