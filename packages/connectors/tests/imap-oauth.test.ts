import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ImapOAuth,
  type ImapServer,
  type MailTokenServer,
  mailOf,
  startImapServer,
  startMailTokenServer,
} from '@lectern/testing';
import type { Connector } from '#connector';
import { imapType } from '#imap/imap-type';
import type { SourceRef } from '#source';
import { openType } from './support/open-type.ts';
import { call, collect, collectUntilError, refsOf, textOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

const USERS = { 'ada@example.com': '', 'bob@example.com': '' };

let server: ImapServer;
let tokens: MailTokenServer;
let host: TestHost;
let replaced: { readonly field: string; readonly from: string; readonly to: string }[];
const opened: Connector[] = [];

beforeEach(async () => {
  tokens = await startMailTokenServer();
  replaced = [];
  host = createTestHost({
    allow: '127.0.0.1',
    renewCredential: async (field, known, renew) => {
      const from = replaced.at(-1)?.to ?? known;
      const result = await renew(from);
      replaced.push({ field, from, to: result.replacement ?? from });
      return result;
    },
  });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connector) => connector.close?.()));
  await server?.stop();
  await tokens.stop();
  await host.close();
});

async function start(oauth: Partial<ImapOAuth> = {}) {
  const accepts = (token: string) => tokens.oauth.accepts(`Bearer ${token}`);
  server = await startImapServer({
    users: USERS,
    oauth: { mechanism: 'XOAUTH2', provider: 'microsoft', accepts, ...oauth },
  });
  for (const user of Object.keys(USERS)) {
    server.mailboxOf(user).append('INBOX', mailOf({ subject: user, text: 'Text.', messageId: '<a@example.com>' }));
  }
}

const application = () => {
  const { tokenUrl, clientId, clientSecret } = tokens;
  return { tokenUrl, clientId, clientSecret, scope: 'https://outlook.office365.com/.default' };
};
const ofUser = () => {
  const { tokenUrl, clientId, clientSecret } = tokens;
  return { tokenUrl, clientId, clientSecret, refreshToken: tokens.oauth.grant().refreshToken };
};

function open(credentials: object = application(), config: object = {}): Connector {
  const connector = openType(
    imapType,
    { host: server.host, port: server.port, security: 'none', ...config },
    { user: 'ada@example.com', ...credentials },
    host,
  );
  opened.push(connector);
  return connector;
}

const list = async (connector: Connector): Promise<SourceRef[]> => refsOf(await collect(connector.list(call)));
const errorOf = async (connector: Connector) => (await collectUntilError(connector.list(call))).error;
const sentTokens = () => tokens.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
const SECRETS = /mail-client-secret|access-|refresh-/;

