import { z } from 'zod';
import { noFields, principal } from '#fields';
import {
  ADDRESS,
  CHANNEL,
  CRAWLED_HOST,
  CRAWLED_URL,
  ENTRA_ACCOUNT,
  ENTRA_ID,
  ENTRA_USER,
  GROUP_PATH,
  LINE_OF_LOGIN,
  LOGIN_NAME,
  NOT_BLANK,
  ORG_UNIT,
  ORIGIN_URL,
  PROJECT_KEY,
  PROJECT_PATH,
  SERVER_URL,
  SHARED_MAILBOX,
  SHAREPOINT_SITE,
  SPACE_KEY,
  TOKEN_URL,
} from '#patterns';

/*
 * The settings of each type of connector, for the document. The connector service validates them
 * (packages/connectors); a test of it generates settings from these schemas.
 */

const text = (max: number, description: string) =>
  z.string().min(1).max(max).regex(new RegExp(NOT_BLANK)).meta({ description });
const token = (max: number, description: string) =>
  z
    .string()
    .max(max)
    .regex(/^[!-~]+$/)
    .meta({ description });
const url = (pattern: string, max: number, description: string) =>
  z.string().max(max).regex(new RegExp(pattern)).meta({ format: 'uri', description });

const syncEveryMinutes = z
  .int()
  .min(0)
  .max(525_600)
  .optional()
  .meta({ description: 'Minutes between scheduled syncs. 0 or omitted for none.' });
const principals = z
  .array(principal)
  .min(1)
  .max(100)
  .optional()
  .meta({ description: 'Who can read all documents of the connector. Default: `public`.' });

/** One value, or a list of up to `max` values. */
const oneOrMore = <T extends z.ZodType>(value: T, max: number, description: string) =>
  z.union([value, z.array(value).max(max)]).meta({ description });

/** One value, or a list of at least one and up to `max` values. */
const oneOrMoreOf = <T extends z.ZodType>(value: T, max: number, description: string) =>
  z.union([value, z.array(value).min(1).max(max)]).meta({ description });

const entraAccount = () => z.string().max(320).regex(new RegExp(ENTRA_ACCOUNT));

const config = <T extends z.ZodRawShape>(name: string, shape: T) =>
  z
    .strictObject({ ...shape, syncEveryMinutes })
    .meta({ id: `${name}Config`, description: `The settings of a source of the type \`${name}\`.` });
const credentials = <T extends z.ZodRawShape>(name: string, shape: T) =>
  z
    .strictObject(shape)
    .meta({ id: `${name}Credentials`, description: 'Credentials. They are stored encrypted and never returned.' });

const noCredentials = noFields.optional().meta({ description: 'The type has no credentials in requests.' });

const secret = (description: string) => text(4_096, description);

/** The application that gets access tokens for mailboxes. */
const mailClient = {
  tokenUrl: url(TOKEN_URL, 2_048, 'The token endpoint of the provider.'),
  clientId: secret('The id of the application.'),
  scope: secret(
    'The scope to request. Default: for an application at Microsoft `https://outlook.office365.com/.default`, otherwise none.',
  ).optional(),
};

const atlassianCredentials = <Product extends string>(product: Product) =>
  z
    .union([
      z
        .strictObject({
          email: z.email().meta({ description: 'The email address of the account.' }),
          apiToken: secret('An API token of the account.'),
        })
        .meta({ id: `${product}CloudCredentials`, description: `Credentials for ${product} Cloud.` }),
      z
        .strictObject({ token: secret('A personal access token.') })
        .meta({ id: `${product}DataCenterCredentials`, description: `Credentials for ${product} Data Center.` }),
    ])
    .meta({
      id: `${product}Credentials`,
      description: 'Credentials. They are stored encrypted and never returned.',
    });

const googleCredentials = z
  .union([
    noFields.meta({ description: 'A user authorizes the connector in a browser.' }),
    credentials('GoogleServiceAccount', {
      serviceAccountKey: text(16_384, 'The content of the JSON key file of a service account.'),
      adminEmail: z
        .string()
        .max(320)
        .regex(new RegExp(ADDRESS))
        .meta({ description: 'The address of an administrator of the domain.' }),
    }),
  ])
  .optional()
  .meta({
    description:
      'None if a user authorizes the connector in a browser, or a service account with domain-wide delegation.',
  });

