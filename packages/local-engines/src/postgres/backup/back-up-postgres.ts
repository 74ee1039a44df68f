import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { type Copied, copyFiles, copyOne } from '#postgres/backup/copy-files';
import { CONTROL_FILE, isExcluded } from '#postgres/backup/excluded-files';
import { onServer } from '#postgres/databases';
import { EngineError } from '#process/engine-error';

/** A checkpoint of a busy server writes all dirty pages. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;
const SLOT = 'lectern_backup';
const CONTROL_READS = 10;
/** The names of write-ahead log segments: timeline, log and segment in hexadecimal. */
const SEGMENT = /^[0-9A-F]{24}$/;

/** The server, its data directory, and the target folder, which must not exist. */
export interface PostgresBackupOptions {
  readonly url: string;
  readonly dataDir: string;
  readonly to: string;
}

/**
 * Copies the data directory of a running server with PostgreSQL's low-level base backup. The copied
 * write-ahead log makes it consistent with the end of the copy
 * (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP).
 * Throws an `EngineError`, for example if another backup is running.
 */
export async function backUpPostgres({ url, dataDir, to }: PostgresBackupOptions): Promise<Copied> {
  const copy = async (client: pg.Client): Promise<Copied> => {
    try {
      return await copyServer(client, dataDir, to);
    } catch (cause) {
      if (cause instanceof EngineError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new EngineError(`PostgreSQL could not be backed up: ${why}`, { cause });
    }
  };
  return onServer(url, copy, STATEMENT_TIMEOUT_MS);
}

async function copyServer(client: pg.Client, dataDir: string, to: string): Promise<Copied> {
  // A temporary replication slot prevents the log from being recycled during the copy.
  await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [SLOT]);
  const start = await oneRow(client, "SELECT pg_walfile_name(pg_backup_start('lectern', true)) AS segment");
  const copied = await copyFiles(dataDir, to, isExcluded);
  const controlBytes = await copyControlFile(dataDir, to);
  const stop = await oneRow(
    client,
    'SELECT labelfile, spcmapfile, pg_walfile_name(lsn) AS segment FROM pg_backup_stop(false)',
  );
  await writeFile(join(to, 'backup_label'), stop.labelfile ?? '', { mode: 0o600, flush: true });
  if (stop.spcmapfile)
    throw new EngineError('the database has tablespaces outside the data directory, which a backup cannot copy');
  const log = await copyLog(dataDir, to, start.segment ?? '', stop.segment ?? '');
  return { files: copied.files + log.files + 2, bytes: copied.bytes + log.bytes + controlBytes };
}

async function oneRow(client: pg.Client, statement: string): Promise<Partial<Record<string, string>>> {
  const { rows } = await client.query<Partial<Record<string, string>>>(statement);
  return rows[0] ?? {};
}

/** Copies the file when two consecutive reads are equal, because the server can be writing it. */
async function copyControlFile(dataDir: string, to: string): Promise<number> {
  const file = join(dataDir, CONTROL_FILE);
  let before = await readFile(file);
  for (let read = 0; read < CONTROL_READS; read += 1) {
    const now = await readFile(file);
    if (now.equals(before)) {
      await writeFile(join(to, CONTROL_FILE), now, { mode: 0o600, flush: true });
      return now.byteLength;
    }
    before = now;
  }
  throw new EngineError(`${file} changed during each of ${CONTROL_READS} reads; try again`);
}

/** Copies the log segments of the backup, including the one with its end record, and timeline histories. */
async function copyLog(dataDir: string, to: string, first: string, last: string): Promise<Copied> {
  const names = await readdir(join(dataDir, 'pg_wal'));
  const isNeeded = (name: string) => name.endsWith('.history') || (SEGMENT.test(name) && name >= first && name <= last);
  let files = 0;
  let bytes = 0;
  for (const name of names.filter(isNeeded)) {
    const size = await copyOne(join(dataDir, 'pg_wal', name), join(to, 'pg_wal', name));
    if (size === undefined)
      throw new EngineError(`${name} of PostgreSQL's log was removed during the backup; try again`);
    files += 1;
    bytes += size;
  }
  return { files, bytes };
}
