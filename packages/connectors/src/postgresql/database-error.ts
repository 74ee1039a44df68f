import { EgressError } from '@lectern/egress';
import { networkError } from '#http/network-error';
import { SourceError, type SourceErrorKind } from '#source-error';

type Known = readonly [SourceErrorKind, string];

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const BY_STATE: Readonly<Record<string, Known>> = {
  '28P01': ['auth', 'PostgreSQL rejected the user or the password. Update the credentials of the connector.'],
  '28000': ['auth', 'PostgreSQL does not allow this user to connect from here. Check the user and pg_hba.conf.'],
  '3D000': ['invalid', 'The database does not exist. Check config.database.'],
  '3F000': ['invalid', 'The schema does not exist. Check config.schema.'],
  '42501': [
    'forbidden',
    'The user has no permission to read this. Grant USAGE on the schema and SELECT on its tables.',
  ],
  '42P01': ['gone', 'The table no longer exists.'],
  '42703': ['transient', 'A column was dropped during the query.'],
  '57014': ['transient', 'The query took too long and was stopped.'],
  '55000': ['invalid', 'The materialized view has not been filled yet.'],
  '25006': ['invalid', 'Reading the table would write to it, which is not allowed.'],
  '26000': ['invalid', 'The connection pooler mixes sessions. Connect to PostgreSQL directly, or use session pooling.'],
};

// The first two characters are the class of the error.
const BY_CLASS: Readonly<Record<string, Known>> = {
  '08': ['transient', 'The connection to PostgreSQL failed.'],
  '22': ['invalid', 'A value in the table is invalid.'],
  '28': ['auth', 'PostgreSQL rejected this user. Update the credentials of the connector.'],
  '40': ['transient', 'PostgreSQL rolled back the transaction because of concurrent changes.'],
  '42': ['invalid', 'The definition of the table or view is invalid.'],
  '53': ['transient', 'PostgreSQL has no free connections or memory.'],
  '55': ['transient', 'The table is locked or not ready.'],
  '57': ['transient', 'PostgreSQL is shutting down or starting.'],
  '58': ['transient', 'PostgreSQL reported an internal error.'],
  XX: ['transient', 'PostgreSQL reported an internal error.'],
  HV: ['invalid', 'The foreign table could not be reached.'],
};

const stateOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined;

// Thrown while a result is parsed: by zod, `JSON.parse` or the client.
const UNREADABLE: ReadonlySet<unknown> = new Set(['ZodError', 'SyntaxError', 'TypeError', 'RangeError']);
const isUnreadable = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'name' in error && UNREADABLE.has(error.name);

const NO_TLS = /does not support SSL/;
const TIMEOUT = /timeout/i;

/** Returns true if the server does not support TLS. */
export const isWithoutTls = (error: unknown): boolean => error instanceof Error && NO_TLS.test(error.message);

// On an open connection: the server of a foreign table failed, or the statement took too long.
const STATEMENT_STATES = /^(08...|57014)$/;

/** Returns true if the statement failed and the connection is still usable. */
export function isStatementError(error: unknown): boolean {
  const translated = databaseError(error);
  const kinds: readonly SourceErrorKind[] = ['forbidden', 'invalid', 'gone'];
  return kinds.includes(translated.kind) || STATEMENT_STATES.test(stateOf(error) ?? '');
}

/**
 * Translates an error of the client. The server's message can contain values of rows, so it is only
 * in the cause.
 */
export function databaseError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  // Its message contains the host, which could look like the message of another failure.
  if (error instanceof EgressError) return networkError('PostgreSQL', error);
  if (isUnreadable(error)) {
    return new SourceError(
      'invalid',
      'Lectern cannot read the result from PostgreSQL. Check the table for values of unusual types.',
      { cause: error },
    );
  }
  const state = stateOf(error);
  // Node's codes, for example EPIPE, look like a state.
  const known =
    state === undefined || /^E[A-Z]/.test(state) ? undefined : (BY_STATE[state] ?? BY_CLASS[state.slice(0, 2)]);
  if (known !== undefined) return new SourceError(known[0], known[1], { cause: error });
  if (state !== undefined && !/^E[A-Z]/.test(state)) {
    return new SourceError('invalid', `PostgreSQL rejected the query (SQLSTATE ${state}).`, { cause: error });
  }
  if (isWithoutTls(error)) {
    return new SourceError(
      'invalid',
      'The server does not support TLS. Enable TLS there, or set config.sslMode to disable.',
      {
        cause: error,
      },
    );
  }
  if (error instanceof Error && TIMEOUT.test(error.message)) {
    return new SourceError('transient', 'PostgreSQL did not respond in time.', { cause: error });
  }
  return networkError('PostgreSQL', error);
}
