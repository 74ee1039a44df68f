import { createOAuthEmulator, type OAuthEmulator } from '#emulators/platform/oauth-emulator';
import { jsonResponse, type PlatformServer, startPlatformServer } from '#emulators/platform/platform-server';

/** The token endpoint of a mail provider. */
export interface MailTokenServer extends PlatformServer {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Issues and checks tokens. */
  readonly oauth: OAuthEmulator;
}

const PATH = '/tenant/oauth2/v2.0/token';

/**
 * Starts a token endpoint for users, whose refresh tokens it replaces, and for applications.
 * https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 * https://learn.microsoft.com/en-us/entra/identity-platform/refresh-tokens
 * https://developers.google.com/identity/protocols/oauth2/web-server#offline
 */
export async function startMailTokenServer(): Promise<MailTokenServer> {
  const client = { clientId: 'mail-client', clientSecret: 'mail-client-secret' };
  const oauth = createOAuthEmulator({
    ...client,
    redirectUris: [],
    clientAuthentication: 'body',
    tokenRequest: 'form',
    pkce: false,
    rotates: true,
    authorizeParameters: {},
    lifetimeSeconds: 3_600,
    applicationScope: 'https://outlook.office365.com/.default',
  });
  const refuse = (status: number, message: string) => jsonResponse(status, { error: message });
  const server = await startPlatformServer({
    answer: (request) => (request.path === PATH ? oauth.token(request) : refuse(404, 'not_found')),
    refuse,
  });
  return Object.assign(server, { ...client, oauth, tokenUrl: `${server.origin}${PATH}` });
}
