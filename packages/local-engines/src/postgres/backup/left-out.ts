/** Folders whose content a server makes anew; the folders themselves must be there. */
const EMPTIED: ReadonlySet<string> = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** Files of the server that runs, or of an earlier backup. */
const OF_THE_SERVER: ReadonlySet<string> = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'backup_label',
  'backup_label.old',
  'tablespace_map',
  'tablespace_map.old',
]);

/** Copied last, and by itself: it says where the rest begins. */
export const CONTROL_FILE = 'global/pg_control';

/**
 * What a base backup leaves out of a data directory, by the list that PostgreSQL gives for it
 * (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA). Takes a path inside the directory.
 */
export function isLeftOut(path: string): boolean {
  const [first = '', second] = path.split('/');
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (EMPTIED.has(first) && second !== undefined) return true;
  if (name.startsWith('pgsql_tmp') || name === 'pg_internal.init') return true;
  return path === CONTROL_FILE || OF_THE_SERVER.has(path);
}
