import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import { exampleId, id, name, nullableTimestamp, recordId, text, wireSchemas } from '#fields';
import { none, one, operation } from '#operation';

const MAX_PARAMETER = 8_192;

const initBody = z
  .strictObject({
    provider: z
      .string()
      .min(1)
      .max(50)
      .register(wireSchemas, { schema: { type: 'string', pattern: '^(gmail|google_drive|notion)$' } })
      .meta({ description: '`gmail`, `google_drive` or `notion`.', examples: ['notion'] }),
    redirectUri: z.string().min(1).max(2_048).optional().meta({
      description: 'The URL to redirect the user to after the authorization. Without it, the callback returns JSON.',
    }),
    connectorId: id.optional().meta({ description: 'An existing connector to authorize.' }),
    name: name.optional().meta({ description: 'The name of a new connector.' }),
    collection: id.optional().meta({ description: 'The id of the collection of a new connector.' }),
  })
  .meta({ examples: [{ provider: 'notion', name: 'Wiki', collection: exampleId('collection') }] });

const startedSchema = z
  .object({
    authorizationUrl: text("The provider's URL. Open it in the user's browser."),
    state: text('The state of the authorization. The provider returns it to the callback.'),
    connectorId: recordId('connector'),
    expiresAt: nullableTimestamp('When the authorization expires.'),
  })
  .meta({
    id: 'BegunAuthorization',
    description: 'A started authorization, which the user must approve.',
    examples: [
      {
        authorizationUrl: 'https://api.notion.com/v1/oauth/authorize?state=s',
        state: 's',
        connectorId: exampleId('connector'),
        expiresAt: '2026-11-21T10:10:00.000Z',
      },
    ],
  });

const completedSchema = z
  .object({
    connectorId: recordId('connector'),
    provider: text('The provider.', 'notion'),
    status: z
      .enum(['success', 'error'])
      .meta({ id: 'AuthorizationStatus', description: 'Whether the connector is authorized.' }),
    message: z.string().optional().meta({ description: 'Why the authorization failed.' }),
  })
  .meta({
    id: 'CompletedAuthorization',
    description: 'The result of an authorization.',
    examples: [{ connectorId: exampleId('connector'), provider: 'notion', status: 'success' }],
  });

const once = z.string('must occur exactly once').max(MAX_PARAMETER);

// Providers send additional parameters, for example scope and iss.
const callbackQuery = z.object({
  state: once.meta({ description: 'The state from `POST /api/v1/oauth/init`.', examples: ['s'] }),
  code: once.optional().meta({ description: 'The authorization code of the provider.' }),
  error: once.optional().meta({ description: 'Why the user or the provider denied the authorization.' }),
  confirm: once.optional().meta({ description: 'Set by the link on the confirmation page.' }),
});

export type CallbackQuery = z.output<typeof callbackQuery>;

export const initOAuth = operation({
  id: 'initOAuth',
  method: 'post',
  path: '/api/v1/oauth/init',
  summary: 'Start an authorization',
  description: 'Starts the OAuth authorization of an existing or a new connector. Send the user to `authorizationUrl`.',
  access: 'secret',
  params: none,
  query: none,
  body: jsonBody(initBody),
  success: 200,
  response: one(startedSchema),
  errors: ['upstream_error'],
  returnsSecret: true,
});

export const completeOAuth = operation({
  id: 'completeOAuth',
  method: 'get',
  path: '/api/v1/oauth/callback/{provider}',
  summary: 'Complete an authorization',
  description:
    'The URL to which a provider redirects the user. It needs no key, because `state` authenticates the request. A browser that did not start the authorization must confirm it first.',
  access: 'open',
  params: z.object({
    provider: z
      .string()
      .max(50)
      .regex(/^\w+$/, 'must be the name of a provider')
      .meta({ description: 'The name of the provider.', examples: ['notion'] }),
  }),
  query: callbackQuery,
  body: withoutBody,
  success: 200,
  response: one(completedSchema),
  redirects: true,
  addressLimit: 'oauthCallbacks',
  errors: ['not_found', 'conflict', 'rate_limited', 'upstream_error', 'timeout'],
});