describe('an access token', () => {
  for (const mechanism of ['XOAUTH2', 'OAUTHBEARER'] as const) {
    for (const provider of ['google', 'microsoft'] as const) {
      it(`of an application or a user signs in with ${mechanism} as ${provider} expects it`, async () => {
        await start({ mechanism, provider });
        for (const credentials of [application(), ofUser()]) {
          tokens.forget();
          const connector = open(credentials);
          expect((await connector.test(call)).every(({ ok }) => ok)).toBe(true);
          const [ref] = await list(connector);
          expect(await textOf(connector, ref!)).toContain('Text.');
          // All sessions share the token.
          expect(sentTokens()).toHaveLength(1);
        }
      });
    }
  }

  it('is requested with what the client has, and with the scope of Microsoft by default', async () => {
    await start();
    await list(open());
    await list(open(ofUser()));
    const { clientId: client_id, clientSecret: client_secret } = tokens;
    expect(sentTokens()).toEqual([
      { ...{ client_id, client_secret }, grant_type: 'client_credentials', scope: application().scope },
      { ...{ client_id, client_secret }, grant_type: 'refresh_token', refresh_token: expect.any(String) },
    ]);
  });

  it('opens several mailboxes, which stay private to their owners', async () => {
    await start();
    const connector = open(application(), { mailboxes: Object.keys(USERS), delegation: 'access_token' });
    const refs = await list(connector);
    expect(refs.map(({ title }) => title)).toEqual(Object.keys(USERS));
    const readers = await collect(connector.permissions!(call, refs));
    expect(readers.map(({ principals }) => principals)).toEqual(Object.keys(USERS).map((user) => [`user:${user}`]));
    expect(sentTokens()).toHaveLength(1);
  });

  it('that expires during a sync is renewed, and nothing is lost', async () => {
    await start();
    const { mailbox } = server;
    for (let n = 0; n < 250; n += 1) {
      mailbox.append('INBOX', mailOf({ subject: `m${n}`, text: 'Text.', messageId: `<m${n}@example.com>` }));
    }
    const connector = open();
    let fetches = 0;
    server.before(({ command }) => {
      if (command !== 'UID FETCH') return;
      fetches += 1;
      if (fetches === 2) tokens.oauth.expireAccess();
    });
    const events = await collect(connector.list(call));
    expect(refsOf(events)).toHaveLength(251);
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: true });
    expect(sentTokens()).toHaveLength(2);
  });

  it('is renewed before it expires', async () => {
    await start();
    tokens.oauth.setLifetime(0.000_001);
    const connector = open();
    await list(connector);
    server.disconnect();
    await list(connector);
    expect(sentTokens().length).toBeGreaterThanOrEqual(2);
  });

  for (const provider of ['google', 'microsoft'] as const) {
    it(`that ${provider} rejects is renewed once, not for each mailbox`, async () => {
      await start({ provider, accepts: () => false });
      const connector = open(application(), { mailboxes: Object.keys(USERS), delegation: 'access_token' });
      const error = await errorOf(connector);
      expect(error).toMatchObject({ kind: 'auth', message: expect.stringMatching('rejected the access token') });
      expect(String(Object(error).message)).not.toMatch(SECRETS);
      expect(sentTokens()).toHaveLength(2);
    });
  }

  it('that may not open one of several mailboxes does not affect the others', async () => {
    await start({ mayOpen: (_token, mailbox) => mailbox !== 'ada@example.com' });
    const connector = open(application(), { mailboxes: Object.keys(USERS), delegation: 'access_token' });
    const events = await collect(connector.list(call));
    expect(refsOf(events).map(({ title }) => title)).toEqual(['bob@example.com']);
    expect(events[0]).toMatchObject({ type: 'failed', error: { message: expect.stringMatching('may not open') } });
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
  });

  it('is not used by a server without such a login, and a password not by one with only that', async () => {
    await start();
    expect(await errorOf(open({ password: 'secret' }))).toMatchObject({
      ...{ kind: 'auth', message: expect.stringMatching(/OAuth \(clientId and tokenUrl\)/) },
    });
    await server.stop();
    server = await startImapServer({ users: USERS });
    expect(await errorOf(open())).toMatchObject({ kind: 'invalid', message: expect.stringMatching('XOAUTH2') });
  });
});

describe('a refresh token', () => {
  it('that the provider replaces is stored, and used from then on', async () => {
    await start();
    const credentials = ofUser();
    const connector = open(credentials);
    await list(connector);
    expect(replaced).toEqual([{ field: 'refreshToken', from: credentials.refreshToken, to: expect.any(String) }]);
    tokens.oauth.expireAccess();
    server.disconnect();
    expect(await list(connector)).toHaveLength(1);
    expect(sentTokens()[1]).toMatchObject({ refresh_token: replaced[0]!.to });
    expect(tokens.oauth.reusedRefreshToken).toBe(false);
  });

  it('that another process has replaced is not sent again', async () => {
    await start();
    const credentials = ofUser();
    const [first, second] = [open(credentials), open(credentials)];
    await list(first);
    await list(second);
    tokens.oauth.expireAccess();
    server.disconnect();
    expect(await list(first)).toHaveLength(1);
    expect(tokens.oauth.reusedRefreshToken).toBe(false);
  });

  it('that was revoked is an error with that reason', async () => {
    await start();
    const connector = open(ofUser());
    tokens.oauth.revoke();
    const [check] = await connector.test(call);
    expect(check).toMatchObject({ ok: false, message: expect.stringMatching('was revoked or has expired') });
    expect(check!.message).not.toMatch(SECRETS);
  });
});

