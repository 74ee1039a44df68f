import { randomUUID } from 'node:crypto';
import { download } from '#emulators/microsoft-365/drive-routes';
import { createGraphModel, type GraphModel } from '#emulators/microsoft-365/graph-model';
import { type DeltaPlace, type GraphState, graphError, graphRefusal } from '#emulators/microsoft-365/graph-responses';
import { answerGraph } from '#emulators/microsoft-365/graph-routes';
import { createPageTokens } from '#emulators/platform/page-tokens';
import {
  jsonResponse,
  type PlatformRequest,
  type PlatformResponse,
  type PlatformServer,
  startPlatformServer,
} from '#emulators/platform/platform-server';

const HOST = 'example.sharepoint.com';

export interface GraphServer extends PlatformServer {
  readonly model: GraphModel;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The number of sign-ins. */
  readonly signIns: number;
  /** Invalidates all tokens. */
  expireTokens(): void;
  /** Sets `expires_in` of new tokens. */
  setLifetime(seconds: number): void;
  /** Expires the links of lists and changes. */
  expireLinks(): void;
  /** Expires the addresses of content. */
  expireDownloads(): void;
  /** Returns items several times, and first in an outdated state. */
  repeatItems(repeats: boolean): void;
  /** Denies access to paths below `/v1.0/`. */
  deny(paths: RegExp | undefined): void;
  /** Plans errors of requests in batches, by their URL. */
  failInBatch(fault?: GraphState['batchFault']): void;
}

export interface GraphServerOptions {
  /** The maximum page size; default 200. */
  readonly pageSize?: number;
  /** The maximum number of replies that a list returns with a message; default 1,000. */
  readonly replyPageSize?: number;
}

/** https://learn.microsoft.com/en-us/entra/identity-platform/reference-error-codes */
const loginError = (status: number, error: string, code: number, message: string) =>
  jsonResponse(status, {
    ...{ error, error_description: `AADSTS${code}: ${message} Trace ID: 0 Correlation ID: 0`, error_codes: [code] },
    ...{ timestamp: '2026-03-01 08:00:00Z', trace_id: '0', correlation_id: '0' },
  });

/**
 * Microsoft Graph v1.0 and the token endpoint of Entra ID: SharePoint sites, OneDrive, teams,
 * mailboxes, users and groups.
 * https://learn.microsoft.com/en-us/graph/api/overview
 * https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 */
export async function startGraphServer(options: GraphServerOptions = {}): Promise<GraphServer> {
  const app = {
    tenantId: '72f988bf-86f1-41af-91ab-2d7cd011db47',
    clientId: '6731de76-14a6-49ae-97bc-6eba6914391e',
    clientSecret: 'graph-emulator-client-secret',
  };
  const tokens = new Set<string>();
  let lifetimeSeconds = 3_599;
  let signIns = 0;
  const state: GraphState = {
    model: createGraphModel(HOST),
    tenantId: app.tenantId,
    origin: '',
    pageSize: options.pageSize ?? 200,
    replyPageSize: options.replyPageSize ?? 1_000,
    pages: createPageTokens<number>(),
    deltas: createPageTokens<DeltaPlace>(),
    downloads: new Map(),
    repeatsItems: false,
    denied: undefined,
    batchFault: () => undefined,
  };

  const signIn = (request: PlatformRequest, tenant: string): PlatformResponse => {
    const form = new URLSearchParams(request.body);
    if (request.method !== 'POST') return loginError(400, 'invalid_request', 900561, 'Only POST is accepted.');
    if (tenant !== app.tenantId) return loginError(400, 'invalid_request', 90002, `Tenant '${tenant}' not found.`);
    if (form.get('grant_type') !== 'client_credentials') {
      return loginError(400, 'unsupported_grant_type', 70003, 'The grant type is not supported.');
    }
    if (form.get('scope') !== 'https://graph.microsoft.com/.default') {
      return loginError(400, 'invalid_scope', 1002012, 'The scope is not valid.');
    }
    if (form.get('client_id') !== app.clientId) {
      return loginError(400, 'unauthorized_client', 700016, 'Application was not found in the directory.');
    }
    if (form.get('client_secret') !== app.clientSecret) {
      return loginError(401, 'invalid_client', 7000215, 'Invalid client secret provided.');
    }
    signIns += 1;
    const token = `graph-${randomUUID()}`;
    tokens.add(token);
    return jsonResponse(200, {
      ...{ token_type: 'Bearer', expires_in: lifetimeSeconds, ext_expires_in: lifetimeSeconds, access_token: token },
    });
  };

  const server = await startPlatformServer({
    refuse: graphRefusal,
    answer: (request) => {
      const [, tenant] = /^\/([^/]+)\/oauth2\/v2\.0\/token$/.exec(request.path) ?? [];
      if (tenant !== undefined) return signIn(request, tenant);
      const [, content] = /^\/download\/([^/]+)$/.exec(request.path) ?? [];
      if (content !== undefined) return download(state, request, content);
      const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      if (!tokens.has(token)) {
        return graphError(401, 'InvalidAuthenticationToken', 'Lifetime validation failed, the token is expired.');
      }
      if (!request.path.startsWith('/v1.0/')) return graphError(404, 'BadRequest', 'Unknown version.');
      return answerGraph(state, request);
    },
  });
  state.origin = server.origin;
  return {
    ...server,
    ...app,
    model: state.model,
    get signIns() {
      return signIns;
    },
    expireTokens: () => tokens.clear(),
    setLifetime: (seconds) => {
      lifetimeSeconds = seconds;
    },
    expireLinks: () => {
      state.deltas.expireAll();
      state.pages.expireAll();
    },
    expireDownloads: () => state.downloads.clear(),
    repeatItems: (repeats) => {
      state.repeatsItems = repeats;
    },
    deny: (paths) => {
      state.denied = paths;
    },
    failInBatch: (fault = () => undefined) => {
      state.batchFault = fault;
    },
  };
}
