import type { OAuthGrant, PlatformServer } from '@lectern/testing';
import { z } from 'zod';
import type { OAuthProvider, TokenSource } from '#oauth/oauth-provider';
import { SourceError } from '#source-error';

const TokenResponse = z.object({ access_token: z.string(), refresh_token: z.string().optional() });

/**
 * Creates the tokens of one user. Refreshes them at an emulator's token endpoint, once at a time.
 */
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
    if (!response.ok) throw new SourceError('auth', `The token refresh failed: ${await response.text()}`);
    const tokens = TokenResponse.parse(await response.json());
    accessToken = tokens.access_token;
    refreshToken = tokens.refresh_token ?? refreshToken;
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
