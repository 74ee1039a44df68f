import { createDelegation, type Delegation } from '#emulators/google/delegation';
import { answerDirectory, directoryScopes, isDirectoryPath } from '#emulators/google/directory-methods';
import { googleError, googleRefusal, refuse } from '#emulators/google/google-responses';
import * as methods from '#emulators/google-drive/drive-methods';
import { createDriveModel, type DriveModel } from '#emulators/google-drive/drive-model';
import { createDriveDirectory, createViewer, type DriveDirectory, type Viewer } from '#emulators/google-drive/viewer';
import { createOAuthEmulator, type OAuthEmulator } from '#emulators/platform/oauth-emulator';
import { createPageTokens } from '#emulators/platform/page-tokens';
import { type PlatformResponse, type PlatformServer, startPlatformServer } from '#emulators/platform/platform-server';

export interface GoogleDriveServer extends PlatformServer {
  readonly model: DriveModel;
  readonly directory: DriveDirectory;
  /** The service account and its delegation. */
  readonly delegation: Delegation;
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

const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive.readonly';

/**
 * Returns the user of a service account's token. Throws if the token lacks the scope of the request.
 */
function viewerOf(path: string, subject: string, scopes: readonly string[], directory: DriveDirectory): Viewer {
  const needed = path.startsWith('/drive/v3/') ? [DRIVE_SCOPE] : directoryScopes(path);
  if (!needed.some((scope) => scopes.includes(scope))) {
    refuse(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.');
  }
  const user = directory.findActive(subject) ?? refuse(401, 'authError', 'Invalid Credentials');
  return createViewer(user, directory);
}

/** Google Drive v3 and the Directory API, with the authorization page at `/o/oauth2/v2/auth` and the token endpoint at `/token`. */
export async function startGoogleDriveServer(options: GoogleDriveServerOptions = {}): Promise<GoogleDriveServer> {
  const client = { clientId: 'drive-app.apps.googleusercontent.com', clientSecret: 'drive-app-secret' };
  const oauth = createOAuthEmulator({
    ...client,
    redirectUris: options.redirectUris ?? [],
    clientAuthentication: 'body',
    tokenRequest: 'form',
    pkce: true,
    rotates: false,
    authorizeParameters: { scope: DRIVE_SCOPE, access_type: 'offline', prompt: 'consent' },
    lifetimeSeconds: 3_599,
    extra: { scope: DRIVE_SCOPE },
  });
  const model = createDriveModel();
  const pages = createPageTokens<string>();
  const directory = createDriveDirectory();
  directory.putUser({ id: '100000001', primaryEmail: 'ada@example.com', isAdmin: true });
  const delegation = createDelegation(directory, [DRIVE_SCOPE]);
  const pageSize = options.pageSize ?? 100;
  const { driveMembers } = directory;
  const shared = { model, pages, pageSize, driveMembers, incompleteSearch: false, oldestChange: 0 };
  let origin = '';

  const server = await startPlatformServer({
    refuse: googleRefusal,
    answer: (request): PlatformResponse => {
      const { path } = request;
      if (path === '/o/oauth2/v2/auth') return oauth.authorize(request);
      if (path === '/token') return delegation.token(request) ?? oauth.token(request);
      const grant = delegation.find(request.headers.authorization);
      const viewer = grant && viewerOf(path, grant.subject, grant.scopes, directory);
      if (viewer === undefined && !oauth.accepts(request.headers.authorization)) {
        return googleError(401, 'authError', 'Request had invalid authentication credentials.');
      }
      if (request.method !== 'GET') return googleError(403, 'insufficientPermissions', 'Insufficient Permission');
      if (isDirectoryPath(path)) return answerDirectory({ directory, pages, pageSize }, request, viewer?.user);
      const state = { ...shared, viewer };
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
    directory,
    delegation,
    oauth,
    setIncompleteSearch: (incomplete) => {
      shared.incompleteSearch = incomplete;
    },
    expirePageTokens: () => pages.expireAll(),
    forgetChanges: () => {
      shared.oldestChange = model.changes.length;
    },
  };
}
