import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createOAuthEmulator, type OAuthEmulatorOptions } from '#emulators/platform/oauth-emulator';
import type { PlatformRequest } from '#emulators/platform/platform-server';

const REDIRECT = 'https://lectern.example/callback';
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const client = { client_id: 'app', client_secret: 'secret' };

const open = (options: Partial<OAuthEmulatorOptions> = {}) =>
  createOAuthEmulator({
    clientId: 'app',
    clientSecret: 'secret',
    redirectUris: [REDIRECT],
    clientAuthentication: 'body',
    tokenRequest: 'form',
    pkce: true,
    rotates: true,
    authorizeParameters: { scope: 'read' },
    ...options,
  });
const request = (fields: Partial<PlatformRequest>): PlatformRequest => ({
  method: 'GET',
  path: '/',
  url: '/',
  query: new URLSearchParams(),
  headers: {},
  body: '',
  bytes: new Uint8Array(),
  ...fields,
});
const form = (fields: Record<string, string>) =>
  request({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
const asking = (more: Record<string, string> = {}) => {
  const query = { client_id: 'app', redirect_uri: REDIRECT, response_type: 'code', state: 's', scope: 'read' };
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
  return request({ query: new URLSearchParams({ ...query, ...pkce, ...more }) });
};
const codeOf = (oauth: ReturnType<typeof open>) =>
  new URL(oauth.authorize(asking()).headers?.location ?? '').searchParams.get('code') ?? '';
const read = (answer: { body: string | Uint8Array }) => JSON.parse(String(answer.body));

describe('the OAuth emulator', () => {
  it('issues a code only for a complete request, for one exchange with its verifier', () => {
    const oauth = open();
    for (const wrong of [
      { redirect_uri: 'https://evil.example' },
      { scope: 'all' },
      { code_challenge_method: 'plain' },
    ]) {
      expect(oauth.authorize(asking(wrong)).status).toBe(400);
    }
    const exchange = { ...client, grant_type: 'authorization_code', redirect_uri: REDIRECT };
    expect(oauth.token(form({ ...exchange, code: codeOf(oauth), code_verifier: `${verifier}x` })).status).toBe(400);
    const code = codeOf(oauth);
    const tokens = oauth.token(form({ ...exchange, code, code_verifier: verifier }));
    expect(tokens.status).toBe(200);
    expect(oauth.accepts(`Bearer ${read(tokens).access_token}`)).toBe(true);
    expect(read(oauth.token(form({ ...exchange, code, code_verifier: verifier })))).toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('invalidates a used refresh token, and authenticates the application', () => {
    const oauth = open();
    const { refreshToken, accessToken } = oauth.grant();
    const refresh = { ...client, grant_type: 'refresh_token', refresh_token: refreshToken };
    expect(oauth.token(form({ ...refresh, client_secret: 'wrong' })).status).toBe(401);
    oauth.expireAccess();
    expect(oauth.accepts(`Bearer ${accessToken}`)).toBe(false);
    const next = read(oauth.token(form(refresh)));
    expect(next.refresh_token).not.toBe(refreshToken);
    expect(oauth.reusedRefreshToken).toBe(false);
    expect(read(oauth.token(form(refresh)))).toMatchObject({ error: 'invalid_grant' });
    expect(oauth.reusedRefreshToken).toBe(true);
  });

  it('accepts only the request format and the client authentication of its platform', () => {
    const oauth = open({ clientAuthentication: 'basic', tokenRequest: 'json' });
    const grant = { grant_type: 'refresh_token', refresh_token: oauth.grant().refreshToken };
    const json = (headers: Record<string, string>) =>
      request({
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(grant),
      });
    const authorization = `Basic ${Buffer.from('app:secret').toString('base64')}`;
    expect(oauth.token(form({ ...grant, ...client })).status).toBe(400);
    expect(oauth.token(json({})).status).toBe(401);
    expect(oauth.token(json({ authorization })).status).toBe(200);
  });
});
