import { type JsonSchema, refTo } from '#openapi/components';
import { OTHER_TAG } from '#openapi/tags';
import { APP_SCOPES } from '#roles';

type Path = Readonly<Record<string, object>>;
type Headers = (status: number) => object;

const FORM = 'application/x-www-form-urlencoded';
const word = (description: string) => ({ type: 'string', description });
const words = (description: string) => ({ type: 'array', description, items: { type: 'string' } });
const RESOURCE = 'https://lectern.example.com/mcp';
const ISSUER = 'https://lectern.example.com';
const SCOPES = APP_SCOPES.join(' ');

/** The schemas of OAuth, as the RFCs define them. */
export const OAUTH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  OAuthResourceMetadata: {
    type: 'object',
    description: 'Describes the MCP server as a protected resource (RFC 9728).',
    required: ['resource', 'authorization_servers', 'scopes_supported', 'bearer_methods_supported', 'resource_name'],
    properties: {
      resource: word('What tokens are for: the URL of the MCP server.'),
      authorization_servers: words('The issuer: this installation.'),
      scopes_supported: words('The scopes of apps.'),
      bearer_methods_supported: words('How to send a token.'),
      resource_name: word('A name for people.'),
    },
  },
  OAuthServerMetadata: {
    type: 'object',
    description: 'Describes the authorization server (RFC 8414).',
    required: ['issuer', 'authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'],
    properties: {
      issuer: word('Names this installation in responses (RFC 9207).'),
      authorization_endpoint: word('The page to open in a browser.'),
      token_endpoint: word('Where to exchange codes and refresh tokens.'),
      registration_endpoint: word('Where to register an app.'),
      revocation_endpoint: word('Where to end the access.'),
    },
    additionalProperties: true,
  },
  OAuthClientInput: {
    type: 'object',
    description: 'The metadata of an app (RFC 7591). Fields that Lectern does not use are ignored.',
    required: ['redirect_uris'],
    properties: {
      redirect_uris: words(
        'Up to 10: https URLs, http URLs of this machine with any port, and URLs with the scheme of an app.',
      ),
      client_name: word('What people see.'),
    },
    additionalProperties: true,
  },
  OAuthClient: {
    type: 'object',
    description: 'A registered app. It has no secret.',
    required: ['client_id', 'client_id_issued_at', 'client_name', 'redirect_uris', 'token_endpoint_auth_method'],
    properties: {
      client_id: word('The id of the app.'),
      client_id_issued_at: { type: 'integer', description: 'Unix seconds.' },
      client_name: word('What people see.'),
      redirect_uris: words('The registered redirect URIs.'),
      grant_types: words('The supported grants.'),
      response_types: words('The supported responses.'),
      token_endpoint_auth_method: word('Always `none`.'),
    },
  },
  OAuthTokenForm: {
    type: 'object',
    description: 'A request for tokens.',
    required: ['grant_type', 'client_id'],
    properties: {
      grant_type: {
        type: 'string',
        enum: ['authorization_code', 'refresh_token'],
        description: 'What the app exchanges.',
      },
      client_id: word('The id of the app.'),
      code: word('The authorization code. It works once, for two minutes.'),
      code_verifier: word('The verifier of PKCE.'),
      redirect_uri: word('The redirect URI of the authorization request. Optional.'),
      refresh_token: word('The refresh token. It works once: the second use ends the access.'),
      scope: word('Fewer scopes for the new access token.'),
      resource: word('The URL of the MCP server (RFC 8707).'),
    },
  },
  OAuthTokens: {
    type: 'object',
    description: 'The tokens of an app.',
    required: ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'],
    properties: {
      access_token: word('Send it to `/mcp` as `Authorization: Bearer`.'),
      token_type: word('Always `Bearer`.'),
      expires_in: { type: 'integer', description: 'Seconds until the access token expires.' },
      refresh_token: word('The next refresh token.'),
      scope: word('The scopes, separated by spaces.'),
    },
  },
  OAuthRevocationForm: {
    type: 'object',
    description: 'The token of an app (RFC 7009).',
    required: ['token', 'client_id'],
    properties: { token: word('An access token or a refresh token.'), client_id: word('The id of the app.') },
  },
  OAuthNothing: { type: 'object', description: 'An empty object.' },
  OAuthError: {
    type: 'object',
    description: 'An error in the form of RFC 6749.',
    required: ['error', 'error_description'],
    properties: { error: word('The code, for example `invalid_grant`.'), error_description: word('What to do.') },
  },
};

