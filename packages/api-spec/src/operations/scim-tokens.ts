import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  idParams,
  name,
  nullableTimestamp,
  ownId,
  pageQuery,
  text,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { MANAGE_PEOPLE } from '#operations/people';

const PROVIDER = {
  description:
    'A short name for the identity provider. It is a part of the principals of its groups: `group:okta/<name>`. `lectern` and `domain` are not allowed.',
  examples: ['okta'],
};
const provider = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits and hyphens')
  .refine((value) => value !== 'lectern' && value !== 'domain', 'must not be lectern or domain')
  .meta(PROVIDER);

const token = {
  id: ownId('scimToken'),
  name: text('The name of the token.'),
  provider: text('The short name of the identity provider.', 'okta'),
  createdAt,
  lastUsedAt: nullableTimestamp('When the token was last used, to the minute. Null for never.'),
};
const EXAMPLE = {
  id: exampleId('scimToken'),
  name: 'Okta',
  provider: 'okta',
  createdAt: EXAMPLE_TIME,
  lastUsedAt: null,
};

const tokenSchema = z.object(token).meta({
  id: 'ScimToken',
  description: 'A token with which an identity provider manages people and groups.',
  examples: [EXAMPLE],
});

const newTokenSchema = z
  .object({
    ...token,
    token: text('The token. It is shown only in this response.', 'lectern_sc_…'),
    url: text('The address for the identity provider.', 'https://lectern.example.com/scim/v2'),
  })
  .meta({
    id: 'NewScimToken',
    description: 'A token with its text.',
    examples: [{ ...EXAMPLE, token: 'lectern_sc_…', url: 'https://lectern.example.com/scim/v2' }],
  });

const newTokenBody = z
  .strictObject({ name: name.meta({ description: 'The name of the token.' }), provider })
  .meta({ id: 'ScimTokenInput', examples: [{ name: 'Okta', provider: 'okta' }] });

export const listScimTokens = operation({
  id: 'listScimTokens',
  method: 'get',
  path: '/api/v1/scim-tokens',
  summary: 'List SCIM tokens',
  description: 'Lists the tokens of identity providers, newest first.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(tokenSchema)),
});

export const createScimToken = operation({
  id: 'createScimToken',
  method: 'post',
  path: '/api/v1/scim-tokens',
  summary: 'Create a SCIM token',
  description:
    'Creates a token with which an identity provider creates, changes and deactivates people and groups of the team at `/scim/v2` (SCIM 2.0, RFC 7644). It can change all people of the team, but never activate an owner, change the address of one, or remove the last one. `/scim/v2` follows the RFC and is not a part of this document.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: none,
  query: none,
  body: jsonBody(newTokenBody),
  success: 201,
  response: one(newTokenSchema),
  returnsSecret: true,
});

export const deleteScimToken = operation({
  id: 'deleteScimToken',
  method: 'delete',
  path: '/api/v1/scim-tokens/{id}',
  summary: 'Delete a SCIM token',
  description: 'Deletes a token. It stops working immediately. People and groups stay as they are.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: idParams('scimToken'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});
