import { createHash, randomBytes } from 'node:crypto';
import type { Api, Json } from './api.ts';

const REDIRECT_URI = 'http://127.0.0.1/callback';

/** Connects an app to MCP for the person of a session. Returns its access token and its id. */
export async function connectApp(
  baseUrl: string,
  session: Api,
  name: string,
): Promise<{ readonly token: string; readonly id: string }> {
  const registered = await fetch(`${baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [REDIRECT_URI] }),
  });
  const { client_id: clientId }: Json = await registered.json();
  const verifier = randomBytes(32).toString('base64url');
  const request = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const { person } = await session.ok('POST', '/api/v1/account/apps/check', { request });
  const answer = { request, personId: person.id, approve: true };
  const { redirectTo } = await session.ok('POST', '/api/v1/account/apps/answer', answer);
  const code = new URL(redirectTo).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier };
  const issued = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token }: Json = await issued.json();
  const [app] = (await session.ok('GET', '/api/v1/account/apps')) as Json[];
  return { token, id: app?.id };
}
