import { once } from 'node:events';
import { BlockList, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { EgressGuard } from '@lectern/egress';
import { ImapFlow, type ImapTransport } from 'imapflow';
import { createDeadline } from '#http/deadline';
import { errorOfCode, imapError, throttleMs } from '#imap/imap-error';
import { type ImapSettings, portOf } from '#imap/imap-settings';
import { SourceError } from '#source-error';

const CONNECT_TIMEOUT_MS = 15_000;
/** The time for one step: a command with its response. */
const STEP_TIMEOUT_MS = 60_000;

const BYTES_CHECK_MS = 50;

const MB = 1024 * 1024;
/** Envelopes and structures are lines. A message with thousands of parts has a long one. */
const MAX_LINE_BYTES = 8 * MB;
const MAX_TOKENS = 200_000;

const PRIVATE = new BlockList();
PRIVATE.addSubnet('127.0.0.0', 8);
PRIVATE.addSubnet('10.0.0.0', 8);
PRIVATE.addSubnet('172.16.0.0', 12);
PRIVATE.addSubnet('192.168.0.0', 16);
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');

export type ImapLogin =
  | {
      readonly user: string;
      readonly password: string;
      /** The mailbox to open with SASL PLAIN instead of that of the user. */
      readonly authorization?: string | undefined;
    }
  | {
      /** The mailbox to open with SASL OAUTHBEARER (RFC 7628) or XOAUTH2. */
      readonly user: string;
      readonly accessToken: string;
    };

export interface SessionOptions {
  readonly address: Pick<ImapSettings, 'host' | 'port' | 'security'>;
  readonly login: ImapLogin;
  readonly egress: EgressGuard;
  readonly maxItemBytes: number;
  /** Returns the time to retry if the server limits the rate without naming one. */
  readonly nextTry: () => Date;
}

/** A session that is logged in. */
export interface ImapSession {
  /** False if the connection is closed. */
  readonly isUsable: boolean;
  /**
   * Runs commands one after another, each within its deadline. Closes the connection if the signal
   * aborts. Throws `SourceError`, or the signal's reason.
   */
  run<T>(signal: AbortSignal, use: (step: Step) => Promise<T>): Promise<T>;
  close(): void;
}

/**
 * Runs one command of the client within a deadline. A result of `false` is a command that the server
 * rejected.
 */
export type Step = <T>(command: (client: ImapFlow) => Promise<T | false>, limits?: StepLimits) => Promise<T>;

export interface StepLimits {
  readonly timeoutMs?: number;
  /** What the server may send. More closes the connection. */
  readonly maxBytes?: number;
}

async function secured(socket: Socket, host: string, signal: AbortSignal): Promise<TLSSocket> {
  const tls = connectTls(tlsOptions(socket, host));
  try {
    await once(tls, 'secureConnect', { signal });
    return tls;
  } catch (error) {
    tls.on('error', () => undefined).destroy();
    signal.throwIfAborted();
    throw error;
  }
}

const tlsOptions = (socket: Socket, host: string) => ({
  socket,
  host,
  ...(isIP(host) === 0 ? { servername: host } : {}),
  minVersion: 'TLSv1.2' as const,
  rejectUnauthorized: true,
});

/** Connects through the guard. Returns a socket that is encrypted, unless STARTTLS or `none` is set. */
async function openSocket({ address, egress }: SessionOptions, signal: AbortSignal): Promise<Socket> {
  const host = address.host.replace(/^\[(.*)\]$/, '$1');
  const socket = await egress.connect({ host, port: portOf(address), signal });
  // Errors after a failed handshake have no other listener.
  socket.on('error', () => undefined);
  if (address.security === 'tls') return secured(socket, host, signal);
  const { remoteAddress = '' } = socket;
  const family = isIP(remoteAddress);
  const isPrivate = family !== 0 && PRIVATE.check(remoteAddress, family === 6 ? 'ipv6' : 'ipv4');
  if (address.security === 'none' && !isPrivate) {
    socket.destroy();
    throw new SourceError(
      'invalid',
      'Lectern sends passwords and tokens without encryption only to private addresses. Set config.security to tls or starttls.',
    );
  }
  return socket;
}

const noAuthorization = () =>
  new SourceError(
    'invalid',
    'The server does not offer SASL PLAIN, which config.delegation authorization_id needs. Use master_user if the server supports it.',
  );

const alreadySignedIn = () =>
  new SourceError(
    'invalid',
    'The server opened a session without a login (PREAUTH), so it is unknown whose mailbox that is.',
  );

/** The client gets a connected socket: it never connects by itself. */
const transportOf = (socket: Socket, host: string): ImapTransport => ({
  connect: (_options, onConnect) => {
    setImmediate(onConnect);
    return socket;
  },
  upgrade: (_plain, _options, onSecure) => connectTls(tlsOptions(socket, host), onSecure),
});

/** A client, and whether it has sent the credentials. */
interface Client {
  readonly flow: ImapFlow;
  readonly signsIn: boolean;
}

function createClient(options: SessionOptions, socket: Socket, onThrottle: (error: unknown) => void): Client {
  const { address, login, maxItemBytes } = options;
  const host = address.host.replace(/^\[(.*)\]$/, '$1');
  const maxLiteralSize = Math.max(maxItemBytes * 2, MAX_LINE_BYTES);
  const ignore = () => undefined;
  let signsIn = false;
  const flow: ImapFlow = new ImapFlow({
    host,
    port: portOf(address),
    secure: address.security === 'tls',
    ...(address.security === 'tls' ? {} : { doSTARTTLS: address.security === 'starttls' }),
    // The client reads this when it signs in, after STARTTLS. Without SASL PLAIN, it would leave out
    // the authorization identity, and so open the mailbox of the user.
    get auth() {
      if ('accessToken' in login) {
        signsIn = true;
        return { user: login.user, accessToken: login.accessToken };
      }
      const { authorization } = login;
      const user = { user: login.user, pass: login.password };
      if (authorization !== undefined && !flow.capabilities.has('AUTH=PLAIN')) throw noAuthorization();
      signsIn = true;
      return authorization === undefined ? user : { ...user, authzid: authorization, loginMethod: 'AUTH=PLAIN' };
    },
    transport: transportOf(socket, host),
    clientInfo: { name: 'Lectern', version: false, vendor: false, 'support-url': false },
    disableAutoIdle: true,
    disableCompression: true,
    disableIMAP4rev2: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    maxLineLength: MAX_LINE_BYTES,
    maxLiteralSize,
    maxResponseSize: maxLiteralSize + 2 * MAX_LINE_BYTES,
    maxResponseTokens: MAX_TOKENS,
    // A throttled client would wait on its own; only its log reports that.
    logger: {
      ...{ debug: ignore, info: ignore, error: ignore },
      warn: (entry: { readonly err?: unknown }) => {
        if (throttleMs(entry.err) !== undefined) onThrottle(entry.err);
      },
    },
  });
  return {
    flow,
    get signsIn() {
      return signsIn;
    },
  };
}

/** Closes the connection if the server sends more than `maxBytes` during `work`. */
async function withinBytes<T>(client: ImapFlow, maxBytes: number, work: () => Promise<T>): Promise<T> {
  if (maxBytes === Number.POSITIVE_INFINITY) return work();
  const before = client.stats().received;
  let isFlooded = false;
  const timer = setInterval(() => {
    isFlooded = client.stats().received - before > maxBytes;
    if (isFlooded) client.close();
  }, BYTES_CHECK_MS);
  try {
    return await work();
  } catch (error) {
    if (isFlooded) throw new SourceError('too_large', 'The IMAP server sent more data than a command can need.');
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Opens a session. Throws `SourceError`, or the signal's reason. */
export async function openSession(options: SessionOptions, signal: AbortSignal): Promise<ImapSession> {
  signal.throwIfAborted();
  const { nextTry } = options;
  const usesToken = 'accessToken' in options.login;
  let throttled: unknown;
  let client: ImapFlow | undefined;
  let lastCode = '';

  /** Races a command against its deadline and the signal; both close the connection. */
  const within = async <T>(caller: AbortSignal, timeoutMs: number, work: (signal: AbortSignal) => Promise<T>) => {
    caller.throwIfAborted();
    const deadline = createDeadline(caller, timeoutMs, 'The IMAP server');
    const stopped = new Promise<never>((_resolve, reject) => {
      deadline.signal.addEventListener('abort', () => {
        client?.close();
        reject(deadline.signal.reason);
      });
    });
    stopped.catch(() => undefined);
    try {
      return await Promise.race([work(deadline.signal), stopped]);
    } catch (error) {
      caller.throwIfAborted();
      if (deadline.signal.aborted) throw deadline.signal.reason;
      throw imapError(throttled ?? error, { nextTry, usesToken });
    } finally {
      deadline.end();
    }
  };

  const connected = await within(signal, CONNECT_TIMEOUT_MS, async (step) => {
    const socket = await openSocket(options, step);
    const created = createClient(options, socket, (error) => {
      throttled = error;
      // The client waits right after it has logged this; closing it ends the wait.
      setImmediate(() => client?.close());
    });
    client = created.flow;
    // A pending command rejects by itself; without one, the error can be ignored.
    client.on('error', () => undefined);
    client.on('response', ({ code }) => {
      lastCode = (code ?? '').toUpperCase();
    });
    try {
      await client.connect();
      if (!created.signsIn) throw alreadySignedIn();
    } catch (error) {
      client.close();
      socket.destroy();
      throw error;
    }
    return client;
  });

  const step = <T>(
    caller: AbortSignal,
    command: (active: ImapFlow) => Promise<T | false>,
    { timeoutMs = STEP_TIMEOUT_MS, maxBytes = Number.POSITIVE_INFINITY }: StepLimits,
  ): Promise<T> =>
    within(caller, timeoutMs, async () => {
      lastCode = '';
      const result = await withinBytes(connected, maxBytes, () => command(connected));
      if (result !== false) return result;
      const failure = errorOfCode(lastCode, nextTry);
      throw failure ?? new SourceError('transient', 'The IMAP server could not run a command.');
    });

  return {
    get isUsable() {
      return connected.usable;
    },
    run: (caller, use) => use((command, limits = {}) => step(caller, command, limits)),
    close: () => connected.close(),
  };
}
