/** Folders that must exist. The server recreates their content. */
const RECREATED: ReadonlySet<string> = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** Files of the running server or of an earlier backup. */
const SERVER_FILES: ReadonlySet<string> = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'backup_label',
  'backup_label.old',
  'tablespace_map',
  'tablespace_map.old',
]);

/** Copied last, because it contains the start of the log. */
export const CONTROL_FILE = 'global/pg_control';

/**
 * Returns true for a path in a data directory that a base backup excludes
 * (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA).
 */
export function isExcluded(path: string): boolean {
  const [first = '', second] = path.split('/');
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (RECREATED.has(first) && second !== undefined) return true;
  if (name.startsWith('pgsql_tmp') || name === 'pg_internal.init') return true;
  return path === CONTROL_FILE || SERVER_FILES.has(path);
}
