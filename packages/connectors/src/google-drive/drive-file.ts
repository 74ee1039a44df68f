import { z } from 'zod';

const Person = z.object({ displayName: z.string().optional(), emailAddress: z.string().optional() });

/** The fields to read. Drive omits fields that a file does not have. */
export const DriveFile = z.object({
  id: z.string(),
  name: z.string().default('Untitled'),
  mimeType: z.string(),
  trashed: z.boolean().optional(),
  version: z.union([z.string(), z.number()]).optional(),
  md5Checksum: z.string().optional(),
  createdTime: z.string().optional(),
  modifiedTime: z.string().optional(),
  size: z.union([z.string(), z.number()]).optional(),
  webViewLink: z.string().optional(),
  driveId: z.string().optional(),
  owners: z.array(Person).optional(),
  lastModifyingUser: Person.optional(),
});

export type DriveFile = z.infer<typeof DriveFile>;

/** The same for the `fields` parameter; without it, Drive returns little more than names. */
export const FILE_FIELDS =
  'id,name,mimeType,trashed,version,md5Checksum,createdTime,modifiedTime,size,webViewLink,driveId,owners(displayName,emailAddress),lastModifyingUser(displayName,emailAddress)';
