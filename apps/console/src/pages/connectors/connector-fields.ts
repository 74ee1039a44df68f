import type { ConnectorTypeName } from '#api/types.ts';

/** A setting of a type of source, as a form asks for it. */
export interface FieldSpec {
  /** As the API names it; `dateRange.from` is a member of an object. */
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
  /** Authorised in the browser instead of by credentials. */
  readonly isOAuth?: boolean;
  /** Files can be uploaded to it and deleted from it here. */
  readonly takesFiles?: boolean;
  readonly config: readonly FieldSpec[];
  readonly credentials: readonly FieldSpec[];
  readonly credentialsHint?: string;
}

const PRINCIPALS: FieldSpec = {
  name: 'principals',
  label: 'Who may read the documents',
  kind: 'list',
  placeholder: 'public',
  hint: 'One a line: public, user:ann@example.com. Empty: everyone that the key’s scope allows.',
};

/** What each type of source is asked for. The API judges the values; this is only how they are asked. */
export const CONNECTOR_TYPES: readonly TypeSpec[] = [
  {
    type: 'upload',
    label: 'Files',
    about: 'Files that are uploaded to Lectern itself.',
    takesFiles: true,
    config: [PRINCIPALS],
    credentials: [],
  },
  {
    type: 's3',
    label: 'Amazon S3',
    about: 'A bucket of S3, or of a server that speaks its protocol.',
    takesFiles: true,
    config: [
      { name: 'bucket', label: 'Bucket', kind: 'text', isRequired: true },
      { name: 'region', label: 'Region', kind: 'text', placeholder: 'us-east-1' },
      { name: 'prefix', label: 'Prefix', kind: 'text', placeholder: 'docs/' },
      {
        name: 'endpoint',
        label: 'Endpoint',
        kind: 'text',
        placeholder: 'https://minio.example.com',
        hint: 'Only for servers other than Amazon’s.',
      },
      PRINCIPALS,
    ],
    credentials: [
      { name: 'accessKeyId', label: 'Access key id', kind: 'text', isRequired: true },
      { name: 'secretAccessKey', label: 'Secret access key', kind: 'secret', isRequired: true },
      { name: 'sessionToken', label: 'Session token', kind: 'secret', hint: 'Only with temporary keys.' },
    ],
  },
  {
    type: 'google_drive',
    label: 'Google Drive',
    about: 'All files that a Google user can open.',
    isOAuth: true,
    config: [],
    credentials: [],
  },
  {
    type: 'confluence',
    label: 'Confluence',
    about: 'Pages of Confluence, Cloud or Data Center, with what is attached.',
    config: [
      {
        name: 'instanceUrl',
        label: 'Address',
        kind: 'text',
        isRequired: true,
        placeholder: 'https://example.atlassian.net',
      },
      { name: 'spaceKeys', label: 'Spaces', kind: 'list', placeholder: 'DOCS', hint: 'One a line. Empty: all.' },
    ],
    credentials: [
      { name: 'email', label: 'E-mail', kind: 'text' },
      { name: 'apiToken', label: 'API token', kind: 'secret' },
      { name: 'token', label: 'Personal access token', kind: 'secret' },
    ],
    credentialsHint: 'E-mail and API token for Cloud, or a personal access token for Data Center.',
  },
  {
    type: 'github',
    label: 'GitHub',
    about: 'Files of repositories.',
    config: [
      {
        name: 'repos',
        label: 'Repositories',
        kind: 'list',
        isRequired: true,
        placeholder: 'owner/repo',
        hint: 'One a line.',
      },
      { name: 'branch', label: 'Branch', kind: 'text', hint: 'Empty: the default branch.' },
      { name: 'pathFilter', label: 'Paths', kind: 'list', placeholder: 'docs/**', hint: 'One a line. Empty: all.' },
    ],
    credentials: [{ name: 'token', label: 'Token', kind: 'secret', isRequired: true }],
  },
  {
    type: 'slack',
    label: 'Slack',
    about: 'Threads of channels.',
    config: [
      {
        name: 'channels',
        label: 'Channels',
        kind: 'list',
        placeholder: '#general',
        hint: 'Names or ids, one a line. Empty: all that the bot is in.',
      },
      { name: 'dateRange.from', label: 'From', kind: 'date' },
      { name: 'dateRange.to', label: 'To', kind: 'date' },
    ],
    credentials: [{ name: 'token', label: 'Bot token', kind: 'secret', isRequired: true, placeholder: 'xoxb-…' }],
  },
  {
    type: 'notion',
    label: 'Notion',
    about: 'Pages and databases of a workspace that a user shares.',
    isOAuth: true,
    config: [],
    credentials: [],
  },
  {
    type: 'salesforce',
    label: 'Salesforce',
    about: 'Records and files of an organisation.',
    config: [
      {
        name: 'objects',
        label: 'Objects',
        kind: 'list',
        placeholder: 'Account',
        hint: 'API names, one a line. Empty: the usual ones.',
      },
      { name: 'soqlFilter', label: 'SOQL filter', kind: 'text', placeholder: "Status = 'Open'" },
      PRINCIPALS,
    ],
    credentials: [
      { name: 'clientId', label: 'Client id', kind: 'text' },
      { name: 'clientSecret', label: 'Client secret', kind: 'secret' },
      { name: 'accessToken', label: 'Access token', kind: 'secret' },
      {
        name: 'instanceUrl',
        label: 'Instance address',
        kind: 'text',
        placeholder: 'https://example.my.salesforce.com',
      },
    ],
    credentialsHint: 'Client id and secret, or an access token with the instance’s address.',
  },
  {
    type: 'postgresql',
    label: 'PostgreSQL',
    about: 'Rows of tables and views; agents may query it.',
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

/** How often a sync begins by itself. */
const SCHEDULE: FieldSpec = {
  name: 'syncEveryMinutes',
  label: 'Sync every … minutes',
  kind: 'number',
  placeholder: '0',
  hint: '0 or empty: only when you ask.',
};

export function typeSpec(type: string): TypeSpec | undefined {
  return CONNECTOR_TYPES.find((spec) => spec.type === type);
}

/** The settings of a type, with its schedule where it has one. */
export function configFields(spec: TypeSpec | undefined): readonly FieldSpec[] {
  return [...(spec?.config ?? []), ...(spec?.type === 'upload' ? [] : [SCHEDULE])];
}
