import * as methods from '#emulators/gmail/gmail-methods';
import { createGmailMailbox, type GmailMailbox } from '#emulators/gmail/gmail-model';
import { createDelegation, type Delegation } from '#emulators/google/delegation';
import { answerDirectory, directoryScopes, isDirectoryPath } from '#emulators/google/directory-methods';
import { addressesOf, createDirectoryModel, type DirectoryModel } from '#emulators/google/directory-model';
import { googleError, googleRefusal, refuse } from '#emulators/google/google-responses';
import { createOAuthEmulator, type OAuthEmulator } from '#emulators/platform/oauth-emulator';
import { createPageTokens } from '#emulators/platform/page-tokens';
import {
  type PlatformRequest,
  type PlatformResponse,
  type PlatformServer,
  startPlatformServer,
} from '#emulators/platform/platform-server';

const SCOPE = 'https://www.googleapis.com/auth/gmail.readonly';
const PATH = '/gmail/v1/users/';

export interface GmailServer extends PlatformServer {
  readonly directory: DirectoryModel;
  /** The service account and its delegation. */
  readonly delegation: Delegation;
  readonly oauth: OAuthEmulator;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Returns the mailbox of a user of the directory by id, which exists even while the user does not. */
  mailbox(userId: string): GmailMailbox;
  /** Invalidates all page tokens. */
  expirePageTokens(): void;
}

export interface GmailServerOptions {
  /** The maximum page size; default 500. */
  readonly pageSize?: number;
  readonly redirectUris?: readonly string[];
}

/** Gmail v1 and the Directory API, with the authorization page at `/o/oauth2/v2/auth` and the token endpoint at `/token`. */
export async function startGmailServer(options: GmailServerOptions = {}): Promise<GmailServer> {
  const client = { clientId: 'gmail-app.apps.googleusercontent.com', clientSecret: 'gmail-app-secret' };
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
  const directory = createDirectoryModel();
  const admin = 'ada@example.com';
  directory.putUser({ id: '100000001', primaryEmail: admin, isAdmin: true });
  const delegation = createDelegation(directory, [SCOPE]);
  const mailboxes = new Map<string, GmailMailbox>();
  const mailbox = (userId: string): GmailMailbox => {
    const found = mailboxes.get(userId) ?? createGmailMailbox(userId);
    mailboxes.set(userId, found);
    return found;
  };
  const pages = createPageTokens<string>();
  const attachments = new Map<string, Uint8Array>();
  const pageSize = options.pageSize ?? 500;

  const answerGmail = (request: PlatformRequest, subject: string): PlatformResponse => {
    const [userId = '', resource, id, sub, subId, ...more] = request.path.slice(PATH.length).split('/');
    const user = directory.findActive(subject) ?? refuse(401, 'authError', 'Invalid Credentials');
    if (userId !== 'me' && !addressesOf(user).includes(userId.toLowerCase())) {
      refuse(403, 'forbidden', `Delegation denied for ${user.primaryEmail}`);
    }
    const state = { mailbox: mailbox(user.id), email: user.primaryEmail, pages, pageSize, attachments };
    if (state.mailbox.isOff) refuse(400, 'failedPrecondition', 'Mail service not enabled');
    if (more.length === 0 && resource === 'messages' && id && sub === 'attachments' && subId) {
      return methods.getAttachment(state, request, { message: id, id: subId });
    }
    if (sub === undefined && id === undefined) {
      if (resource === 'profile') return methods.getProfile(state, request);
      if (resource === 'labels') return methods.listLabels(state, request);
      if (resource === 'threads') return methods.listThreads(state, request);
      if (resource === 'history') return methods.listHistory(state, request);
    }
    if (sub === undefined && id !== undefined) {
      if (resource === 'threads') return methods.getThread(state, request, id);
      if (resource === 'messages') return methods.getMessage(state, request, id);
    }
    return refuse(404, 'notFound', 'Not Found');
  };

  const server = await startPlatformServer({
    refuse: googleRefusal,
    answer: (request): PlatformResponse => {
      const { path } = request;
      if (path === '/o/oauth2/v2/auth') return oauth.authorize(request);
      if (path === '/token') return delegation.token(request) ?? oauth.token(request);
      const grant = delegation.find(request.headers.authorization);
      if (grant === undefined && !oauth.accepts(request.headers.authorization)) {
        return googleError(401, 'authError', 'Request had invalid authentication credentials.');
      }
      const user = oauth.subjectOf(request.headers.authorization) ?? admin;
      const { subject, scopes } = grant ?? { subject: user, scopes: [SCOPE] };
      const needed = isDirectoryPath(path) ? directoryScopes(path) : [SCOPE];
      if (request.method !== 'GET' || !needed.some((scope) => scopes.includes(scope))) {
        return googleError(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.');
      }
      if (isDirectoryPath(path)) {
        return answerDirectory({ directory, pages, pageSize }, request, directory.findActive(subject));
      }
      return path.startsWith(PATH) ? answerGmail(request, subject) : googleError(404, 'notFound', 'Not Found');
    },
  });
  return { ...server, ...client, directory, delegation, oauth, mailbox, expirePageTokens: () => pages.expireAll() };
}
