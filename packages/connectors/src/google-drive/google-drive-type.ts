import { z } from 'zod';
import { addressList, domainAccess, googleOAuth, serviceAccountCredentials } from '#google/google-settings';
import { openDomainDrive } from '#google-drive/domain/domain-drive';
import { openGoogleDrive } from '#google-drive/google-drive-connector';
import { defineType } from '#settings/connector-type';

const orgUnit = z
  .string()
  .trim()
  .max(1_000)
  .regex(/^\/(?:[^/]+(?:\/[^/]+)*)?$/, 'must be the path of an organizational unit, for example /Sales/Europe');

const orgUnits = z
  .union([orgUnit.transform((path) => [path]), z.array(orgUnit)], 'must be a list of paths')
  .transform((paths) => [...new Set(paths)])
  .pipe(z.array(z.string()).max(100));

/**
 * All files that a Google user can open: My Drive, files shared with them, and shared drives. With
 * a service account, the drives of all users of a domain and all shared drives.
 */
export const googleDriveType = defineType({
  name: 'google_drive',
  acceptsFiles: false,
  oauth: googleOAuth('https://www.googleapis.com/auth/drive.readonly'),
  credentialsInsteadOfOAuth: 'serviceAccountKey',
  // They limit what a service account, which can read the whole domain, gives access to.
  endpointFields: ['users', 'orgUnits'],
  config: z.strictObject({ users: addressList('users').optional(), orgUnits: orgUnits.optional() }),
  credentials: serviceAccountCredentials,
  open: ({ config, credentials, host }) => {
    const { users: selected = [], orgUnits: units = [] } = config;
    const access = domainAccess(credentials, { users: selected, orgUnits: units });
    if (access === undefined) return openGoogleDrive(host);
    return openDomainDrive({ ...access, users: selected, orgUnits: units }, host);
  },
});
