import { networkError } from '../http/network-error.ts';
import { SourceError, type SourceErrorKind } from '../source-error.ts';

type Known = readonly [SourceErrorKind, string];

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const BY_STATE: Readonly<Record<string, Known>> = {
  '28P01': ['auth', 'PostgreSQL does not accept the user or the password.'],
  '28000': ['auth', 'PostgreSQL does not let this user in from here (pg_hba.conf), or does not know it.'],
  '3D000': ['invalid', 'There is no such database.'],
  '3F000': ['invalid', 'There is no such schema.'],
  '42501': ['forbidden', 'The user may not read this. Grant USAGE on the schema and SELECT on its tables.'],
  '42P01': ['gone', 'The table does not exist any more.'],
  '42703': ['transient', 'A column was dropped meanwhile.'],
  '57014': ['transient', 'PostgreSQL took too long to answer and was stopped.'],
  '55000': ['invalid', 'The materialised view has not been filled yet.'],
  '25006': ['invalid', 'The table cannot be read without writing.'],
  '26000': ['invalid', 'The connection pooler mixes sessions. Connect to PostgreSQL itself, or pool by session.'],
};

// The first two characters say what kind of error it is.
const BY_CLASS: Readonly<Record<string, Known>> = {
  '08': ['transient', 'The connection to PostgreSQL failed.'],
  '22': ['invalid', 'A value in the table cannot be read.'],
  '28': ['auth', 'PostgreSQL does not let this user in.'],
  '40': ['transient', 'PostgreSQL undid the reading because of other work.'],
  '42': ['invalid', 'The table or view cannot be read as it is defined.'],
  '53': ['transient', 'PostgreSQL has no connection or memory left at the moment.'],
  '55': ['transient', 'The table is locked or not ready at the moment.'],
  '57': ['transient', 'PostgreSQL is shutting down or starting.'],
  '58': ['transient', 'PostgreSQL has a fault of its own.'],
  XX: ['transient', 'PostgreSQL has a fault of its own.'],
  HV: ['invalid', 'The foreign table could not be reached.'],
};

const stateOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined;

// Thrown while a result is parsed: by our schemas, by `JSON.parse`, or by the client's buffers.
const UNREADABLE: ReadonlySet<unknown> = new Set(['ZodError', 'SyntaxError', 'TypeError', 'RangeError']);
const isUnreadable = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'name' in error && UNREADABLE.has(error.name);

const NO_TLS = /does not support SSL/;
const TIMEOUT = /timeout/i;

/** True where the server said that it speaks without TLS only. */
export const isWithoutTls = (error: unknown): boolean => error instanceof Error && NO_TLS.test(error.message);

// Of an open connection: another server behind a foreign table failed, or this one statement took too long.
const OF_STATEMENT = /^(08...|57014)$/;

/** True for what says something of the one statement and not of the connection. */
export function isOfStatement(error: unknown): boolean {
  const said = databaseError(error);
  const kinds: readonly SourceErrorKind[] = ['forbidden', 'invalid', 'gone'];
  return kinds.includes(said.kind) || OF_STATEMENT.test(stateOf(error) ?? '');
}

/** What the client threw, as a source says it. The server's own words can hold values of rows, and go to the log only. */
export function databaseError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  if (isUnreadable(error)) {
    return new SourceError(
      'invalid',
      'Lectern cannot read the result from PostgreSQL. Check the table for values of unusual types.',
      { cause: error },
    );
  }
  const state = stateOf(error);
  // Node's codes, such as EPIPE, look like a state.
  const known =
    state === undefined || /^E[A-Z]/.test(state) ? undefined : (BY_STATE[state] ?? BY_CLASS[state.slice(0, 2)]);
  if (known !== undefined) return new SourceError(known[0], known[1], { cause: error });
  if (state !== undefined && !/^E[A-Z]/.test(state)) {
    return new SourceError('invalid', `PostgreSQL refused the request (${state}).`, { cause: error });
  }
  if (isWithoutTls(error)) {
    return new SourceError('invalid', 'The server has no TLS. Set config.sslMode to disable, or switch TLS on there.', {
      cause: error,
    });
  }
  if (error instanceof Error && TIMEOUT.test(error.message)) {
    return new SourceError('transient', 'PostgreSQL did not answer in time.', { cause: error });
  }
  return networkError('PostgreSQL', error);
}
