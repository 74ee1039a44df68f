import * as methods from '#emulators/google-drive/drive-methods';
import { createDriveModel, type DriveModel } from '#emulators/google-drive/drive-model';
import { driveRefusal, googleError } from '#emulators/google-drive/drive-responses';
import { createOAuthEmulator, type OAuthEmulator } from '#emulators/platform/oauth-emulator';
import { createPageTokens } from '#emulators/platform/page-tokens';
import { type PlatformResponse, type PlatformServer, startPlatformServer } from '#emulators/platform/platform-server';

export interface GoogleDriveServer extends PlatformServer {
  readonly model: DriveModel;
  readonly oauth: OAuthEmulator;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sets whether listings are marked as complete. */
  setIncompleteSearch(incomplete: boolean): void;
  /** Invalidates all page tokens. */
  expirePageTokens(): void;
  /** Expires all change tokens. */
  forgetChanges(): void;
}

export interface GoogleDriveServerOptions {
  /** The maximum page size; default 100. */
  readonly pageSize?: number;
  readonly redirectUris?: readonly string[];
}

const SCOPE = 'https://www.googleapis.com/auth/drive.readonly';

/** Google Drive v3, with the authorization page at `/o/oauth2/v2/auth` and the token endpoint at `/token`. */
export async function startGoogleDriveServer(options: GoogleDriveServerOptions = {}): Promise<GoogleDriveServer> {
  const client = { clientId: 'drive-app.apps.googleusercontent.com', clientSecret: 'drive-app-secret' };
  const oauth = createOAuthEmulator({
    ...client,
    redirectUris: options.redirectUris ?? [],
    clientAuthentication: 'body',
    tokenRequest: 'form',
    pkce: true,
    rotates: false,
    authorizeParameters: { scope: SCOPE, access_type: 'offline', prompt: 'consent' },
    lifetimeSeconds: 3_599,
    extra: { scope: SCOPE },
  });
  const model = createDriveModel();
  const pages = createPageTokens<string>();
  const state = { model, pages, pageSize: options.pageSize ?? 100, incompleteSearch: false, oldestChange: 0 };
  let origin = '';

  const server = await startPlatformServer({
    refuse: driveRefusal,
    answer: (request): PlatformResponse => {
      const { path } = request;
      if (path === '/o/oauth2/v2/auth') return oauth.authorize(request);
      if (path === '/token') return oauth.token(request);
      if (!oauth.accepts(request.headers.authorization)) {
        return googleError(401, 'authError', 'Request had invalid authentication credentials.');
      }
      if (request.method !== 'GET') return googleError(403, 'insufficientPermissions', 'Insufficient Permission');
      const [id, sub] = path.replace(/^\/drive\/v3\/files\/?/, '').split('/');
      if (path === '/drive/v3/drives') return methods.listDrives(state, request);
      if (path === '/drive/v3/files') return methods.listFiles(state, request, origin);
      if (path === '/drive/v3/changes') return methods.listChanges(state, request, origin);
      if (path === '/drive/v3/changes/startPageToken') return methods.startPageToken(state, request);
      if (!path.startsWith('/drive/v3/files/') || id === undefined) return googleError(404, 'notFound', 'Not Found');
      if (sub === undefined) return methods.getFile(state, request, id, origin);
      if (sub === 'export') return methods.exportFile(state, request, id);
      if (sub === 'permissions') return methods.listPermissions(state, request, id);
      return googleError(404, 'notFound', 'Not Found');
    },
  });
  origin = server.origin;
  return {
    ...server,
    ...client,
    model,
    oauth,
    setIncompleteSearch: (incomplete) => {
      state.incompleteSearch = incomplete;
    },
    expirePageTokens: () => pages.expireAll(),
    forgetChanges: () => {
      state.oldestChange = model.changes.length;
    },
  };
}
