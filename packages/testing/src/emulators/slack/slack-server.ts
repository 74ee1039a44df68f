import { createPageTokens } from '#emulators/platform/page-tokens';
import {
  jsonResponse,
  type PlatformRequest,
  type PlatformResponse,
  type PlatformServer,
  startPlatformServer,
} from '#emulators/platform/platform-server';
import { slackMethods } from '#emulators/slack/slack-methods';
import { createSlackModel, type SlackModel } from '#emulators/slack/slack-model';
import { openDirect } from '#emulators/slack/slack-posting';
import { createSlackSockets, type SlackSockets } from '#emulators/slack/slack-sockets';
import { SlackError, type SlackState, type SlackView, type SlackWhisper } from '#emulators/slack/slack-state';

export interface SlackServer extends PlatformServer {
  readonly model: SlackModel;
  /** The value of `SLACK_API_URL`. */
  readonly apiUrl: string;
  readonly token: string;
  /** The scopes of the app; initially all required ones. */
  readonly scopes: Set<string>;
  /** The app-level token of Socket Mode. */
  readonly appToken: string;
  readonly sockets: SlackSockets;
  /** The dialogs that the app opened, and what it showed to one person each. */
  readonly views: readonly SlackView[];
  readonly whispers: readonly SlackWhisper[];
  /** The triggers that can still open a dialog. */
  readonly triggers: Set<string>;
  /** Returns the channel of the direct messages of the app with a person. */
  direct(user: string): string;
  /** Makes the token invalid. */
  revoke(): void;
  /** Invalidates all cursors. */
  expireCursors(): void;
}

export interface SlackServerOptions {
  /** The maximum page size; default 100. */
  readonly pageSize?: number;
  /** True for an app that answers questions instead of one that reads channels. */
  readonly answers?: boolean;
}

const SCOPES = [
  'channels:history',
  'channels:read',
  'groups:history',
  'groups:read',
  'users:read',
  'users:read.email',
  'files:read',
];

/** The scopes of an app that answers questions. */
const APP_SCOPES = [
  'app_mentions:read',
  'im:history',
  'chat:write',
  'im:write',
  'users:read',
  'users:read.email',
  'channels:read',
  'groups:read',
];

const SIGN_IN =
  '<!DOCTYPE html><html><head><title>Sign in to Lectern | Slack</title></head><body>Sign in</body></html>';

function argumentsOf(request: PlatformRequest): URLSearchParams | undefined {
  if (request.method === 'GET') return request.query;
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) return new URLSearchParams(request.body);
  if (!type.startsWith('application/json')) return undefined;
  const fields: readonly (readonly [string, unknown])[] = Object.entries(JSON.parse(request.body));
  return new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]));
}

/** Slack's Web API at `/api/`, and files of messages at `/files-pri/`. */
export async function startSlackServer(options: SlackServerOptions = {}): Promise<SlackServer> {
  const token = 'xoxb-emulator-token';
  const cursors = createPageTokens<number>();
  const appToken = 'xapp-1-emulator-token';
  const scopes = new Set(options.answers === true ? APP_SCOPES : SCOPES);
  let revoked = false;
  let origin = '';
  const state: SlackState = {
    model: createSlackModel(),
    cursors,
    origin: () => origin,
    pageSize: options.pageSize ?? 100,
    scopes,
    views: [],
    whispers: [],
    triggers: new Set(),
  };
  let sockets: SlackSockets | undefined;

  const method = (request: PlatformRequest): PlatformResponse => {
    const headers = { 'x-oauth-scopes': [...scopes].join(',') };
    const reply = (fields: Readonly<Record<string, unknown>>) => jsonResponse(200, fields, headers);
    if (request.path === '/api/apps.connections.open') {
      const isApp = request.headers.authorization === `Bearer ${appToken}`;
      return reply(isApp ? { ok: true, url: sockets?.open() } : { ok: false, error: 'invalid_auth' });
    }
    const run = slackMethods[request.path.replace(/^\/api\//, '')];
    if (run === undefined) return reply({ ok: false, error: 'unknown_method', req_method: request.path });
    const args = argumentsOf(request);
    if (args === undefined) return reply({ ok: false, error: 'invalid_post_type' });
    if (request.headers.authorization === undefined) return reply({ ok: false, error: 'not_authed' });
    if (request.headers.authorization !== `Bearer ${token}`) return reply({ ok: false, error: 'invalid_auth' });
    if (revoked) return reply({ ok: false, error: 'token_revoked' });
    try {
      return reply({ ok: true, ...run(state, args) });
    } catch (error) {
      if (error instanceof SlackError) return reply({ ok: false, error: error.message, ...error.fields });
      throw error;
    }
  };

  const download = (request: PlatformRequest): PlatformResponse => {
    const id = /^\/files-pri\/[^/]+-([^/-]+)\//.exec(request.path)?.[1] ?? '';
    const file = state.model.files.get(id);
    if (file === undefined) return { status: 404, headers: { 'content-type': 'text/html' }, body: 'Not found' };
    const allowed = request.headers.authorization === `Bearer ${token}` && !revoked && scopes.has('files:read');
    if (!allowed) return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: SIGN_IN };
    return { status: 200, headers: { 'content-type': file.mimetype }, body: file.bytes };
  };

  const server = await startPlatformServer({
    refuse: (status) => jsonResponse(status, { ok: false, error: status === 429 ? 'ratelimited' : 'internal_error' }),
    answer: (request) => (request.path.startsWith('/files-pri/') ? download(request) : method(request)),
  });
  origin = server.origin;
  sockets = createSlackSockets(server.http, () => origin);
  const opened = sockets;
  return {
    ...server,
    requests: server.requests,
    model: state.model,
    apiUrl: `${server.origin}/api/`,
    token,
    scopes,
    appToken,
    sockets: opened,
    views: state.views,
    whispers: state.whispers,
    triggers: state.triggers,
    direct: (user) => openDirect(state, user).id,
    stop: async () => {
      opened.stop();
      await server.stop();
    },
    revoke: () => {
      revoked = true;
    },
    expireCursors: () => cursors.expireAll(),
  };
}
