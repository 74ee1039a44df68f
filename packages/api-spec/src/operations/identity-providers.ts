import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  flag,
  idParams,
  name,
  ownId,
  pageQuery,
  recordId,
  text,
  updatedAt,
  wireSchemas,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { SERVER_URL } from '#patterns';

const MAX_URL = 500;
const MAX_SCOPES = 20;
const MAX_DOMAINS = 100;
/** Completes “This API key may not …”. */
const MANAGE = 'manage identity providers';

/** The source of the groups that admins create. */
const OWN_GROUPS = 'lectern';

const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'must consist of a–z, 0–9 and hyphens, at most 40 characters')
  .refine((value) => value !== OWN_GROUPS, 'names groups of admins; choose another short name')
  .meta({
    description:
      'The short name of the provider in principals: the group `Sales` of the provider `okta` is `group:okta/Sales`. It cannot be changed.',
    examples: ['okta'],
  });

const issuer = z
  .url({ protocol: /^https?$/, error: ({ input }) => (input === undefined ? 'is required' : 'must be an https URL') })
  .max(MAX_URL)
  .regex(new RegExp(SERVER_URL), 'must not contain a user, a query or a fragment')
  .register(wireSchemas, {
    schema: { type: 'string', format: 'uri', pattern: SERVER_URL, maxLength: MAX_URL },
  })
  .meta({
    description:
      'The issuer URL, exactly as the provider writes it. It requires https, except on this machine. It cannot be changed.',
    examples: ['https://example.okta.com'],
  });

const domain = z
  .string()
  .max(253)
  .trim()
  .toLowerCase()
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'must be a domain like example.com',
  );

const settings = {
  name: name.meta({ description: 'The name on the button of the sign-in page.', examples: ['Okta'] }),
  clientId: z.string().trim().min(1).max(500).meta({ description: 'The client id that the provider gave Lectern.' }),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/, 'must be a scope without spaces'))
    .max(MAX_SCOPES)
    .meta({ description: 'The scopes to request in addition to `openid`.', examples: [['profile', 'email']] }),
  domains: z
    .array(domain)
    .max(MAX_DOMAINS)
    .meta({
      description:
        'Domains of addresses, without their subdomains. A person with a verified address of one of them gets an account at the first sign-in, or the existing account with this address. Everybody else needs an invitation.',
      examples: [['example.com']],
    }),
  defaultRole: z.enum(['member', 'editor', 'admin']).meta({
    id: 'NewAccountRole',
    description: 'The role of an account that a sign-in creates without an invitation.',
  }),
  trustsAddresses: z.boolean().meta({
    description:
      'True if the addresses of this provider count as verified although it does not send `email_verified`, for example those of a single tenant of Entra ID. Only for a provider at which people cannot choose their address.',
  }),
  allowsOwners: z.boolean().meta({
    description: 'True if owners can sign in with this provider. Only owners can set it and change such a provider.',
  }),
  groupsClaim: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ description: 'The claim with the names of the groups of a person.', examples: ['groups'] }),
  isShown: z.boolean().meta({ description: 'True if the sign-in page has a button for this provider.' }),
};

const clientSecret = z.string().min(1).max(2_000).meta({
  description: 'The client secret that the provider gave Lectern. It is stored encrypted and never returned.',
});

const EXAMPLE_ID = exampleId('identityProvider');
const BASE = 'https://lectern.example.com';
const EXAMPLE_SETTINGS = {
  name: 'Okta',
  slug: 'okta',
  issuer: 'https://example.okta.com',
  clientId: '0oa1b2c3d4',
  scopes: ['profile', 'email', 'groups'],
  domains: ['example.com'],
  defaultRole: 'member',
  trustsAddresses: false,
  allowsOwners: false,
  groupsClaim: 'groups',
  isShown: true,
};

