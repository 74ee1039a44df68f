import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import { openDomainDrive } from '#google-drive/domain/domain-drive';
import { parseServiceAccount } from '#google-drive/domain/service-account';
import { openGoogleDrive } from '#google-drive/google-drive-connector';
import { defineType } from '#settings/connector-type';

const address = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be the address of a user')
  .transform((text) => text.toLowerCase());

const users = z
  .union([address.transform((text) => [text]), z.array(address)], 'must be a list of addresses of users')
  .transform((addresses) => [...new Set(addresses)])
  .pipe(z.array(z.string()).max(1_000));

const orgUnit = z
  .string()
  .trim()
  .max(1_000)
  .regex(/^\/(?:[^/]+(?:\/[^/]+)*)?$/, 'must be the path of an organizational unit, for example /Sales/Europe');

const orgUnits = z
  .union([orgUnit.transform((path) => [path]), z.array(orgUnit)], 'must be a list of paths')
  .transform((paths) => [...new Set(paths)])
  .pipe(z.array(z.string()).max(100));

const serviceAccountKey = z
  .string()
  .max(16_384)
  .superRefine((text, context) => {
    const account = parseServiceAccount(text);
    if (typeof account === 'string') context.addIssue({ code: 'custom', message: account });
  });

/**
 * All files that a Google user can open: My Drive, files shared with them, and shared drives. With
 * a service account, the drives of all users of a domain and all shared drives.
 */
export const googleDriveType = defineType({
  name: 'google_drive',
  acceptsFiles: false,
  oauth: {
    authorizeParameters: {
      scope: 'https://www.googleapis.com/auth/drive.readonly',
      access_type: 'offline',
      // Without it, Google returns a refresh token only the first time.
      prompt: 'consent',
    },
    pkce: true,
    clientAuthentication: 'body',
    tokenRequest: 'form',
  },
  credentialsInsteadOfOAuth: 'serviceAccountKey',
  // They limit what a service account, which can read the whole domain, gives access to.
  endpointFields: ['users', 'orgUnits'],
  config: z.strictObject({ users: users.optional(), orgUnits: orgUnits.optional() }),
  credentials: z
    .strictObject({ serviceAccountKey: serviceAccountKey.optional(), adminEmail: address.optional() })
    .superRefine(({ serviceAccountKey: key, adminEmail }, context) => {
      if (key === undefined && adminEmail !== undefined) {
        context.addIssue({ code: 'custom', path: ['serviceAccountKey'], message: 'is required with adminEmail' });
      }
      if (key !== undefined && adminEmail === undefined) {
        context.addIssue({ code: 'custom', path: ['adminEmail'], message: 'is required with serviceAccountKey' });
      }
    }),
  open: ({ config, credentials, host }) => {
    const { users: selected = [], orgUnits: units = [] } = config;
    const { serviceAccountKey: key, adminEmail } = credentials;
    if (key === undefined || adminEmail === undefined) {
      // A limit that has no effect must not look like one.
      const limits = [...(selected.length > 0 ? ['users'] : []), ...(units.length > 0 ? ['orgUnits'] : [])];
      if (limits.length === 0) return openGoogleDrive(host);
      throw invalidRequest(
        limits.map((field) => ({ path: `config.${field}`, message: 'can be used only with a service account' })),
      );
    }
    const account = parseServiceAccount(key);
    if (typeof account === 'string') {
      throw invalidRequest([{ path: 'credentials.serviceAccountKey', message: account }]);
    }
    return openDomainDrive({ account, adminEmail, users: selected, orgUnits: units }, host);
  },
});
