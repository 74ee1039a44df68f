import { answerCloud } from '#emulators/confluence/confluence-cloud';
import { answerDataCenter, DATA_CENTER_CONTEXT } from '#emulators/confluence/confluence-data-center';
import { type ConfluenceModel, createConfluenceModel } from '#emulators/confluence/confluence-model';
import { type ConfluenceState, errorV1, errorV2 } from '#emulators/confluence/confluence-responses';
import { createPageTokens } from '#emulators/platform/page-tokens';
import { type PlatformServer, startPlatformServer } from '#emulators/platform/platform-server';

export interface ConfluenceServer extends PlatformServer {
  readonly model: ConfluenceModel;
  /** The `instanceUrl` of a connector. */
  readonly instanceUrl: string;
  readonly email: string;
  readonly apiToken: string;
  readonly token: string;
  /** Makes the credentials invalid. */
  revoke(): void;
  /** Invalidates all cursors. */
  expireCursors(): void;
}

export interface ConfluenceServerOptions {
  readonly edition?: 'cloud' | 'data_center';
  /** The maximum page size; default 100. */
  readonly pageSize?: number;
  /** Page lists with a larger limit return a 500; default 100. */
  readonly heaviestLimit?: number;
  /** Lists start with an empty page that has a `next`. */
  readonly emptyPages?: boolean;
}

/** Confluence: Cloud at `/wiki`, or a Data Center at `/confluence`. */
export async function startConfluenceServer(options: ConfluenceServerOptions = {}): Promise<ConfluenceServer> {
  const cloud = (options.edition ?? 'cloud') === 'cloud';
  const email = 'sync@example.com';
  const apiToken = 'ATATT-emulator-api-token';
  const token = 'emulator-personal-access-token';
  const accepted = cloud ? `Basic ${Buffer.from(`${email}:${apiToken}`).toString('base64')}` : `Bearer ${token}`;
  const cursors = createPageTokens<number>();
  let revoked = false;
  let origin = '';
  const state: ConfluenceState = {
    model: createConfluenceModel(),
    cursors,
    origin: () => origin,
    pageSize: options.pageSize ?? 100,
    heaviestLimit: options.heaviestLimit ?? 100,
    emptyPages: options.emptyPages ?? false,
  };
  const refuse = (status: number, message: string) =>
    cloud ? errorV2(status, 'INJECTED', message) : errorV1(status, message);
  const server = await startPlatformServer({
    refuse,
    answer: (request) => {
      if (revoked || request.headers.authorization !== accepted) {
        return refuse(401, `Unauthorized; got ${request.headers.authorization}`);
      }
      return cloud ? answerCloud(state, request) : answerDataCenter(state, request);
    },
  });
  origin = server.origin;
  return {
    ...server,
    requests: server.requests,
    model: state.model,
    instanceUrl: cloud ? server.origin : `${server.origin}${DATA_CENTER_CONTEXT}`,
    email,
    apiToken,
    token,
    revoke: () => {
      revoked = true;
    },
    expireCursors: () => cursors.expireAll(),
  };
}
