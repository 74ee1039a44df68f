import { z } from 'zod';
import { CLOUDS, type CloudName } from '#microsoft-365/clouds';
import { openMicrosoft365 } from '#microsoft-365/microsoft-365-connector';
import { ALL } from '#microsoft-365/places';
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

/** Files of SharePoint sites and of the OneDrive of users, with one app registration. */
export const microsoft365Type = defineType({
  name: 'microsoft_365',
  acceptsFiles: false,
  endpointFields: ['cloud', 'endpoint'],
  config: z
    .strictObject({
      sites: textList('sites')
        .pipe(z.array(site).max(1_000).refine(aloneIfAll, 'cannot contain all together with other sites'))
        .optional(),
      oneDrives: textList('users')
        .pipe(z.array(user).max(1_000).refine(aloneIfAll, 'cannot contain all together with other users'))
        .optional(),
      pathFilter: pathPatterns.optional(),
      cloud: z.enum(cloudNames).default('global'),
      endpoint: z
        .string()
        .max(2_000)
        .refine(isEndpoint, 'must be a URL without a path, for example https://graph.example.com')
        .optional(),
    })
    .superRefine(({ sites = [], oneDrives = [] }, context) => {
      if (sites.length + oneDrives.length > 0) return;
      const message = 'is required: name sites or oneDrives; all selects every one';
      context.addIssue({ code: 'custom', path: ['sites'], message });
    }),
  credentials: z.strictObject({
    tenantId: entraId('directory (tenant) ID'),
    clientId: entraId('application (client) ID'),
    clientSecret: z.string().trim().min(1, 'must not be empty').max(4_096),
  }),
  open: ({ config, credentials, host }) => {
    const { sites = [], oneDrives = [], pathFilter = [], cloud, endpoint } = config;
    return openMicrosoft365({ sites, oneDrives, pathFilter, cloud, endpoint, credentials }, host);
  },
});
