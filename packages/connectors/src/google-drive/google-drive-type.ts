import { z } from 'zod';
import { openGoogleDrive } from '#google-drive/google-drive-connector';
import { defineType } from '#settings/connector-type';

/** All files that a Google user can open: My Drive, files shared with them, and shared drives. */
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
  config: z.strictObject({}),
  credentials: z.strictObject({}),
  open: ({ host }) => openGoogleDrive(host),
});
