import { z } from 'zod';
import { jsonBody, optionalJsonBody, withoutBody } from '#body';
import {
  anyObject,
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  flag,
  idIn,
  idParams,
  name,
  noFields,
  ownId,
  pageQuery,
  recordId,
  text,
  updatedAt,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

const MAX_CHANNELS = 200;
const MAX_COLLECTIONS = 20;
const MAX_TEXT = 40_000;
/** Completes “This API key may not …”. */
const MANAGE = 'manage Slack apps';

const transport = z.enum(['http', 'socket']).meta({
  id: 'SlackTransport',
  description:
    'How events reach Lectern. `http`: Slack sends them to `PUBLIC_URL`, which must be reachable from the internet. `socket`: Lectern opens a WebSocket to Slack (Socket Mode).',
});

const channelId = z.string().regex(/^[CG][A-Z0-9]{2,29}$/, 'must be the id of a channel, for example C0123456789');

const token = (start: string, what: string) =>
  z
    .string()
    .trim()
    .max(500)
    .regex(new RegExp(`^${start}[A-Za-z0-9-]{1,480}$`), `must be ${what}, which begins with ${start}`);

const settings = {
  name: name.meta({ description: 'The name of the app in Lectern.', examples: ['Slack'] }),
  transport,
  collections: z
    .array(idIn('collection'))
    .max(MAX_COLLECTIONS)
    .meta({ description: 'The collections to answer from. Empty for everything that the person may read.' }),
  agentId: idIn('agent').nullable().meta({ description: 'The agent that answers. Null to answer without one.' }),
  channels: z
    .array(channelId)
    .max(MAX_CHANNELS)
    .meta({
      description:
        'The ids of the channels in which it may post. Replies there contain only documents that are `public`. Everywhere else, it answers in direct messages.',
      examples: [['C0123456789']],
    }),
  isEnabled: z.boolean().meta({ description: 'False to stop the app without deleting it.' }),
};

const secrets = {
  botToken: token('xoxb-', 'a bot token').meta({
    description: 'The “Bot User OAuth Token”. It is stored encrypted and never returned.',
  }),
  signingSecret: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{16,128}$/, 'must be the signing secret of the app')
    .meta({
      description: 'The “Signing Secret”. Required for `http`. It is stored encrypted and never returned.',
    }),
  appToken: token('xapp-', 'an app-level token').meta({
    description:
      'The app-level token with the scope `connections:write`. Required for `socket`. It is stored encrypted and never returned.',
  }),
};

const EXAMPLE_SETTINGS = {
  name: 'Slack',
  transport: 'http',
  collections: [],
  agentId: null,
  channels: ['C0123456789'],
  isEnabled: true,
};
const EXAMPLE_SECRETS = { botToken: 'xoxb-your-token', signingSecret: '0123456789abcdef0123456789abcdef' };

const slackAppSchema = z
  .object({
    id: ownId('slackApp'),
    ...settings,
    agentId: recordId('agent')
      .nullable()
      .meta({ description: 'The id of the agent that answers. Null to answer without one.' }),
    workspaceId: text('The id of the workspace.', 'T0123456789'),
    workspaceName: text('The name of the workspace.', 'Example'),
    botUserId: text('The id of the app’s user in the workspace.', 'U0123456789'),
    status: z.enum(['active', 'failed']).meta({
      id: 'SlackAppStatus',
      description: '`failed`: Slack rejects the token, or the app was uninstalled. New tokens make it work again.',
    }),
    statusReason: z.string().nullable().meta({ description: 'Why it failed, and what to do. Null if it is active.' }),
    isConnected: flag('True while a WebSocket to Slack is open. Always false for `http`.'),
    createdAt,
    updatedAt,
  })
  .meta({
    id: 'SlackApp',
    description: 'A Slack app that answers the people of the team.',
    examples: [
      {
        id: exampleId('slackApp'),
        ...EXAMPLE_SETTINGS,
        workspaceId: 'T0123456789',
        workspaceName: 'Example',
        botUserId: 'U0123456789',
        status: 'active',
        statusReason: null,
        isConnected: false,
        createdAt: EXAMPLE_TIME,
        updatedAt: EXAMPLE_TIME,
      },
    ],
  });

const newSlackApp = z
  .strictObject({
    ...settings,
    collections: settings.collections.default([]),
    agentId: settings.agentId.default(null),
    channels: settings.channels.default([]),
    isEnabled: settings.isEnabled.default(true),
    botToken: secrets.botToken,
    signingSecret: secrets.signingSecret.optional(),
    appToken: secrets.appToken.optional(),
  })
  .meta({ id: 'NewSlackApp', examples: [{ ...EXAMPLE_SETTINGS, ...EXAMPLE_SECRETS }] });

export type NewSlackApp = z.output<typeof newSlackApp>;

const changes = z
  .strictObject({ ...settings, ...secrets })
  .partial()
  .meta({ id: 'SlackAppChanges', examples: [{ channels: ['C0123456789'] }] });

export type SlackAppChanges = z.output<typeof changes>;