const identityProviderSchema = z
  .object({
    id: ownId('identityProvider'),
    slug,
    issuer,
    ...settings,
    isFromSettings: flag('True if the operator defined it in `OIDC_PROVIDERS`. It can only be changed there.'),
    redirectUri: text('The redirect URI to register at the provider.'),
    signInUrl: text('The link that starts a sign-in, for the start page of the provider.'),
    backChannelLogoutUri: text('The URL to register for back-channel logout.'),
    postLogoutRedirectUri: text('The redirect URI after sign-out to register at the provider.'),
    createdAt,
    updatedAt,
  })
  .meta({
    id: 'IdentityProvider',
    description: 'An OpenID Connect provider with which people of the team sign in.',
    examples: [
      {
        id: EXAMPLE_ID,
        ...EXAMPLE_SETTINGS,
        isFromSettings: false,
        redirectUri: `${BASE}/sign-in/${EXAMPLE_ID}/callback`,
        signInUrl: `${BASE}/sign-in/${EXAMPLE_ID}`,
        backChannelLogoutUri: `${BASE}/sign-in/${EXAMPLE_ID}/back-channel-logout`,
        postLogoutRedirectUri: `${BASE}/console`,
        createdAt: EXAMPLE_TIME,
        updatedAt: EXAMPLE_TIME,
      },
    ],
  });

/** The settings of a new provider. The operator's `OIDC_PROVIDERS` have the same form. */
export const newIdentityProvider = z
  .strictObject({
    slug,
    issuer,
    clientSecret,
    ...settings,
    scopes: settings.scopes.default(['profile', 'email']),
    domains: settings.domains.default([]),
    defaultRole: settings.defaultRole.default('member'),
    trustsAddresses: settings.trustsAddresses.default(false),
    allowsOwners: settings.allowsOwners.default(false),
    groupsClaim: settings.groupsClaim.default('groups'),
    isShown: settings.isShown.default(true),
  })
  .meta({
    id: 'NewIdentityProvider',
    examples: [{ ...EXAMPLE_SETTINGS, clientSecret: 'secret-from-the-provider' }],
  });

export type NewIdentityProvider = z.output<typeof newIdentityProvider>;

const changes = z
  .strictObject({ ...settings, clientSecret })
  .partial()
  .meta({ id: 'IdentityProviderChanges', examples: [{ domains: ['example.com', 'example.org'] }] });

const signInProviderSchema = z
  .object({
    id: recordId('identityProvider'),
    name: text('The name of the provider.'),
    url: text('The path that starts a sign-in. Open it as a page, with `returnTo` for the path to show afterwards.'),
  })
  .meta({
    id: 'SignInProvider',
    description: 'A button of the sign-in page.',
    examples: [{ id: EXAMPLE_ID, name: 'Okta', url: `/sign-in/${EXAMPLE_ID}` }],
  });

export const listIdentityProviders = operation({
  id: 'listIdentityProviders',
  method: 'get',
  path: '/api/v1/identity-providers',
  summary: 'List identity providers',
  description: 'Lists the OpenID Connect providers of the team by name.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(identityProviderSchema)),
});

export const createIdentityProvider = operation({
  id: 'createIdentityProvider',
  method: 'post',
  path: '/api/v1/identity-providers',
  summary: 'Add an identity provider',
  description:
    'Adds an OpenID Connect provider. Lectern reads its metadata first: an unknown issuer is rejected. The response contains the URLs to register at the provider.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: none,
  query: none,
  body: jsonBody(newIdentityProvider),
  success: 201,
  response: one(identityProviderSchema),
  errors: ['conflict', 'unavailable'],
});

export const getIdentityProvider = operation({
  id: 'getIdentityProvider',
  method: 'get',
  path: '/api/v1/identity-providers/{id}',
  summary: 'Get an identity provider',
  description: 'Returns a provider of the team, without its client secret.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: idParams('identityProvider'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(identityProviderSchema),
});

export const updateIdentityProvider = operation({
  id: 'updateIdentityProvider',
  method: 'put',
  path: '/api/v1/identity-providers/{id}',
  summary: 'Update an identity provider',
  description:
    'Changes the given settings. The issuer and the short name stay, because accounts and principals depend on them.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: idParams('identityProvider'),
  query: none,
  body: jsonBody(changes),
  success: 200,
  response: one(identityProviderSchema),
  errors: ['conflict', 'unavailable'],
});

export const deleteIdentityProvider = operation({
  id: 'deleteIdentityProvider',
  method: 'delete',
  path: '/api/v1/identity-providers/{id}',
  summary: 'Delete an identity provider',
  description:
    'Deletes a provider and ends the sessions that it started. The accounts stay; people without a password need a reset link or another provider.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: idParams('identityProvider'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
  errors: ['conflict'],
});

export const listSignInProviders = operation({
  id: 'listSignInProviders',
  method: 'get',
  path: '/api/v1/session/providers',
  summary: 'List the buttons of the sign-in page',
  description: 'Lists the identity providers of this installation that the sign-in page shows, by name.',
  access: 'open',
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(z.array(signInProviderSchema)),
});