describe('the token endpoint', () => {
  it.each([
    [{ clientSecret: 'wrong' }, 'auth', 'Check clientId and clientSecret'],
    [{ scope: 'https://graph.microsoft.com/.default' }, 'auth', 'invalid_scope, AADSTS70011'],
  ])('that rejects %j is named with what to check', async (change, kind, message) => {
    await start();
    const error = await errorOf(open({ ...application(), ...change }));
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message) });
    expect(String(Object(error).message)).not.toMatch(/wrong/);
  });

  it('that is missing does not look like a missing folder', async () => {
    await start();
    for (const status of [403, 404, 410]) {
      tokens.fail(() => ({ kind: 'status', status }));
      const { reported, error } = await collectUntilError(open().list(call));
      expect(reported).toEqual([]);
      expect(error).toMatchObject({ kind: 'auth' });
    }
  });

  it('that is overloaded for a moment is tried again', async () => {
    await start();
    tokens.fail((_request, number) => (number === 1 ? { kind: 'status', status: 503 } : undefined));
    expect(await list(open())).toHaveLength(1);
  });

  it('gets no secrets by a redirect, nor at an address that is not allowed', async () => {
    await start();
    const paths: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/other' }).end();
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const tokenUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}/token`;
    const redirected = await errorOf(open({ ...application(), tokenUrl }));
    await host.close();
    host = createTestHost({ allow: `127.0.0.1:${server.port}` });
    const blocked = await errorOf(open({ ...application(), tokenUrl }));
    other.close();
    expect(redirected).toMatchObject({ kind: 'invalid', message: expect.stringMatching('not followed') });
    expect(blocked).toMatchObject({ kind: 'invalid' });
    expect(paths).toEqual(['/token']);
  });
});

describe('settings', () => {
  const issues = (credentials: object, config: object = {}) => {
    try {
      openType(imapType, { host: 'mail.example.com', ...config }, { user: 'a@example.com', ...credentials }, host);
      return [];
    } catch (error) {
      return (error as { details: { issues: { path: string }[] } }).details.issues.map(({ path }) => path);
    }
  };
  const client = { clientId: 'c', tokenUrl: 'https://login.example.com/token' };

  it.each<[object, object, string[]]>([
    [{}, {}, ['credentials.password']],
    [{ password: 'p', ...client }, {}, ['credentials.password']],
    [{ clientId: 'c', clientSecret: 's' }, {}, ['credentials.tokenUrl']],
    [{ tokenUrl: client.tokenUrl, clientSecret: 's' }, {}, ['credentials.clientId']],
    [client, {}, ['credentials.clientSecret']],
    [{ ...client, clientSecret: 's', tokenUrl: 'http://login.example.com/token' }, {}, ['credentials.tokenUrl']],
    [{ ...client, refreshToken: 'r' }, {}, []],
    [{ ...client, clientSecret: 's' }, { mailboxes: ['b@x'], delegation: 'access_token' }, []],
    [{ ...client, clientSecret: 's' }, { mailboxes: ['b@x'], delegation: 'master_user' }, ['config.delegation']],
    [{ password: 'p' }, { mailboxes: ['b@x'], delegation: 'access_token' }, ['config.delegation']],
  ])('name the field that does not fit: %j %j', (credentials, config, expected) => {
    expect(issues(credentials, config)).toEqual(expected);
  });
});

describe('the emulator', () => {
  const talk = async (lines: readonly string[]) => {
    const socket = connect(server.port, server.host);
    let received = '';
    socket.on('data', (piece) => {
      received += piece.toString();
    });
    socket.write(`${lines.join('\r\n')}\r\n`);
    await once(socket, 'end');
    return received;
  };
  const encode = (text: string) => Buffer.from(text).toString('base64');

  it('accepts only the format of the mechanism, and waits for the answer to its challenge', async () => {
    await start({ provider: 'google' });
    const login = (user: string, token: string) => encode(`user=${user}\u0001auth=Bearer ${token}\u0001\u0001`);
    const { accessToken } = tokens.oauth.grant();
    const received = await talk([
      `a1 AUTHENTICATE XOAUTH2 ${encode(`user=ada@example.com\u0001auth=Bearer ${accessToken}`)}`,
      `a2 AUTHENTICATE PLAIN ${encode('\0ada@example.com\0')}`,
      `a3 AUTHENTICATE XOAUTH2 ${login('ada@example.com', 'unknown')}`,
      'AQ==',
      `a4 AUTHENTICATE XOAUTH2 ${login('ada@example.com', 'unknown')}`,
      '',
      `a5 AUTHENTICATE XOAUTH2 ${login('ada@example.com', accessToken)}`,
      'a6 LOGOUT',
    ]);
    const statuses = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map(
      (tag) => new RegExp(`^${tag} (OK|NO|BAD)`, 'm').exec(received)?.[1],
    );
    expect(statuses).toEqual(['BAD', 'BAD', 'BAD', 'NO', 'OK', 'OK']);
    const challenge = /^\+ (\S+)\r$/m.exec(received)?.[1] ?? '';
    expect(JSON.parse(Buffer.from(challenge, 'base64').toString())).toMatchObject({ status: '400' });
  });
});