const address = z.string().max(320).regex(new RegExp(ADDRESS));

/** The config and the credentials of each type, as a request contains them. */
export const CONNECTOR_SETTINGS = {
  s3: {
    config: config('S3', {
      bucket: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/)
        .meta({ description: 'The name of the bucket.' }),
      region: z
        .string()
        .regex(/^[a-z0-9-]{1,40}$/)
        .default('us-east-1')
        .meta({ description: 'The region of the bucket.' }),
      prefix: z.string().max(1_024).optional().meta({ description: 'A folder in the bucket. Default: everything.' }),
      endpoint: url(ORIGIN_URL, 2_000, 'The URL of a server other than Amazon’s, without a path.').optional(),
      principals,
    }),
    credentials: credentials('S3', {
      accessKeyId: text(256, 'The id of the access key.'),
      secretAccessKey: text(256, 'The secret access key.'),
      sessionToken: text(4_096, 'The token of temporary credentials.').optional(),
    }),
  },
  google_drive: {
    config: config('GoogleDrive', {
      users: oneOrMore(
        z.string().max(320).regex(new RegExp(ADDRESS)),
        1_000,
        'Addresses of users, with a service account. Only their own files are listed, besides the shared drives. Default: all users.',
      ).optional(),
      orgUnits: oneOrMore(
        z.string().max(1_000).regex(new RegExp(ORG_UNIT)),
        100,
        'Paths of organizational units, with a service account. The files of their users are listed too.',
      ).optional(),
    }).optional(),
    credentials: googleCredentials,
  },
  gmail: {
    config: config('Gmail', {
      users: oneOrMore(
        address,
        1_000,
        'Addresses of users, with a service account. Default, without `groups`: all users.',
      ).optional(),
      groups: oneOrMore(
        address,
        1_000,
        'Addresses of Google groups, with a service account. The mailboxes of their members are read too.',
      ).optional(),
      excludeUsers: oneOrMore(
        address,
        1_000,
        'Addresses of users whose mailboxes are not read, with a service account.',
      ).optional(),
      labels: oneOrMore(
        z.string().max(225),
        50,
        'Names or ids of labels. Only threads with one of them are read. Default: all threads.',
      ).optional(),
      excludeLabels: oneOrMore(
        z.string().max(225),
        50,
        'Names or ids of labels. Threads with one of them are not read. Default: `CATEGORY_PROMOTIONS` and `CATEGORY_SOCIAL`.',
      ).optional(),
      query: z
        .string()
        .max(1_000)
        .optional()
        .meta({
          description: 'A search of Gmail. Only threads that it finds are read.',
          examples: ['from:example.com'],
        }),
      since: z.iso.date().optional().meta({ description: 'Earlier messages are not read.' }),
      sharedMailboxes: oneOrMore(
        z.string().max(10_000).regex(new RegExp(SHARED_MAILBOX)),
        200,
        'Mailboxes that others can read too: the primary address, a colon, and readers with commas between them: `user:<email>`, `group:<email>` for a Google group, or another group. All other mailboxes are private to their users.',
      ).optional(),
    }).optional(),
    credentials: googleCredentials,
  },
  confluence: {
    config: config('Confluence', {
      instanceUrl: url(SERVER_URL, 2_048, 'The URL of the site, for example https://example.atlassian.net.'),
      spaceKeys: oneOrMore(
        z.string().max(255).regex(new RegExp(SPACE_KEY)),
        1_000,
        'Keys of spaces. Default: every space that the account can see.',
      ).optional(),
    }),
    credentials: atlassianCredentials('Confluence'),
  },
  jira: {
    config: config('Jira', {
      baseUrl: url(SERVER_URL, 2_048, 'The URL of the site, for example https://example.atlassian.net.'),
      projects: oneOrMore(
        z.string().max(255).regex(new RegExp(PROJECT_KEY)),
        1_000,
        'Keys of projects. Default: every project that the account can see.',
      ).optional(),
      jql: z.string().max(4_000).optional().meta({ description: 'A JQL condition, without `ORDER BY`.' }),
    }),
    credentials: atlassianCredentials('Jira'),
  },
  microsoft_365: {
    config: config('Microsoft365', {
      sites: oneOrMore(
        z.string().max(1_000).regex(new RegExp(SHAREPOINT_SITE)),
        1_000,
        'URLs or ids of SharePoint sites, or `all` alone. Sites, OneDrives, teams or mailboxes are required.',
      ).optional(),
      oneDrives: oneOrMore(
        z.string().max(320).regex(new RegExp(ENTRA_USER)),
        1_000,
        'Addresses or ids of users whose OneDrive is read, or `all` alone.',
      ).optional(),
      pathFilter: oneOrMore(
        z.string().max(500),
        200,
        'Prefixes and globs of paths in a library. A leading `!` excludes what it matches.',
      ).optional(),
      teams: oneOrMore(
        text(256, 'A team.'),
        1_000,
        'Ids, names or addresses of teams whose channel messages are read, or `all` alone.',
      ).optional(),
      excludeTeams: oneOrMore(text(256, 'A team.'), 1_000, 'Ids, names or addresses of teams to leave out.').optional(),
      sharedMailboxes: oneOrMore(
        entraAccount(),
        1_000,
        'Addresses or ids of mailboxes that `mailboxReaders` can read.',
      ).optional(),
      mailboxes: oneOrMore(
        entraAccount(),
        1_000,
        'Addresses or ids of users whose mailbox is read. Only the user can read it.',
      ).optional(),
      mailboxGroups: oneOrMore(
        entraAccount(),
        1_000,
        'Addresses or ids of groups. The mailboxes of their members count as `mailboxes`.',
      ).optional(),
      mailboxReaders: oneOrMore(
        entraAccount(),
        1_000,
        'Addresses of people, and ids of groups, who can read `sharedMailboxes`. Default: no one.',
      ).optional(),
      mailFolders: oneOrMore(
        z.string().max(500),
        200,
        'Prefixes and globs of paths of folders. A leading `!` excludes what it matches. Default: all folders except Deleted Items, Junk Email, Drafts and Outbox.',
      ).optional(),
      mailSince: z.iso
        .date()
        .optional()
        .meta({ description: 'Leaves out messages that were received before this day.' }),
      cloud: z
        .enum(['global', 'us_government', 'us_government_dod', 'china'])
        .default('global')
        .meta({ description: 'The cloud of the tenant.' }),
      endpoint: url(
        ORIGIN_URL,
        2_000,
        'The URL of a server in front of Entra ID and Microsoft Graph, without a path.',
      ).optional(),
    }),
    credentials: credentials('Microsoft365', {
      tenantId: z.string().regex(new RegExp(ENTRA_ID)).meta({ description: 'The directory (tenant) ID.' }),
      clientId: z.string().regex(new RegExp(ENTRA_ID)).meta({ description: 'The application (client) ID.' }),
      clientSecret: secret('The value of a client secret of the application.'),
    }),
  },
  github: {
    config: config('GitHub', {
      repos: z
        .union([repository(), z.array(repository()).min(1).max(500)])
        .meta({ description: 'Repositories: `owner/repo`, one or a list.' }),
      branch: text(255, 'A branch, tag or commit. Default: the default branch.').optional(),
      pathFilter: oneOrMore(
        z.string().max(500),
        200,
        'Prefixes and globs of paths. A leading `!` excludes what it matches.',
      ).optional(),
    }),
    credentials: credentials('GitHub', { token: token(1_000, 'A token that can read the repositories.') }),
  },
  gitlab: {
    config: config('GitLab', {
      instanceUrl: url(SERVER_URL, 2_048, 'The URL of the instance. Default: `https://gitlab.com`.').optional(),
      projects: oneOrMoreOf(gitlabPath(PROJECT_PATH), 500, 'Full paths of projects: `group/project`.').optional(),
      groups: oneOrMoreOf(
        gitlabPath(GROUP_PATH),
        100,
        'Full paths of groups, whose projects are read, also those in subgroups. Without any, `projects` is required.',
      ).optional(),
      branch: text(255, 'A branch, tag or commit. Default: the default branch of each project.').optional(),
      include: oneOrMoreOf(
        z
          .enum(['repository', 'issues', 'merge_requests', 'wiki'])
          .meta({ id: 'GitLabPart', description: 'A part of a GitLab project.' }),
        4,
        'The parts of projects to read. Default: all.',
      ).optional(),
      pathFilter: oneOrMore(
        z.string().max(500),
        200,
        'Prefixes and globs of paths of files. A leading `!` excludes what it matches.',
      ).optional(),
      archived: z.boolean().default(false).meta({ description: 'Whether to read archived projects.' }),
    }),
    credentials: credentials('GitLab', { token: token(1_000, 'An access token with the scope `read_api`.') }),
  },
  imap: {
    config: config('IMAP', {
      host: z
        .string()
        .max(253)
        .regex(/^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.:-]+)$/)
        .meta({ description: 'The host name or IP address of the IMAP server.' }),
      port: z
        .int()
        .min(1)
        .max(65_535)
        .optional()
        .meta({ description: 'The port. Default: 993 with `tls`, otherwise 143.' }),
      security: z.enum(['tls', 'starttls', 'none']).default('tls').meta({
        id: 'IMAPSecurity',
        description: 'How the connection is encrypted. `none` works only with private addresses.',
      }),
      mailboxes: oneOrMoreOf(
        loginName('The name of a mailbox, usually its email address.'),
        100,
        'The mailboxes to read, with `delegation`. Default: the mailbox of the user.',
      ).optional(),
      delegation: z.enum(['master_user', 'authorization_id', 'access_token']).optional().meta({
        id: 'IMAPDelegation',
        description:
          'How the mailboxes of others are opened: by signing in as `mailbox*user`, with the mailbox as the authorization identity of SASL PLAIN, or with an access token as the mailbox.',
      }),
      folders: oneOrMore(
        z.string().max(500),
        200,
        'Prefixes and globs of folder paths. A leading `!` excludes what it matches. Trash, Junk and Drafts are read only if they are named.',
      ).optional(),
      since: z.iso
        .date()
        .optional()
        .meta({ description: 'The day from which messages are read, by the date of their arrival.' }),
      attachments: z.boolean().default(true).meta({ description: 'Whether to read attachments.' }),
      principals: z.array(principal).min(1).max(100).optional().meta({
        description:
          'Who can read all documents of the connector. Default: for each mailbox only its owner, `user:<mailbox>`.',
      }),
    }),
    credentials: z
      .union([
        z
          .strictObject({
            user: loginName('The name of the user, usually an email address.'),
            password: z
              .string()
              .min(1)
              .max(4_096)
              .regex(new RegExp(LINE_OF_LOGIN))
              .meta({ description: 'The password, usually an app password.' }),
          })
          .meta({ id: 'IMAPPasswordCredentials', description: 'A user and a password.' }),
        z
          .strictObject({
            user: loginName('The mailbox to open, usually an email address.'),
            ...mailClient,
            clientSecret: secret('The secret of the application.'),
          })
          .meta({
            id: 'IMAPApplicationCredentials',
            description: 'An application that opens mailboxes with the client credentials flow of OAuth.',
          }),
        z
          .strictObject({
            user: loginName('The mailbox of the user who authorized the application, usually an email address.'),
            ...mailClient,
            clientSecret: secret('The secret of the application, if it has one.').optional(),
            refreshToken: secret('The refresh token of the user. If the provider replaces it, the new one is stored.'),
          })
          .meta({ id: 'IMAPRefreshTokenCredentials', description: 'A user who authorized an application.' }),
      ])
      .meta({ id: 'IMAPCredentials', description: 'Credentials. They are stored encrypted and never returned.' }),
  },
  slack: {
    config: config('Slack', {
      channels: oneOrMore(
        z.string().max(100).regex(new RegExp(CHANNEL)),
        1_000,
        'Names or ids of channels. Default: every public channel that the app is in.',
      ).optional(),
      dateRange: z
        .strictObject({
          from: day('The first day or time.').optional(),
          to: day('The last day or time. Not before `from`.').optional(),
        })
        .optional()
        .meta({ id: 'SlackDateRange', description: 'When the first message of a thread was sent.' }),
    }).optional(),
    credentials: credentials('Slack', { token: token(4_096, 'A bot token.') }),
  },
  notion: { config: config('Notion', { principals }).optional(), credentials: noCredentials },
  salesforce: {
    config: config('Salesforce', {
      objects: oneOrMore(
        z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,79}$/),
        100,
        'API names of objects. Default: the common objects, as far as the organization has them.',
      ).optional(),
      soqlFilter: z
        .string()
        .max(4_000)
        .optional()
        .meta({ description: 'A SOQL condition, without `WHERE`, `LIMIT` or `ORDER BY`.' }),
      principals,
    }).optional(),
    credentials: z
      .union([
        z
          .strictObject({
            clientId: secret('The id of the application.'),
            clientSecret: secret('The secret of the application.'),
          })
          .meta({ id: 'SalesforceAppCredentials', description: 'Credentials of an application.' }),
        z
          .strictObject({
            accessToken: secret('An access token.'),
            instanceUrl: url(SERVER_URL, 2_048, 'The URL of the organization.'),
          })
          .meta({ id: 'SalesforceTokenCredentials', description: 'An access token, which works until it expires.' }),
      ])
      .meta({ id: 'SalesforceCredentials', description: 'Credentials. They are stored encrypted and never returned.' }),
  },
  postgresql: {
    config: config('PostgreSQL', {
      host: z
        .string()
        .max(253)
        .regex(/^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.:-]+)$/)
        .meta({ description: 'A host name or an IP address.' }),
      port: z.int().min(1).max(65_535).default(5_432).meta({ description: 'The port.' }),
      database: z.string().min(1).max(252).meta({ description: 'The name of the database.' }),
      schema: z.string().min(1).max(252).default('public').meta({ description: 'The name of a schema.' }),
      sslMode: z
        .enum(['disable', 'prefer', 'require', 'verify-full'])
        .default('prefer')
        .meta({ id: 'PostgreSQLSslMode', description: 'Whether to encrypt the connection, as in libpq.' }),
      principals,
    }),
    credentials: credentials('PostgreSQL', {
      user: z.string().min(1).max(256).meta({ description: 'The name of the user.' }),
      password: z.string().max(4_096).meta({ description: 'The password.' }),
    }),
  },
  web: {
    config: config('Web', {
      startUrls: z
        .union([webUrl(), z.array(webUrl()).min(1).max(20)])
        .meta({ description: 'The URLs where the crawl starts, one or a list. Only their hosts are crawled.' }),
      sitemaps: oneOrMore(
        webUrl(),
        20,
        'URLs of sitemaps on the crawled hosts, besides those that `robots.txt` names.',
      ).optional(),
      hosts: oneOrMore(
        z.string().max(253).regex(new RegExp(CRAWLED_HOST)),
        50,
        'Further hosts to crawl, with a port if it is not the default one.',
      ).optional(),
      include: oneOrMore(
        z.string().max(500),
        200,
        'Prefixes and globs of paths. Only matching pages become documents. Default: all.',
      ).optional(),
      exclude: oneOrMore(z.string().max(500), 200, 'Prefixes and globs of paths that are never requested.').optional(),
      maxPages: z.int().min(1).max(10_000).default(1_000).meta({ description: 'The most URLs to request in a sync.' }),
      maxDepth: z
        .int()
        .min(0)
        .max(100)
        .default(10)
        .meta({ description: 'The most links to follow from a start URL or a sitemap.' }),
      maxPagesPerPattern: z.int().min(1).max(10_000).default(200).meta({
        description: 'The most linked URLs that differ only in numbers in the path or in the query.',
      }),
      delayMs: z
        .int()
        .min(0)
        .max(10_000)
        .default(500)
        .meta({ description: 'The shortest time between two requests to a host, in milliseconds.' }),
      principals,
    }),
    credentials: noCredentials,
  },
  upload: { config: config('Upload', { principals }).optional(), credentials: noCredentials },
  custom: { config: config('Custom', { principals }).optional(), credentials: noCredentials },
} as const;

/** A URL without a user name or a password. */
function webUrl() {
  return z.string().max(1_000).regex(new RegExp(CRAWLED_URL)).meta({ format: 'uri' });
}

function gitlabPath(pattern: string) {
  return z.string().max(500).regex(new RegExp(pattern));
}

function repository() {
  return z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*\/[A-Za-z0-9._-]*[A-Za-z0-9_-]$/);
}

function day(description: string) {
  return z.union([z.iso.date(), z.iso.datetime({ offset: true })]).meta({ description });
}

function loginName(description: string) {
  return z.string().max(320).regex(new RegExp(LOGIN_NAME)).meta({ description });
}
