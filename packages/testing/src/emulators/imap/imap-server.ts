import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls';
import type { Fault } from '#emulators/fault';
import { ImapMailbox } from '#emulators/imap/imap-model';
import { createMailboxCommands, type MailboxCommands, type RewriteAnswer } from '#emulators/imap/imap-session';
import { type Argument, ImapSyntaxError, parseArguments } from '#emulators/imap/imap-syntax';
import { readTokenResponse, type TokenMechanism } from '#emulators/imap/sasl-tokens';

/** A command that reads a mailbox. Commands that set up a session do not count. */
export interface ImapRequest {
  readonly command: string;
  readonly arguments: readonly Argument[];
}

/** Faults of the platform emulators, and a response that comes one byte at a time. */
export type ImapFault =
  | Extract<Fault, { kind: 'status' | 'truncated' | 'silence' | 'gibberish' }>
  | { readonly kind: 'drip' };
export type ImapPlan = (request: ImapRequest, number: number) => ImapFault | undefined;

/**
 * How Google and Microsoft accept access tokens.
 * https://developers.google.com/workspace/gmail/imap/xoauth2-protocol
 * https://learn.microsoft.com/en-us/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
 * https://www.rfc-editor.org/rfc/rfc7628
 */
export interface ImapOAuth {
  readonly mechanism: TokenMechanism;
  /** Google explains a rejection in a challenge, which the client must answer; Microsoft does not. */
  readonly provider: 'google' | 'microsoft';
  accepts(token: string): boolean;
  /** Microsoft signs in with every valid token, and then rejects each command for such a mailbox. */
  mayOpen?(token: string, mailbox: string): boolean;
}

export interface ImapServerOptions {
  /** Passwords by user. Each user has a mailbox of this name. */
  readonly users?: Readonly<Record<string, string>>;
  /** The user who can open every mailbox: as `mailbox*user`, or with an authorization identity. */
  readonly master?: { readonly user: string; readonly password: string };
  /** False for a server without CONDSTORE (RFC 7162). */
  readonly condstore?: boolean;
  /** With a certificate: `tls` from the start, or `starttls`. Otherwise the server has no TLS. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly mode: 'tls' | 'starttls' };
  /** How clients sign in: with SASL PLAIN by default, only with LOGIN, or not at all. */
  readonly login?: 'plain' | 'login' | 'preauth';
  /** Clients sign in with access tokens, and not with passwords. */
  readonly oauth?: ImapOAuth;
  /** Refuses further connections of a user with `[LIMIT]`. */
  readonly maxConnections?: number;
}

export interface ImapServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The mailbox of `user`. */
  readonly mailbox: ImapMailbox;
  mailboxOf(user: string): ImapMailbox;
  readonly requests: readonly ImapRequest[];
  /** The number of open connections. */
  readonly connections: number;
  fail(plan?: ImapPlan): void;
  before(listener?: (request: ImapRequest) => void | Promise<void>): void;
  /** Changes the JSON description of LIST and FETCH answers. */
  rewrite(change?: (answer: { readonly status: number; readonly body: string }) => { readonly body: unknown }): void;
  /** Closes all connections. */
  disconnect(): void;
  stop(): Promise<void>;
}

const USER = 'support@example.com';
const PASSWORD = 'abcd efgh ijkl mnop';
const MAX_LINE = 64 * 1024;
const COUNTED: ReadonlySet<string> = new Set(['LIST', 'EXAMINE', 'STATUS', 'UID SEARCH', 'FETCH', 'UID FETCH']);

/** A listing of one name belongs to the set-up of a session. */
const isCounted = (command: string, args: readonly Argument[]): boolean =>
  COUNTED.has(command) && (command !== 'LIST' || args[1] === '*');
const DRIP_MS = 20;

/**
 * Starts a strict, read-only IMAP4rev1 server with SASL-IR, ID, ENABLE, SPECIAL-USE and CONDSTORE.
 * https://www.rfc-editor.org/rfc/rfc3501 https://www.rfc-editor.org/rfc/rfc9051
 * https://www.rfc-editor.org/rfc/rfc7162 https://www.rfc-editor.org/rfc/rfc6154
 * https://www.rfc-editor.org/rfc/rfc4959 https://www.rfc-editor.org/rfc/rfc2971
 * Response codes: https://www.rfc-editor.org/rfc/rfc5530
 */
