import { idPattern } from '@lectern/contracts';
import { exampleId } from '#fields';
import { type JsonSchema, refTo } from '#openapi/components';
import { META_EXAMPLE } from '#openapi/envelope';
import { OTHER_TAG } from '#openapi/tags';

type Path = Readonly<Record<string, object>>;
type Headers = (status: number) => object;

const PROVIDER = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the identity provider.',
  schema: { type: 'string', pattern: idPattern('identityProvider').source },
  example: exampleId('identityProvider'),
};

const queryParameter = (name: string, description: string) => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
});

/** Describes a page that a browser opens: it redirects, or shows why the person is not signed in. */
const pageOf = (
  headers: Headers,
  { id, summary, description }: { readonly id: string; readonly summary: string; readonly description: string },
  parameters: readonly object[],
): Path => {
  const failure = (why: string, status: number) => ({
    description: why,
    headers: headers(status),
    content: { 'text/html': { schema: { type: 'string' } } },
  });
  return {
    get: {
      operationId: id,
      tags: [OTHER_TAG],
      summary,
      description,
      security: [],
      parameters: [PROVIDER, ...parameters],
      responses: {
        302: {
          description: 'Found: the browser continues there.',
          headers: {
            ...headers(302),
            Location: { description: 'The next page.', schema: { type: 'string', format: 'uri' } },
            'Set-Cookie': { description: 'The sign-in or the session.', schema: { type: 'string' } },
          },
        },
        403: failure('A page that shows why the person may not sign in.', 403),
        404: failure('A page that reports that the provider does not exist.', 404),
        429: failure('A page that asks to wait: too many sign-ins from this address.', 429),
        502: failure('A page that shows what is wrong with the provider.', 502),
        503: failure('A page that shows what the operator must set.', 503),
      },
    },
  };
};

/** The schemas of back-channel logout. */
export const SIGN_IN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  LogoutForm: {
    type: 'object',
    description: 'The form of OpenID Connect Back-Channel Logout.',
    required: ['logout_token'],
    properties: { logout_token: { type: 'string', description: 'The signed logout token.' } },
  },
};

/** Describes the pages of sign-ins with an identity provider, and its back-channel logout. */
export function signInPaths(headers: Headers): Readonly<Record<string, Path>> {
  const rejected = (status: number, description: string) => ({
    description,
    headers: headers(status),
    content: { 'application/json': { schema: refTo('ErrorAnswer') } },
  });
  return {
    '/sign-in/{id}': pageOf(
      headers,
      {
        id: 'startProviderSignIn',
        summary: 'Sign in with an identity provider',
        description: 'Redirects the browser to the provider. Open it as a page.',
      },
      [queryParameter('returnTo', 'The page of the console to show afterwards, for example `/console/chat`.')],
    ),
    '/sign-in/{id}/callback': pageOf(
      headers,
      {
        id: 'finishProviderSignIn',
        summary: 'Finish a sign-in',
        description: 'The redirect URI of the provider. It works once, in the browser that started the sign-in.',
      },
      [
        queryParameter('code', 'The authorization code.'),
        queryParameter('state', 'The value that identifies the sign-in.'),
        queryParameter('iss', 'The issuer of the response (RFC 9207).'),
        queryParameter('error', 'Why the provider did not sign the person in.'),
      ],
    ),
    '/sign-in/{id}/back-channel-logout': {
      post: {
        operationId: 'backChannelLogout',
        tags: [OTHER_TAG],
        summary: 'End sessions as the provider asks',
        description:
          'The URL for OpenID Connect Back-Channel Logout. The provider sends it a logout token, which works once.',
        security: [],
        parameters: [PROVIDER],
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              schema: refTo('LogoutForm'),
              example: { logout_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl' },
            },
          },
        },
        responses: {
          200: {
            description: 'OK: the sessions have ended.',
            headers: headers(200),
            content: {
              'application/json': {
                schema: refTo('EndedSessionsResponse'),
                example: { data: { ended: 1 }, meta: META_EXAMPLE },
              },
            },
          },
          400: rejected(400, '`invalid_request`: the token is not valid.'),
          404: rejected(404, '`not_found`: the provider does not exist.'),
          413: rejected(413, '`payload_too_large`: the form is larger than 64 KiB.'),
          415: rejected(415, '`unsupported_media_type`: the body is not a form.'),
          429: rejected(429, '`rate_limited`: too many requests from this address.'),
        },
      },
    },
  };
}
