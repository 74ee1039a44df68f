import type { Socket } from 'node:net';
import type { EgressGuard } from '@lectern/egress';
import pg from 'pg';
import { databaseError, isWithoutTls } from '#postgresql/database-error';

/**
 * Like libpq's `sslmode`: `prefer` and `require` encrypt without verifying the server, `prefer` falls
 * back to no encryption if the server has no TLS; `verify-full` verifies the certificate and its
 * name.
 */
export const sslModes = ['disable', 'prefer', 'require', 'verify-full'] as const;
type SslMode = (typeof sslModes)[number];

export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly sslMode: SslMode;
}

export interface DatabaseCredentials {
  readonly user: string;
  readonly password: string;
}

export interface DatabaseLimits {
  readonly signal: AbortSignal;
  /** The timeout of one statement in milliseconds, enforced by the server. */
  readonly statementTimeoutMs: number;
}

/** An open connection. The caller must end it. */
export type DatabaseClient = pg.Client;

const CONNECT_TIMEOUT_MS = 10_000;
const RESPONSE_GRACE_MS = 5_000;

/**
 * A client with a fixed startup message: pg would add `PGOPTIONS` and `PGREPLICATION` from the
 * environment.
 */
class IsolatedClient extends pg.Client {
  readonly #startup: Readonly<Record<string, string>>;

  constructor(config: pg.ClientConfig, startup: Readonly<Record<string, string>>) {
    super(config);
    this.#startup = startup;
  }

  getStartupConf(): Readonly<Record<string, string>> {
    return this.#startup;
  }
}

/** pg connects the stream it gets, but this socket is already connected, to a checked address. */
function asUnconnected(socket: Socket): Socket {
  return Object.assign(socket, {
    connect: () => {
      process.nextTick(() => socket.emit('connect'));
      return socket;
    },
  });
}

async function connect(
  address: DatabaseAddress,
  { user, password }: DatabaseCredentials,
  { signal, statementTimeoutMs }: DatabaseLimits,
  egress: EgressGuard,
  tls: boolean,
): Promise<DatabaseClient> {
  const host = address.host.replace(/^\[(.*)\]$/, '$1');
  const deadline = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  const { port, database } = address;
  const socket = await egress.connect({ host, port, signal: AbortSignal.any([signal, deadline]) });
  const client = new IsolatedClient(
    {
      host,
      port,
      user,
      database,
      // A function, so that pg does not look for an empty password in the environment or ~/.pgpass.
      password: () => password,
      ssl: tls ? { rejectUnauthorized: address.sslMode === 'verify-full' } : false,
      sslnegotiation: 'postgres',
      client_encoding: 'utf8',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: statementTimeoutMs + RESPONSE_GRACE_MS,
      stream: () => asUnconnected(socket),
    },
    { user, database, application_name: 'lectern', client_encoding: 'UTF8' },
  );
  // A pending query rejects by itself; without one, the error can be ignored.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // As statements, because connection poolers reject unknown settings in the startup message.
    await client.query(`
      SET statement_timeout = ${Math.floor(statementTimeoutMs)};
      SET idle_in_transaction_session_timeout = 0;
      SET TIME ZONE 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'iso_8601';
      SET bytea_output = 'hex'; SET extra_float_digits = 1; SET search_path = pg_catalog;`);
    return client;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * Connects to a database through the egress guard: never to a Unix socket, and without the `PG*`
 * environment. The session uses UTC and ISO dates, and its search path has only pg_catalog. Throws
 * `SourceError`, or the signal's reason.
 */
export async function openDatabase(
  address: DatabaseAddress,
  credentials: DatabaseCredentials,
  limits: DatabaseLimits,
  egress: EgressGuard,
): Promise<DatabaseClient> {
  limits.signal.throwIfAborted();
  try {
    return await connect(address, credentials, limits, egress, address.sslMode !== 'disable');
  } catch (error) {
    limits.signal.throwIfAborted();
    if (address.sslMode !== 'prefer' || !isWithoutTls(error)) throw databaseError(error);
  }
  try {
    return await connect(address, credentials, limits, egress, false);
  } catch (error) {
    limits.signal.throwIfAborted();
    throw databaseError(error);
  }
}