const BASE = { access: 'secret', fullScopeTo: MANAGE } as const;

export const listSlackApps = operation({
  ...BASE,
  id: 'listSlackApps',
  method: 'get',
  path: '/api/v1/slack-apps',
  summary: 'List Slack apps',
  description: 'Lists the Slack apps of the team by name.',
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(slackAppSchema)),
});

export const createSlackApp = operation({
  ...BASE,
  id: 'createSlackApp',
  method: 'post',
  path: '/api/v1/slack-apps',
  summary: 'Add a Slack app',
  description:
    'Adds a Slack app that is installed in a workspace. Lectern checks the tokens first. People ask it as themselves: see docs/integrations/slack.md for who reads a reply.',
  params: none,
  query: none,
  body: jsonBody(newSlackApp),
  success: 201,
  response: one(slackAppSchema),
  errors: ['conflict', 'unavailable'],
});

export const getSlackApp = operation({
  ...BASE,
  id: 'getSlackApp',
  method: 'get',
  path: '/api/v1/slack-apps/{id}',
  summary: 'Get a Slack app',
  description: 'Returns a Slack app of the team, without its secrets.',
  params: idParams('slackApp'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(slackAppSchema),
});

export const updateSlackApp = operation({
  ...BASE,
  id: 'updateSlackApp',
  method: 'put',
  path: '/api/v1/slack-apps/{id}',
  summary: 'Update a Slack app',
  description:
    'Changes the given settings. Secrets that the request omits stay. New tokens must belong to the same app and workspace.',
  params: idParams('slackApp'),
  query: none,
  body: jsonBody(changes),
  success: 200,
  response: one(slackAppSchema),
  errors: ['conflict', 'unavailable'],
});

export const deleteSlackApp = operation({
  ...BASE,
  id: 'deleteSlackApp',
  method: 'delete',
  path: '/api/v1/slack-apps/{id}',
  summary: 'Delete a Slack app',
  description: 'Deletes a Slack app. Its conversations stay. Uninstall it in Slack too.',
  params: idParams('slackApp'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

const testSchema = z
  .object({
    success: flag('True if Slack accepts the tokens and the app has all scopes.'),
    missingScopes: z.array(z.string()).meta({ description: 'Scopes that the app lacks.' }),
    message: text('What works or what to do.'),
  })
  .meta({
    id: 'SlackTest',
    description: 'The result of a test.',
    examples: [{ success: true, missingScopes: [], message: 'Connected to Example.' }],
  });

export const testSlackApp = operation({
  ...BASE,
  id: 'testSlackApp',
  method: 'post',
  path: '/api/v1/slack-apps/{id}/test',
  summary: 'Test a Slack app',
  description: 'Checks the stored tokens and the scopes of the app.',
  params: idParams('slackApp'),
  query: none,
  body: optionalJsonBody(noFields),
  success: 200,
  response: one(testSchema),
  errors: ['unavailable'],
});

const postedSchema = z
  .object({
    channel: text('The id of the channel.', 'C0123456789'),
    ts: text('The timestamp of the message, which identifies it in the channel.', '1700000000.000100'),
  })
  .meta({
    id: 'SlackMessage',
    description: 'A posted message.',
    examples: [{ channel: 'C0123456789', ts: '1700000000.000100' }],
  });

const newMessage = z
  .strictObject({
    channel: channelId.meta({ description: 'The id of an allowed channel.', examples: ['C0123456789'] }),
    text: z
      .string()
      .trim()
      .min(1)
      .max(MAX_TEXT)
      .meta({ description: 'The text as Markdown. It cannot mention anybody.', examples: ['**Report:** all green.'] }),
  })
  .meta({ id: 'NewSlackMessage', examples: [{ channel: 'C0123456789', text: '**Report:** all green.' }] });

export const postSlackMessage = operation({
  ...BASE,
  id: 'postSlackMessage',
  method: 'post',
  path: '/api/v1/slack-apps/{id}/messages',
  summary: 'Post a message to a channel',
  description:
    'Posts a text to one of the allowed channels of the app. Channels with guests or other organizations are rejected (403). Everybody in the channel can read it.',
  params: idParams('slackApp'),
  query: none,
  body: jsonBody(newMessage),
  success: 201,
  response: one(postedSchema),
  errors: ['conflict', 'upstream_error', 'unavailable'],
});

const manifestSchema = z.object({ manifest: anyObject }).meta({
  id: 'SlackManifest',
  description: 'The manifest of a Slack app, to paste at https://api.slack.com/apps.',
  examples: [{ manifest: { display_information: { name: 'Lectern' } } }],
});

export const getSlackManifest = operation({
  ...BASE,
  id: 'getSlackManifest',
  method: 'get',
  path: '/api/v1/slack-manifest',
  summary: 'Get the manifest of a Slack app',
  description: 'Returns a manifest with the scopes and events that Lectern needs, for a new app in Slack.',
  params: none,
  query: z.object({
    transport: transport.default('http').meta({ description: 'How events will reach Lectern.' }),
  }),
  body: withoutBody,
  success: 200,
  response: one(manifestSchema),
});
