import { join } from 'node:path';
import { z } from 'zod';

/** Where each thing lies in a backup. */
export const backupAt = (root: string) => ({
  root,
  /** Written last: a folder without it is no whole backup. */
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

/** What a backup says of itself. */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** When it was complete: the data is as it was at that moment. */
  createdAt: z.iso.datetime(),
  /** PostgreSQL's major version, whose programs alone can read the data. */
  postgresVersion: z.string(),
  postgres: copied,
  blobs: copied,
  /** What a transaction from this one on wrote may be newer than the vectors. Null: no vectors are in it. */
  vectors: copied.extend({ sinceTransaction: z.string().regex(/^\d+$/) }).nullable(),
  hasMasterKeys: z.boolean(),
});

/** What a backup says of itself. */
export type Manifest = z.infer<typeof manifestSchema>;
