import { GROUP_SCHEMA } from '#scim/groups';
import type { Fields } from '#scim/patch';
import { USER_SCHEMA } from '#scim/users';

/** The largest page of a list. */
export const MAX_COUNT = 200;

const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
const UNSUPPORTED = { supported: false };

export const serviceProviderConfig = (baseUrl: string): Fields => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { ...UNSUPPORTED, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_COUNT },
  changePassword: UNSUPPORTED,
  sort: UNSUPPORTED,
  etag: UNSUPPORTED,
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'SCIM token',
      description: 'A token that an admin of Lectern creates.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
});

const resourceType = (baseUrl: string, name: string, schema: string): Fields => ({
  schemas: [RESOURCE_TYPE],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
  meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
});

export const resourceTypes = (baseUrl: string): readonly Fields[] => [
  resourceType(baseUrl, 'User', USER_SCHEMA),
  resourceType(baseUrl, 'Group', GROUP_SCHEMA),
];

interface Options {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly multiValued?: boolean;
  readonly required?: boolean;
  readonly caseExact?: boolean;
  readonly mutability?: 'readWrite' | 'readOnly' | 'immutable';
  readonly uniqueness?: 'none' | 'server';
  readonly subAttributes?: readonly Fields[];
}

const attribute = (name: string, description: string, options: Options = {}): Fields => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...options,
});

const EXTERNAL_ID = attribute('externalId', 'The id at the identity provider.', { caseExact: true });

const USER_ATTRIBUTES: readonly Fields[] = [
  attribute('userName', 'The name of the user at the identity provider.', { required: true, uniqueness: 'server' }),
  EXTERNAL_ID,
  attribute('displayName', 'The name of the user.', { caseExact: true }),
  attribute('name', 'The parts of the name.', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The whole name.', { caseExact: true }),
      attribute('givenName', 'The first name.', { caseExact: true }),
      attribute('familyName', 'The last name.', { caseExact: true }),
    ],
  }),
  attribute('emails', 'The address of the account. Lectern stores the primary one.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The address.', { uniqueness: 'server' }),
      attribute('type', 'Always work.'),
      attribute('primary', 'Always true.', { type: 'boolean' }),
    ],
  }),
  attribute('active', 'False for a user who cannot sign in.', { type: 'boolean' }),
  attribute('groups', 'The groups of the user.', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      attribute('value', 'The id of the group.', { mutability: 'readOnly', caseExact: true }),
      attribute('display', 'The name of the group.', { mutability: 'readOnly', caseExact: true }),
      attribute('$ref', 'The address of the group.', { type: 'reference', mutability: 'readOnly' }),
    ],
  }),
];

const GROUP_ATTRIBUTES: readonly Fields[] = [
  attribute('displayName', 'The name of the group.', { required: true, caseExact: true, uniqueness: 'server' }),
  EXTERNAL_ID,
  attribute('members', 'The users in the group.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the user.', { mutability: 'immutable', caseExact: true }),
      attribute('display', 'The name of the user.', { mutability: 'readOnly', caseExact: true }),
      attribute('type', 'Always User.', { mutability: 'immutable' }),
    ],
  }),
];

const schemaOf = (baseUrl: string, id: string, name: string, attributes: readonly Fields[]): Fields => ({
  schemas: [SCHEMA],
  id,
  name,
  description: `A ${name.toLowerCase()}.`,
  attributes,
  meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
});

export const schemas = (baseUrl: string): readonly Fields[] => [
  schemaOf(baseUrl, USER_SCHEMA, 'User', USER_ATTRIBUTES),
  schemaOf(baseUrl, GROUP_SCHEMA, 'Group', GROUP_ATTRIBUTES),
];
