import { APP_SCOPES } from '@lectern/api-spec';
import type { AppUrls } from '#identity/app-urls';

/** Describes the MCP server as a protected resource (RFC 9728). */
export const resourceMetadata = ({ issuer, resource }: AppUrls) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: APP_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Lectern',
});

/** Describes the authorization server (RFC 8414). */
export const serverMetadata = ({ issuer }: AppUrls) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  registration_endpoint: `${issuer}/oauth/register`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  scopes_supported: APP_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});
