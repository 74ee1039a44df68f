import type { OAuthGrant, PlatformServer } from '@lectern/testing';
import { z } from 'zod';
import type { OAuthProvider, TokenSource } from '#oauth/oauth-provider';
import { SourceError } from '#source-error';

const Answer = z.object({ access_token: z.string(), refresh_token: z.string().optional() });

/** Tokens of one user in this process, refreshed at a stand-in's token address as the provider demands; one refresh at a time. */
export function createRefreshingTokens(
  server: PlatformServer & { readonly clientId: string; readonly clientSecret: string },
  tokenPath: string,
  provider: OAuthProvider,
  grant: OAuthGrant,
): TokenSource {
  let { accessToken, refreshToken } = grant;
  let pending: Promise<void> | undefined;

  const refresh = async () => {
    const { clientId, clientSecret } = server;
    const basic = provider.clientAuthentication === 'basic';
    const fields = {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      ...(basic ? {} : { client_id: clientId, client_secret: clientSecret }),
    };
    const form = provider.tokenRequest === 'form';
    const response = await fetch(`${server.origin}${tokenPath}`, {
      method: 'POST',
      headers: {
        'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
        ...(basic ? { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` } : {}),
      },
      body: form ? new URLSearchParams(fields).toString() : JSON.stringify(fields),
    });
    if (!response.ok) throw new SourceError('auth', `The refresh was refused: ${await response.text()}`);
    const answer = Answer.parse(await response.json());
    accessToken = answer.access_token;
    refreshToken = answer.refresh_token ?? refreshToken;
  };

  return {
    access: async () => accessToken,
    renew: async (rejected) => {
      if (rejected === accessToken) {
        pending ??= refresh().finally(() => {
          pending = undefined;
        });
        await pending;
      }
      return accessToken;
    },
  };
}
