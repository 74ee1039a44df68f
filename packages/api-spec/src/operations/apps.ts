import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  idIn,
  idParams,
  nullableTimestamp,
  ownId,
  pageQuery,
  recordId,
  text,
  timestamp,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { MANAGE_PEOPLE } from '#operations/people';
import { APP_SCOPES } from '#roles';

const MAX_REQUEST = 4_000;

const scopes = z.array(
  z
    .enum(APP_SCOPES)
    .meta({ id: 'AppScope', description: 'What an app may do: the right of a key with the same name.' }),
);
const destination = z
  .object({
    kind: z.enum(['web', 'device', 'app']).meta({
      id: 'AppDestinationKind',
      description: 'A web site, a program on the device of the person, or an installed app.',
    }),
    name: text('The host, or the URL scheme of an installed app.', 'claude.ai'),
  })
  .meta({
    id: 'AppDestination',
    description: 'Where the browser goes with the response.',
    examples: [{ kind: 'web', name: 'claude.ai' }],
  });
const name = text('What the app calls itself. Lectern cannot check it.', 'Claude');
const publisher = z
  .string()
  .nullable()
  .meta({
    description: 'The host that publishes the description of the app. Null for an app that registered itself.',
    examples: ['claude.ai'],
  });
const person = z
  .object({ id: recordId('person'), name: text('The name of the person.'), email: text('The email address.') })
  .meta({
    id: 'AppPerson',
    description: 'The person whose access the app has.',
    examples: [{ id: exampleId('person'), name: 'Ada Lovelace', email: 'ada@example.com' }],
  });

const EXAMPLE_REQUEST = 'client_id=acl_01h455vb4pex5vsknk084sn02q&redirect_uri=https%3A%2F%2Fclaude.ai%2Fcallback';
const EXAMPLE_PERSON = { id: exampleId('person'), name: 'Ada Lovelace', email: 'ada@example.com' };
const EXAMPLE = {
  name: 'Claude',
  publisher: 'claude.ai',
  destination: { kind: 'web', name: 'claude.ai' },
  scopes: ['search', 'documents:read'],
};
const EXAMPLE_APP = {
  id: exampleId('app'),
  ...EXAMPLE,
  createdAt: EXAMPLE_TIME,
  lastUsedAt: EXAMPLE_TIME,
  expiresAt: EXAMPLE_TIME,
};

const request = z
  .string()
  .min(1)
  .max(MAX_REQUEST)
  .meta({ description: 'The query of the authorization request, as the app has sent it.' });

const requestSchema = z
  .object({
    name,
    publisher,
    destination,
    scopes: scopes.meta({ description: 'What the app asks for.' }),
    problem: z.string().nullable().meta({
      description: 'Why the request cannot be approved. Null if it can.',
    }),
    person,
  })
  .meta({
    id: 'AppRequest',
    description: 'What an app asks the signed-in person for.',
    examples: [{ ...EXAMPLE, problem: null, person: EXAMPLE_PERSON }],
  });

const answerSchema = z
  .object({ redirectTo: text('Where the browser goes next.', 'https://claude.ai/callback?code=lectern_ac_…') })
  .meta({
    id: 'AppAnswer',
    description: 'The result of an answer.',
    examples: [{ redirectTo: 'https://claude.ai/callback?code=lectern_ac_…' }],
  });

const app = {
  id: ownId('app'),
  name,
  publisher,
  destination,
  scopes: scopes.meta({ description: 'What the app may do.' }),
  createdAt,
  lastUsedAt: nullableTimestamp('When the app last sent a request. Null for never.'),
  expiresAt: timestamp('When the person has to connect the app again, at the latest.'),
};
const appSchema = z
  .object(app)
  .meta({ id: 'ConnectedApp', description: 'An app that a person connected.', examples: [EXAMPLE_APP] });
const ownedSchema = z.object({ ...app, person }).meta({
  id: 'TeamConnectedApp',
  description: 'An app that a person of the team connected.',
  examples: [{ ...EXAMPLE_APP, person: EXAMPLE_PERSON }],
});

const own = { access: 'secret', isForPeople: true, query: none } as const;

export const checkAppRequest = operation({
  ...own,
  id: 'checkAppRequest',
  method: 'post',
  path: '/api/v1/account/apps/check',
  summary: 'Check the request of an app',
  description:
    'Returns what an app asks the signed-in person for (OAuth 2.1). The page that asks for consent shows it. An unknown app or a redirect URI that the app has not registered is an error.',
  params: none,
  body: jsonBody(z.strictObject({ request }).meta({ id: 'AppRequestQuery', examples: [{ request: EXAMPLE_REQUEST }] })),
  success: 200,
  response: one(requestSchema),
  errors: ['not_found', 'upstream_error', 'unavailable'],
});

export const answerAppRequest = operation({
  ...own,
  id: 'answerAppRequest',
  method: 'post',
  path: '/api/v1/account/apps/answer',
  summary: 'Answer the request of an app',
  description:
    'Gives an app access to the account of the signed-in person, or refuses it. Returns where the browser goes next: back to the app, with an authorization code that works for two minutes, or with the error. The access is limited to MCP and the scopes.',
  params: none,
  body: jsonBody(
    z
      .strictObject({
        request,
        personId: idIn('person').meta({
          description: 'The person who saw the request. Another signed-in person gets 409.',
        }),
        approve: z.boolean().meta({ description: 'True to give access, false to refuse.' }),
      })
      .meta({
        id: 'AppRequestAnswer',
        examples: [{ request: EXAMPLE_REQUEST, personId: exampleId('person'), approve: true }],
      }),
  ),
  success: 200,
  response: one(answerSchema),
  returnsSecret: true,
  errors: ['not_found', 'conflict', 'upstream_error', 'unavailable'],
});

export const listOwnApps = operation({
  ...own,
  id: 'listOwnApps',
  method: 'get',
  path: '/api/v1/account/apps',
  summary: 'List your connected apps',
  description: 'Lists the apps that can act for the signed-in person, newest first.',
  params: none,
  body: withoutBody,
  success: 200,
  response: one(z.array(appSchema)),
});

export const disconnectOwnApp = operation({
  ...own,
  id: 'disconnectOwnApp',
  method: 'delete',
  path: '/api/v1/account/apps/{id}',
  summary: 'Disconnect an own app',
  description: 'Ends the access of an app within 5 seconds.',
  params: idParams('app'),
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

export const listApps = operation({
  id: 'listApps',
  method: 'get',
  path: '/api/v1/apps',
  summary: 'List connected apps',
  description: 'Lists the apps that people of the team have connected, newest first.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(ownedSchema)),
});

export const disconnectApp = operation({
  id: 'disconnectApp',
  method: 'delete',
  path: '/api/v1/apps/{id}',
  summary: 'Disconnect an app',
  description: 'Ends the access of an app of a person of the team within 5 seconds.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: idParams('app'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});
