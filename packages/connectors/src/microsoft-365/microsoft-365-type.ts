import { z } from 'zod';
import { CLOUDS, type CloudName } from '#microsoft-365/clouds';
import { ALL } from '#microsoft-365/listing/list-places';
import { openMicrosoft365 } from '#microsoft-365/microsoft-365-connector';
import { defineType } from '#settings/connector-type';
import { pathPatterns, textList } from '#settings/text-list';

const UUID = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}';
const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?';
const HOST = `(${LABEL}\\.)+[A-Za-z]+`;
const SITE_URL = new RegExp(`^[Hh][Tt][Tt][Pp][Ss]://${HOST}(/[^\\s\\uFEFF\\0?#\\\\]*)?$`);
const SITE_ID = new RegExp(`^${HOST},${UUID},${UUID}$`);
const USER = new RegExp(`^([A-Za-z0-9'._!^~+-]+@${HOST}|${UUID})$`);

const site = z
  .string()
  .max(1_000)
  .refine(
    (text) => text === ALL || (SITE_URL.test(text) ? URL.canParse(text) : SITE_ID.test(text)),
    'must be the URL of a site, for example https://example.sharepoint.com/sites/marketing, its id, or all',
  );

const user = z
  .string()
  .max(320)
  .refine((text) => text === ALL || USER.test(text), 'must be the address or the id of a user, or all')
  .transform((text) => text.toLowerCase());

/** A user, but not all users. */
const oneUser = user.refine((text) => text !== ALL, 'must be an address or an id');

/** A group of a mailbox, or a reader: an address or an id. */
const users = (what: string) => textList(what).pipe(z.array(oneUser).max(1_000));

const NAME = /^[^\0]*[^\s\uFEFF\0][^\0]*$/;
const team = z.string().max(256).regex(NAME, 'must be the id, the name or the address of a team');

const aloneIfAll = (list: readonly string[]): boolean => list.length <= 1 || !list.includes(ALL);

const isEndpoint = (text: string): boolean => {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^/]+\/?$/i.test(text)) return false;
  return `${url.username}${url.password}${url.search}${url.hash}` === '' && url.pathname === '/';
};

const entraId = (name: string) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^${UUID}$`), `must be the ${name} from the app registration in Entra ID`)
    .transform((text) => text.toLowerCase());

const cloudNames = Object.keys(CLOUDS) as [CloudName, ...CloudName[]];

/** Files, messages of Teams and mail of a tenant, with one app registration. */
export const microsoft365Type = defineType({
  name: 'microsoft_365',
  acceptsFiles: false,
  // A mailbox is opened for, or by, people whom the config names. Other kinds have readers of their own.
  endpointFields: ['cloud', 'endpoint', 'sharedMailboxes', 'mailboxReaders', 'mailboxes', 'mailboxGroups'],
  readerFields: ['sharedMailboxes', 'mailboxReaders', 'mailboxes', 'mailboxGroups'],
  config: z
    .strictObject({
      sites: textList('sites')
        .pipe(z.array(site).max(1_000).refine(aloneIfAll, 'cannot contain all together with other sites'))
        .optional(),
      oneDrives: textList('users')
        .pipe(z.array(user).max(1_000).refine(aloneIfAll, 'cannot contain all together with other users'))
        .optional(),
      pathFilter: pathPatterns.optional(),
      teams: textList('teams')
        .pipe(z.array(team).max(1_000).refine(aloneIfAll, 'cannot contain all together with other teams'))
        .optional(),
      excludeTeams: textList('teams').pipe(z.array(team).max(1_000)).optional(),
      sharedMailboxes: users('mailboxes').optional(),
      mailboxes: users('users').optional(),
      mailboxGroups: users('groups').optional(),
      mailboxReaders: users('people and groups').optional(),
      mailFolders: pathPatterns.optional(),
      mailSince: z.iso.date('must be an ISO date, for example 2026-01-31').optional(),
      cloud: z.enum(cloudNames).default('global'),
      endpoint: z
        .string()
        .max(2_000)
        .refine(isEndpoint, 'must be a URL without a path, for example https://graph.example.com')
        .optional(),
    })
    .superRefine((config, context) => {
      const { sites = [], oneDrives = [], teams = [] } = config;
      const { sharedMailboxes = [], mailboxes = [], mailboxGroups = [] } = config;
      const selections = [sites, oneDrives, teams, sharedMailboxes, mailboxes, mailboxGroups];
      const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
      if (selections.every((selection) => selection.length === 0)) {
        issue(
          'sites',
          'is required: name sites, oneDrives, teams or mailboxes; all selects every site, OneDrive or team',
        );
      }
      const both = mailboxes.find((name) => sharedMailboxes.includes(name));
      if (both !== undefined) issue('mailboxes', `cannot contain ${both}, which is in sharedMailboxes`);
    }),
  credentials: z.strictObject({
    tenantId: entraId('directory (tenant) ID'),
    clientId: entraId('application (client) ID'),
    clientSecret: z.string().trim().min(1, 'must not be empty').max(4_096),
  }),
  open: ({ config, credentials, host }) =>
    openMicrosoft365(
      {
        ...{ cloud: config.cloud, endpoint: config.endpoint, credentials },
        ...{ sites: config.sites ?? [], oneDrives: config.oneDrives ?? [], pathFilter: config.pathFilter ?? [] },
        ...{ teams: config.teams ?? [], excludeTeams: config.excludeTeams ?? [] },
        ...{ sharedMailboxes: config.sharedMailboxes ?? [], mailboxes: config.mailboxes ?? [] },
        ...{ mailboxGroups: config.mailboxGroups ?? [], mailboxReaders: config.mailboxReaders ?? [] },
        ...{ mailFolders: config.mailFolders ?? [], mailSince: config.mailSince },
      },
      host,
    ),
});
