import type { OAuthApp } from '@lectern/connectors';
import { AppError } from '@lectern/service-kit';
import type { Config } from '#config';

interface AppSettings {
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  /** The names of the settings. */
  readonly names: readonly [id: string, secret: string];
}

const google = (config: Config): AppSettings => ({
  authUrl: config.GOOGLE_AUTH_URL,
  tokenUrl: config.GOOGLE_TOKEN_URL,
  clientId: config.GOOGLE_CLIENT_ID,
  clientSecret: config.GOOGLE_CLIENT_SECRET,
  names: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
});

/** The OAuth applications of this installation, by connector type. */
const APPS: Readonly<Record<string, (config: Config) => AppSettings>> = {
  gmail: google,
  google_drive: google,
  notion: (config) => ({
    authUrl: config.NOTION_AUTH_URL,
    tokenUrl: `${config.NOTION_API_URL}/v1/oauth/token`,
    clientId: config.NOTION_CLIENT_ID,
    clientSecret: config.NOTION_CLIENT_SECRET,
    names: ['NOTION_CLIENT_ID', 'NOTION_CLIENT_SECRET'],
  }),
};

/**
 * Returns the OAuth application of a connector type. Throws `unavailable`, with the missing
 * settings, if none is configured.
 */
export function findOAuthApp(config: Config, provider: string): OAuthApp {
  const { authUrl, tokenUrl, clientId, clientSecret, names } = APPS[provider]?.(config) ?? {};
  if (authUrl === undefined || tokenUrl === undefined || clientId === undefined || clientSecret === undefined) {
    const settings = names ?? [];
    throw new AppError(
      'unavailable',
      `No OAuth application is configured for ${provider}. Ask your administrator to set ${settings.join(' and ')}.`,
      { details: { provider, settings } },
    );
  }
  return { authUrl, tokenUrl, clientId, clientSecret };
}
