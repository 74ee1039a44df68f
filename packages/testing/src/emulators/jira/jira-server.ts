import { createJiraModel, type JiraModel } from '#emulators/jira/jira-model';
import { type JiraState, jiraError } from '#emulators/jira/jira-responses';
import { anonymousAnswer, answerJira } from '#emulators/jira/jira-routes';
import { createPageTokens } from '#emulators/platform/page-tokens';
import { type PlatformServer, startPlatformServer } from '#emulators/platform/platform-server';

/** The context path of the Data Center server. */
const DATA_CENTER_CONTEXT = '/jira';
/** The path of a site at Atlassian's gateway. */
const GATEWAY_CONTEXT = '/ex/jira/11223344-a1b2-3b33-c444-def123456789';

export interface JiraServer extends PlatformServer {
  readonly model: JiraModel;
  /** The `baseUrl` of a connector. */
  readonly baseUrl: string;
  readonly email: string;
  readonly apiToken: string;
  readonly token: string;
  /** Makes the credentials invalid. */
  revoke(): void;
  /** Invalidates all page tokens. */
  expireTokens(): void;
}

export interface JiraServerOptions {
  readonly edition?: 'cloud' | 'data_center';
  /** True if Cloud is served like at Atlassian's gateway. */
  readonly isGateway?: boolean;
  /** The maximum page size; default 100. */
  readonly pageSize?: number;
  /** Fields that projects hide, so that responses do not contain them. */
  readonly hiddenFields?: readonly string[];
  /** True if Cloud does not send the header that reports rejected credentials. */
  readonly hidesRejection?: boolean;
}

/** Jira: Cloud at the root or below the path of the gateway, or a Data Center at `/jira`. */
export async function startJiraServer(options: JiraServerOptions = {}): Promise<JiraServer> {
  const cloud = (options.edition ?? 'cloud') === 'cloud';
  const email = 'sync@example.com';
  const apiToken = 'ATATT-jira-emulator-api-token';
  const token = 'jira-emulator-personal-access-token';
  const accepted = cloud ? `Basic ${Buffer.from(`${email}:${apiToken}`).toString('base64')}` : `Bearer ${token}`;
  const cloudContext = options.isGateway ? GATEWAY_CONTEXT : '';
  const context = cloud ? cloudContext : DATA_CENTER_CONTEXT;
  let revoked = false;
  const state: JiraState = {
    model: createJiraModel(),
    cloud,
    tokens: createPageTokens<ReadonlySet<string>>(),
    pageSize: options.pageSize ?? 100,
    hiddenFields: new Set(options.hiddenFields),
  };
  const server = await startPlatformServer({
    refuse: (status, message) => jiraError(status, message),
    answer: (request) => {
      if (!request.path.startsWith(`${context}/rest/`)) return jiraError(404, 'Not Found');
      const inner = { ...request, path: request.path.slice(context.length) };
      if (!revoked && request.headers.authorization === accepted) return answerJira(state, inner);
      if (!cloud) return jiraError(401, 'You are not authenticated.');
      const anonymous = anonymousAnswer(inner);
      if (options.hidesRejection) return anonymous;
      return { ...anonymous, headers: { ...anonymous.headers, 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' } };
    },
  });
  return {
    ...server,
    requests: server.requests,
    model: state.model,
    baseUrl: `${server.origin}${context}`,
    email,
    apiToken,
    token,
    revoke: () => {
      revoked = true;
    },
    expireTokens: () => state.tokens.expireAll(),
  };
}