/** Describes the authorization server for apps that people connect to MCP. */
export function oauthPaths(headers: Headers): Readonly<Record<string, Path>> {
  const json = (status: number, description: string, schema: string, example?: object) => ({
    description,
    headers: headers(status),
    content: { 'application/json': { schema: refTo(schema), ...(example === undefined ? {} : { example }) } },
  });
  const failed = (...statuses: readonly (readonly [number, string])[]) =>
    Object.fromEntries(statuses.map(([status, description]) => [status, json(status, description, 'OAuthError')]));
  const unset = [503, '`temporarily_unavailable`: the operator has to set `PUBLIC_URL`.'] as const;
  const tooMany = [429, '`temporarily_unavailable`: too many requests from this address.'] as const;
  const noForm = [415, '`invalid_request`: the body is not a form.'] as const;
  const tooLarge = [413, '`invalid_request`: the body is too large.'] as const;
  const metadata = (id: string, summary: string, description: string, schema: string, example: object): Path => ({
    get: {
      operationId: id,
      tags: [OTHER_TAG],
      summary,
      description,
      security: [],
      responses: { 200: json(200, 'OK', schema, example), ...failed(unset) },
    },
  });
  const resource = (id: string) =>
    metadata(
      id,
      'Get the metadata of the MCP server',
      'Describes where an app gets tokens for `/mcp` (RFC 9728).',
      'OAuthResourceMetadata',
      {
        resource: RESOURCE,
        authorization_servers: [ISSUER],
        scopes_supported: APP_SCOPES,
        bearer_methods_supported: ['header'],
        resource_name: 'Lectern',
      },
    );
  const form = (schema: string, example: object) => ({
    required: true,
    content: { [FORM]: { schema: refTo(schema), example } },
  });
  const query = (name: string, description: string) => ({ name, in: 'query', description, schema: { type: 'string' } });
  return {
    '/.well-known/oauth-protected-resource': resource('getResourceMetadata'),
    '/.well-known/oauth-protected-resource/mcp': resource('getMcpResourceMetadata'),
    '/.well-known/oauth-authorization-server': metadata(
      'getAuthorizationServerMetadata',
      'Get the metadata of the authorization server',
      'Describes the endpoints with which a person connects an app (RFC 8414).',
      'OAuthServerMetadata',
      {
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/oauth/authorize`,
        token_endpoint: `${ISSUER}/oauth/token`,
        registration_endpoint: `${ISSUER}/oauth/register`,
        revocation_endpoint: `${ISSUER}/oauth/revoke`,
      },
    ),
    '/oauth/authorize': {
      get: {
        operationId: 'authorizeApp',
        tags: [OTHER_TAG],
        summary: 'Ask a person for access',
        description:
          'Redirects the browser to the page on which the person signs in and agrees. Open it as a page. PKCE with S256 is required.',
        security: [],
        parameters: [
          query('client_id', 'The id of the app, or the URL of a document that describes it.'),
          query('redirect_uri', 'A registered redirect URI.'),
          query('response_type', 'Always `code`.'),
          query('code_challenge', 'The S256 challenge of PKCE.'),
          query('code_challenge_method', 'Always `S256`.'),
          query('scope', `Scopes, separated by spaces: \`${SCOPES}\`. All if omitted.`),
          query('state', 'Returned unchanged.'),
          query('resource', 'The URL of the MCP server (RFC 8707).'),
        ],
        responses: {
          302: {
            description: 'Found: the browser continues on the page.',
            headers: {
              ...headers(302),
              Location: { description: 'The page.', schema: { type: 'string', format: 'uri-reference' } },
            },
          },
        },
      },
    },
    '/oauth/register': {
      post: {
        operationId: 'registerApp',
        tags: [OTHER_TAG],
        summary: 'Register an app',
        description:
          'Registers a public client (RFC 7591). A client that is never used is deleted after a day, and one without access after 180 days.',
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: refTo('OAuthClientInput'),
              example: { client_name: 'Assistant', redirect_uris: ['https://assistant.example.com/callback'] },
            },
          },
        },
        responses: {
          201: json(201, 'Created', 'OAuthClient', {
            client_id: 'acl_01h455vb4pex5vsknk084sn02q',
            client_id_issued_at: 1_795_255_200,
            client_name: 'Assistant',
            redirect_uris: ['https://assistant.example.com/callback'],
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
            token_endpoint_auth_method: 'none',
          }),
          ...failed(
            [400, '`invalid_redirect_uri` or `invalid_client_metadata`.'],
            tooLarge,
            [415, '`invalid_request`: the body is not JSON.'],
            tooMany,
            [503, '`temporarily_unavailable`: too many unused apps, or `PUBLIC_URL` is not set.'],
          ),
        },
      },
    },
    '/oauth/token': {
      post: {
        operationId: 'issueAppTokens',
        tags: [OTHER_TAG],
        summary: 'Get tokens for an app',
        description: 'Exchanges an authorization code or a refresh token for new tokens.',
        security: [],
        requestBody: form('OAuthTokenForm', {
          grant_type: 'authorization_code',
          client_id: 'acl_01h455vb4pex5vsknk084sn02q',
          code: 'lectern_ac_…',
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        }),
        responses: {
          200: json(200, 'OK', 'OAuthTokens', {
            access_token: 'lectern_at_…',
            token_type: 'Bearer',
            expires_in: 3_600,
            refresh_token: 'lectern_rt_…',
            scope: SCOPES,
          }),
          ...failed(
            [400, '`invalid_grant`, `invalid_scope`, `invalid_target`, `unsupported_grant_type` or `invalid_request`.'],
            [401, '`invalid_client`: register the app again.'],
            tooLarge,
            noForm,
            tooMany,
            unset,
          ),
        },
      },
    },
    '/oauth/revoke': {
      post: {
        operationId: 'revokeAppToken',
        tags: [OTHER_TAG],
        summary: 'End the access of an app',
        description: 'Ends the access that a token belongs to (RFC 7009). An unknown token is not an error.',
        security: [],
        requestBody: form('OAuthRevocationForm', {
          token: 'lectern_rt_…',
          client_id: 'acl_01h455vb4pex5vsknk084sn02q',
        }),
        responses: {
          200: json(200, 'OK', 'OAuthNothing', {}),
          ...failed([400, '`invalid_request`.'], tooLarge, noForm, tooMany, unset),
        },
      },
    },
  };
}
