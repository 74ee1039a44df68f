import {
  type McpToolServer,
  type ModelServer,
  type NotionServer,
  type OpenAiTurn,
  type S3Server,
  type SlackServer,
  startMcpToolServer,
  startNotionServer,
  startOpenAiServer,
  startS3Server,
  startSlackServer,
} from '@lectern/testing';
import { type Lectern, startLectern } from '../support/start-lectern.ts';

/** Where people and providers reach the system. */
export const PUBLIC_URL = 'https://lectern.example.com';

/** A message for which the model calls the tool `refund` of the tool server `shop`. */
export const REFUND = 'Refund the order 1042.';
/** A question that the model never answers. */
export const SILENCE = 'Do not reply.';
export const MODEL = 'scripted';
/** A model that only a model endpoint of a team offers. */
export const OWN_MODEL = 'own-model';

/** A whole system and emulators of the external platforms. */
export interface TestSystem {
  readonly lectern: Lectern;
  readonly s3: S3Server;
  readonly slack: SlackServer;
  readonly tools: McpToolServer;
  /** The address of the OpenAI-compatible server. */
  readonly modelUrl: string;
  /** Authorizes the access as a user. Returns the query of the redirect from Notion. */
  authorize(authorizationUrl: string): Promise<string>;
  stop(): Promise<void>;
}

/** Calls a tool first, and replies when it has the result. */
function respond({ messages }: { readonly messages: readonly { role: string; content?: unknown }[] }): OpenAiTurn {
  if (messages.some(({ content }) => String(content).includes(SILENCE))) return { kind: 'silence' };
  const asked = messages.findLast(({ role }) => role === 'user');
  if (messages.at(-1)?.role !== 'tool' && String(asked?.content).includes(REFUND)) {
    const toolCalls = [{ name: 'shop__refund', input: { order: '1042' } }];
    return { kind: 'message', text: 'I refund it.', toolCalls };
  }
  if (messages.at(-1)?.role === 'tool') return { kind: 'message', text: 'Thirty days a year [1].' };
  const toolCalls = [{ name: 'search_documents', input: { query: 'days of leave' } }];
  return { kind: 'message', text: 'I look for it.', toolCalls };
}

const settingsOf = (notion: NotionServer, model: ModelServer<OpenAiTurn>, slack: SlackServer) => ({
  PUBLIC_URL,
  // The emulators run on this machine, which connectors can access only with EGRESS_ALLOW.
  EGRESS_ALLOW: '127.0.0.1,localhost',
  OPENAI_BASE_URL: `${model.origin}/v1`,
  OPENAI_MODELS: MODEL,
  CHAT_MODEL: 'builtin-extractive',
  SLACK_API_URL: slack.apiUrl,
  WEBHOOK_ALLOW_HTTP: 'true',
  NOTION_API_URL: notion.origin,
  NOTION_AUTH_URL: `${notion.origin}/v1/oauth/authorize`,
  NOTION_CLIENT_ID: notion.clientId,
  NOTION_CLIENT_SECRET: notion.clientSecret,
});

/** Starts the system and the emulators. */
export async function startSystem(): Promise<TestSystem> {
  const redirectUris = [`${PUBLIC_URL}/api/v1/oauth/callback/notion`];
  const servers = [
    await startS3Server(),
    await startNotionServer({ redirectUris }),
    await startOpenAiServer({ models: { [MODEL]: {}, [OWN_MODEL]: {} }, respond }),
    await startSlackServer({ answers: true }),
    await startMcpToolServer([
      {
        name: 'refund',
        inputSchema: { type: 'object', properties: { order: { type: 'string' } } },
        run: () => 'Refunded.',
      },
    ]),
  ] as const;
  const [s3, notion, model, slack, tools] = servers;
  const lectern = await startLectern(settingsOf(notion, model, slack));
  return {
    lectern,
    s3,
    slack,
    tools,
    modelUrl: `${model.origin}/v1`,
    authorize: async (authorizationUrl) => {
      const { headers } = await fetch(authorizationUrl, { redirect: 'manual' });
      return new URL(headers.get('location') ?? '').search;
    },
    stop: async () => {
      await lectern.stop();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** A request body for a connector to a bucket of the S3 emulator. */
export const bucketOf = ({ origin, bucket, region, accessKeyId, secretAccessKey }: S3Server) => ({
  type: 's3',
  config: { endpoint: origin, bucket, region },
  credentials: { accessKeyId, secretAccessKey },
});
