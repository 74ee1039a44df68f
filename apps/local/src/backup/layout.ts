import { join } from 'node:path';
import { z } from 'zod';

/** Returns the paths in a backup folder. */
export const backupAt = (root: string) => ({
  root,
  /** Written last: a backup without it is incomplete. */
  manifest: join(root, 'backup.json'),
  postgres: join(root, 'postgres'),
  password: join(root, 'postgres.password'),
  qdrant: join(root, 'qdrant'),
  blobs: join(root, 'blobs'),
  masterKeys: join(root, 'master-keys'),
  credentials: join(root, 'credentials.json'),
});

/** The paths inside a backup. */
export type BackupPaths = ReturnType<typeof backupAt>;

const copied = z.object({ files: z.number().int(), bytes: z.number().int() });

/** The content of `backup.json`. */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** When the backup was completed. The data is consistent with this time. */
  createdAt: z.iso.datetime(),
  /** PostgreSQL's major version. Only programs of this version can read the data. */
  postgresVersion: z.string(),
  postgres: copied,
  blobs: copied,
  /** Documents written since this transaction can be newer than the vectors. Null without vectors. */
  vectors: copied.extend({ sinceTransaction: z.string().regex(/^\d+$/) }).nullable(),
  hasMasterKeys: z.boolean(),
});

/** The parsed `backup.json`. */
export type Manifest = z.infer<typeof manifestSchema>;
