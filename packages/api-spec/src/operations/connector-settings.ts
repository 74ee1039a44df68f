import { z } from 'zod';
import { noFields, principal } from '#fields';
import {
  ADDRESS,
  CHANNEL,
  CRAWLED_HOST,
  CRAWLED_URL,
  ENTRA_ID,
  ENTRA_USER,
  GROUP_PATH,
  NOT_BLANK,
  ORG_UNIT,
  ORIGIN_URL,
  PROJECT_KEY,
  PROJECT_PATH,
  SERVER_URL,
  SHAREPOINT_SITE,
  SPACE_KEY,
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
    credentials: z
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
      }),
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
        'URLs or ids of SharePoint sites, or `all` alone. `sites` or `oneDrives` is required.',
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