export async function startImapServer(options: ImapServerOptions = {}): Promise<ImapServer> {
  const {
    users = { [USER]: PASSWORD },
    master,
    condstore = true,
    tls,
    login: method = 'plain',
    oauth,
    maxConnections = 100,
  } = options;
  const mailboxes = new Map(Object.keys(users).map((user) => [user, new ImapMailbox()]));
  const requests: ImapRequest[] = [];
  const sockets = new Set<Socket>();
  const sessions = new Map<Socket, string>();
  let plan: ImapPlan | undefined;
  let planned = 0;
  let listener: ((request: ImapRequest) => void | Promise<void>) | undefined;
  let change: Parameters<ImapServer['rewrite']>[0];

  const firstUser = Object.keys(users)[0] ?? USER;

  const mailboxOf = (user: string): ImapMailbox => {
    const mailbox = mailboxes.get(user);
    if (mailbox === undefined) throw new Error(`The server has no mailbox ${user}.`);
    return mailbox;
  };

  /** Returns the mailbox that a login opens. */
  const logIn = (user: string, password: string, authorization: string): string | undefined => {
    const [name = '', by] = user.split('*');
    if (master !== undefined && password === master.password) {
      if (by === master.user && authorization === '' && mailboxes.has(name)) return name;
      if (user === master.user && mailboxes.has(authorization)) return authorization;
    }
    const isOwn = authorization === '' || authorization === user;
    return isOwn && users[user] === password ? user : undefined;
  };

  const rewriteAnswer: RewriteAnswer = (json) => {
    const changed = change?.({ status: 200, body: json }).body;
    return typeof changed === 'string' ? changed : json;
  };

  function serve(first: Socket): void {
    let socket: Socket = first;
    let isSecure = first instanceof TLSSocket;
    let commands: MailboxCommands | undefined;
    /** The access token of the session. */
    let token: string | undefined;
    /** False if the token may not open the mailbox. */
    let isConnected = true;
    let buffered = Buffer.alloc(0);
    let wake: (() => void) | undefined;
    let isEnded = false;
    const tags = new Set<string>();

    const listen = () => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (piece: Buffer) => {
        buffered = Buffer.concat([buffered, piece]);
        wake?.();
      });
      socket.on('close', () => {
        isEnded = true;
        sockets.delete(socket);
        sessions.delete(first);
        wake?.();
      });
    };
    const send = (data: string | Buffer) => void (socket.destroyed || socket.write(data));
    const more = async (): Promise<boolean> => {
      if (isEnded) return false;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
      return !isEnded;
    };
    const readLine = async (): Promise<string | undefined> => {
      for (;;) {
        const end = buffered.indexOf('\r\n');
        if (end >= 0) {
          const text = buffered.subarray(0, end).toString('utf8');
          buffered = buffered.subarray(end + 2);
          return text;
        }
        if (buffered.length > MAX_LINE || !(await more())) return undefined;
      }
    };
    /** Reads a command whose literals are replaced by quoted strings. */
    const readCommand = async (): Promise<string | undefined> => {
      let text = await readLine();
      for (;;) {
        const size = /\{(\d+)\}$/.exec(text ?? '')?.[1];
        if (text === undefined || size === undefined) return text;
        if (Number(size) > MAX_LINE) return undefined;
        send('+ Ready for the literal\r\n');
        while (buffered.length < Number(size)) if (!(await more())) return undefined;
        const literal = buffered.subarray(0, Number(size)).toString('utf8');
        buffered = buffered.subarray(Number(size));
        const rest = await readLine();
        text = `${text.slice(0, -size.length - 2)}"${literal.replace(/["\\]/g, '\\$&')}"${rest ?? ''}`;
      }
    };

    const capabilities = (): string => {
      const offersTls = tls?.mode === 'starttls' && !isSecure;
      const mechanism = oauth?.mechanism ?? (method === 'plain' ? 'PLAIN' : undefined);
      const mechanisms = mechanism === undefined ? [] : [`AUTH=${mechanism}`, 'SASL-IR'];
      const login = offersTls ? ['STARTTLS', 'LOGINDISABLED'] : mechanisms;
      const extensions = ['ID', 'ENABLE', 'SPECIAL-USE', ...(condstore ? ['CONDSTORE'] : [])];
      return ['IMAP4rev1', ...login, ...extensions].join(' ');
    };

    const startTls = async (tag: string): Promise<void> => {
      if (tls?.mode !== 'starttls' || isSecure) return send(`${tag} BAD STARTTLS is not available\r\n`);
      send(`${tag} OK Begin TLS\r\n`);
      socket.removeAllListeners('data');
      socket = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) });
      isSecure = true;
      buffered = Buffer.alloc(0);
      listen();
    };

    const authenticate = async (tag: string, args: readonly Argument[]): Promise<void> => {
      const [mechanism, initial] = args;
      if (oauth !== undefined) return authenticateToken(oauth, tag, args);
      if (commands !== undefined || mechanism !== 'PLAIN' || method !== 'plain')
        return send(`${tag} BAD Unsupported mechanism\r\n`);
      if (tls?.mode === 'starttls' && !isSecure) return send(`${tag} NO [PRIVACYREQUIRED] Use STARTTLS\r\n`);
      if (initial === undefined) send('+ \r\n');
      const encoded = typeof initial === 'string' ? initial : await readLine();
      const parts = Buffer.from(encoded ?? '', 'base64')
        .toString('utf8')
        .split('\0');
      const [authorization = '', user = '', password = ''] = parts;
      openAs(tag, parts.length === 3 ? logIn(user, password, authorization) : undefined);
    };

    const authenticateToken = async (rules: ImapOAuth, tag: string, args: readonly Argument[]): Promise<void> => {
      const [mechanism, initial] = args;
      if (commands !== undefined || mechanism !== rules.mechanism) return send(`${tag} BAD Unsupported mechanism\r\n`);
      if (tls?.mode === 'starttls' && !isSecure) return send(`${tag} NO [PRIVACYREQUIRED] Use STARTTLS\r\n`);
      if (initial === undefined) send('+ \r\n');
      const encoded = typeof initial === 'string' ? initial : await readLine();
      const { localPort = 0 } = first;
      const response = readTokenResponse(rules.mechanism, encoded ?? '', localPort);
      if (response === undefined) return send(`${tag} BAD Invalid SASL argument\r\n`);
      const { user, token: value } = response;
      const isGoogle = rules.provider === 'google';
      const mayOpen = mailboxes.has(user) && (rules.mayOpen?.(value, user) ?? true);
      if (rules.accepts(value) && (mayOpen || !isGoogle)) {
        token = value;
        isConnected = mayOpen;
        return openAs(tag, mayOpen ? user : firstUser);
      }
      if (!isGoogle) return send(`${tag} NO AUTHENTICATE failed.\r\n`);
      const challenge = { status: '400', schemes: 'Bearer', scope: 'https://mail.google.com/' };
      send(`+ ${Buffer.from(JSON.stringify(challenge)).toString('base64')}\r\n`);
      const answered = await readLine();
      if (answered !== (mechanism === 'XOAUTH2' ? '' : 'AQ==')) return send(`${tag} BAD Invalid response\r\n`);
      send(`${tag} NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)\r\n`);
    };

    const openAs = (tag: string, name: string | undefined) => {
      if (name === undefined) return send(`${tag} NO [AUTHENTICATIONFAILED] Invalid credentials\r\n`);
      const open = [...sessions.values()].filter((other) => other === name).length;
      if (open >= maxConnections) return send(`${tag} NO [LIMIT] Too many simultaneous connections\r\n`);
      sessions.set(first, name);
      commands = createMailboxCommands(mailboxOf(name), { condstore });
      send(`${tag} OK [CAPABILITY ${capabilities()}] Logged in\r\n`);
    };

    const answer = async (tag: string, name: string, args: readonly Argument[]): Promise<void> => {
      const request: ImapRequest = { command: name, arguments: args };
      let fault: ImapFault | undefined;
      if (isCounted(name, args)) {
        requests.push(request);
        planned += 1;
        fault = plan?.(request, planned);
        await listener?.(request);
      }
      if (token !== undefined && oauth?.accepts(token) === false) {
        send('* BYE Session invalidated - AccessTokenExpired\r\n');
        return void socket.end();
      }
      if (!isConnected) return send(`${tag} BAD User is authenticated but not connected.\r\n`);
      if (fault?.kind === 'silence') return;
      if (fault?.kind === 'status') {
        const backOffMs = Number(fault.retryAfter ?? 0) * 1_000;
        if (fault.status !== 429) return send(`${tag} NO [UNAVAILABLE] Internal error\r\n`);
        if (backOffMs === 0) return send(`${tag} NO [LIMIT] Too many commands\r\n`);
        return send(`${tag} BAD Request is throttled. Suggested Backoff Time: ${backOffMs} milliseconds\r\n`);
      }
      const result = commands?.run(name, args, change === undefined ? undefined : rewriteAnswer);
      if (result === undefined) return send(`${tag} BAD Unknown command, or invalid in this state\r\n`);
      if (fault?.kind === 'gibberish') return send(`\u0001\u0002 %%% (((\r\n${tag} OK Done\r\n`);
      const whole = Buffer.concat([...result.data, Buffer.from(`${tag} ${result.status}\r\n`)]);
      if (fault?.kind === 'truncated') {
        socket.end(whole.subarray(0, Math.floor(whole.length / 2)));
      } else if (fault?.kind === 'drip') {
        for (const byte of whole) {
          if (isEnded) return;
          send(Buffer.from([byte]));
          await delay(DRIP_MS);
        }
      } else send(whole);
    };

    const dispatch = async (text: string): Promise<boolean> => {
      const [, tag, rest = ''] = /^([A-Za-z0-9.]+) (.+)$/.exec(text) ?? [];
      if (tag === undefined || tags.has(tag)) {
        send('* BAD A command needs a new tag\r\n');
        return true;
      }
      tags.add(tag);
      try {
        const [, name = '', tail = ''] = /^((?:UID )?[A-Za-z]+)(?: (.*))?$/.exec(rest) ?? [];
        const command = name.toUpperCase();
        const args = parseArguments(tail);
        if (command === 'CAPABILITY') send(`* CAPABILITY ${capabilities()}\r\n${tag} OK Done\r\n`);
        else if (command === 'NOOP') send(`${tag} OK Done\r\n`);
        else if (command === 'ID') send(`* ID ("name" "Lectern emulator")\r\n${tag} OK Done\r\n`);
        else if (command === 'STARTTLS') await startTls(tag);
        else if (command === 'AUTHENTICATE') await authenticate(tag, args);
        else if (command === 'LOGIN' && method === 'login') {
          const [user = '', password = ''] = args.map(String);
          openAs(tag, logIn(user, password, ''));
        } else if (command === 'ENABLE' && commands !== undefined) {
          const enables = condstore && args.includes('CONDSTORE');
          if (enables) commands.enable();
          send(`* ENABLED${enables ? ' CONDSTORE' : ''}\r\n${tag} OK Done\r\n`);
        } else if (command === 'LOGOUT') {
          send(`* BYE Logging out\r\n${tag} OK Done\r\n`);
          socket.end();
          return false;
        } else await answer(tag, command, args);
      } catch (error) {
        if (!(error instanceof ImapSyntaxError)) throw error;
        send(`${tag} BAD ${error.message}\r\n`);
      }
      return true;
    };

    const run = async (): Promise<void> => {
      listen();
      if (method === 'preauth') commands = createMailboxCommands(mailboxOf(firstUser), { condstore });
      send(`* ${method === 'preauth' ? 'PREAUTH' : 'OK'} [CAPABILITY ${capabilities()}] Ready\r\n`);
      for (;;) {
        const text = await readCommand();
        if (text === undefined || !(await dispatch(text))) break;
      }
      socket.end();
    };
    void run();
  }

  const server =
    tls?.mode === 'tls' ? createTlsServer({ key: tls.key, cert: tls.cert }, serve) : createTcpServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [user = USER, password = PASSWORD] = Object.entries(users)[0] ?? [];
  return {
    ...{ host: '127.0.0.1', port: (server.address() as AddressInfo).port, user, password },
    mailbox: mailboxOf(user),
    mailboxOf,
    requests,
    get connections() {
      return sockets.size;
    },
    fail: (next) => {
      plan = next;
      planned = 0;
    },
    before: (next) => {
      listener = next;
    },
    rewrite: (next) => {
      change = next;
    },
    disconnect: () => {
      for (const socket of sockets) socket.destroy();
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
