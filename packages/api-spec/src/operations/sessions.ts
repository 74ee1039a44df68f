import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import { EXAMPLE_TIME, exampleId, flag, name, text, timestamp } from '#fields';
import { none, one, operation } from '#operation';
import { brandingSchema, EXAMPLE_BRANDING } from '#operations/branding';
import { newPasskey, passkeyOptions, passkeySignIn } from '#operations/passkeys';
import { EXAMPLE_PERSON, email, personSchema } from '#operations/people';

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 200;
const MAX_TOKEN = 200;

const EXAMPLE_PASSWORD = 'correct horse battery staple';

/** A password to check. Its length is limited, because hashing takes time. */
const password = z.string().min(1).max(MAX_PASSWORD).meta({ description: 'The password.' });

export const newPassword = z
  .string()
  .min(MIN_PASSWORD, `must have at least ${MIN_PASSWORD} characters; a sentence is easy to remember`)
  .max(MAX_PASSWORD)
  .refine((value) => new Set(value).size > 3, 'must have more than three different characters')
  .meta({ description: `The new password, ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.` });

const signedInSchema = z
  .object({ person: personSchema, teamId: text('The id of the team.'), teamName: text('The name of the team.') })
  .meta({
    id: 'SignedIn',
    description: 'The person who is signed in now. The session is in a cookie.',
    examples: [{ person: EXAMPLE_PERSON, teamId: exampleId('team'), teamName: 'Acme' }],
  });

const token = z
  .string()
  .min(1)
  .max(MAX_TOKEN)
  .meta({ description: 'The token of the link: the part after `#`.', examples: ['lectern_ln_…'] });

const linkSchema = z
  .object({
    purpose: z.enum(['owner', 'invitation', 'reset']).meta({
      id: 'AccountLinkPurpose',
      description:
        'What the link does: `owner` creates an owner with any address, `invitation` creates an account for the invited address, `reset` sets a new password or passkey.',
    }),
    email: z.string().nullable().meta({ description: 'The address of the account. Null if the person chooses it.' }),
    teamName: text('The name of the team.'),
    branding: brandingSchema.meta({ description: 'The branding of the team.' }),
    canUsePasskeys: flag('True if passkeys work at the address of this request.'),
    expiresAt: timestamp('When the link stops working.'),
  })
  .meta({
    id: 'AccountLink',
    description: 'What a link does.',
    examples: [
      {
        purpose: 'invitation',
        email: 'grace@example.com',
        teamName: 'Acme',
        branding: EXAMPLE_BRANDING,
        canUsePasskeys: true,
        expiresAt: EXAMPLE_TIME,
      },
    ],
  });

const signedOutSchema = z
  .object({
    signedOut: flag('True if there was a session.'),
    providerUrl: z.string().nullable().meta({
      description:
        'Where the browser signs out of the identity provider too: open it as a page. Null if the session did not come from a provider that supports this.',
    }),
  })
  .meta({
    id: 'SignedOut',
    description: 'The result of signing out.',
    examples: [{ signedOut: true, providerUrl: null }],
  });

export const signIn = operation({
  id: 'signIn',
  method: 'post',
  path: '/api/v1/session',
  summary: 'Sign in',
  description:
    'Signs a person in and sets the session cookie. The session that the browser had before ends. The response to a wrong password and to an unknown address is the same.',
  access: 'open',
  isForOwnPages: true,
  addressLimit: 'signIns',
  params: none,
  query: none,
  body: jsonBody(
    z
      .strictObject({ email, password })
      .meta({ id: 'SignInInput', examples: [{ email: 'ada@example.com', password: EXAMPLE_PASSWORD }] }),
  ),
  success: 200,
  response: one(signedInSchema),
  responseHeaders: { 'Set-Cookie': 'The session.' },
  errors: ['unauthorized', 'forbidden', 'rate_limited'],
});

export const startPasskeySignIn = operation({
  id: 'startPasskeySignIn',
  method: 'post',
  path: '/api/v1/session/passkey/options',
  summary: 'Start signing in with a passkey',
  description:
    'Returns the options with which the browser asks for a passkey, and sets a cookie that binds them to the browser for 5 minutes. They are the same for everybody, so they reveal no accounts.',
  access: 'open',
  isForOwnPages: true,
  addressLimit: 'passkeyChallenges',
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(passkeyOptions),
  responseHeaders: { 'Set-Cookie': 'The browser that started.' },
  errors: ['forbidden', 'conflict', 'rate_limited'],
});

export const signInWithPasskey = operation({
  id: 'signInWithPasskey',
  method: 'post',
  path: '/api/v1/session/passkey',
  summary: 'Sign in with a passkey',
  description:
    'Signs a person in with the signature of a passkey and sets the session cookie. The session that the browser had before ends. The response to every passkey that is not accepted is the same.',
  access: 'open',
  isForOwnPages: true,
  addressLimit: 'signIns',
  params: none,
  query: none,
  body: jsonBody(passkeySignIn),
  success: 200,
  response: one(signedInSchema),
  responseHeaders: { 'Set-Cookie': 'The session.' },
  errors: ['unauthorized', 'forbidden', 'conflict', 'rate_limited'],
});

export const signOut = operation({
  id: 'signOut',
  method: 'delete',
  path: '/api/v1/session',
  summary: 'Sign out',
  description: 'Ends the session of the browser. Succeeds without a session too.',
  access: 'open',
  isForOwnPages: true,
  addressLimit: 'unknownKeys',
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(signedOutSchema),
  responseHeaders: { 'Set-Cookie': 'Removes the session.' },
  errors: ['forbidden', 'rate_limited'],
});

export const changePassword = operation({
  id: 'changePassword',
  method: 'post',
  path: '/api/v1/session/password',
  summary: 'Change your password',
  description:
    'Sets a new password, ends all sessions of the person and starts a new one. It requires the current password instead of a session.',
  access: 'open',
  isForOwnPages: true,
  addressLimit: 'signIns',
  params: none,
  query: none,
  body: jsonBody(
    z.strictObject({ email, password, newPassword }).meta({
      id: 'PasswordChange',
      examples: [{ email: 'ada@example.com', password: 'old password', newPassword: EXAMPLE_PASSWORD }],
    }),
  ),
  success: 200,
  response: one(signedInSchema),
  responseHeaders: { 'Set-Cookie': 'The new session.' },
  errors: ['unauthorized', 'forbidden', 'rate_limited'],
});

export const openAccountLink = operation({
  id: 'openAccountLink',
  method: 'post',
  path: '/api/v1/account-links/open',
  summary: 'Read a link',
  description: 'Returns what a link does, for the page that it opens. The link keeps working.',
  access: 'open',
  isForOwnPages: true,
  addressLimit: 'accountLinks',
  params: none,
  query: none,
  body: jsonBody(z.strictObject({ token }).meta({ id: 'AccountLinkToken', examples: [{ token: 'lectern_ln_…' }] })),
  success: 200,
  response: one(linkSchema),
  errors: ['forbidden', 'rate_limited'],
});

const newName = name.optional().meta({ description: 'The name of the person. Required for a new account.' });
const newEmail = email.optional().meta({ description: 'The address of the first owner. Other links determine it.' });

export const startLinkPasskey = operation({
  id: 'startLinkPasskey',
  method: 'post',
  path: '/api/v1/account-links/passkey-options',
  summary: 'Start using a link with a passkey',
  description:
    'Returns the options with which the browser creates a passkey for the account of a link within 5 minutes.',
  access: 'open',
  isForOwnPages: true,
  addressLimit: 'accountLinks',
  params: none,
  query: none,
  body: jsonBody(
    z
      .strictObject({ token, name: newName, email: newEmail })
      .meta({ id: 'AccountLinkPasskeyStart', examples: [{ token: 'lectern_ln_…', name: 'Grace Hopper' }] }),
  ),
  success: 200,
  response: one(passkeyOptions),
  errors: ['forbidden', 'conflict', 'rate_limited'],
});

export const useAccountLink = operation({
  id: 'useAccountLink',
  method: 'post',
  path: '/api/v1/account-links/use',
  summary: 'Use a link',
  description:
    'Creates the account of an invitation or of the first owner, or sets a new password or passkey, and signs the person in. Send either a password or a passkey. A link works once. A reset removes the earlier password and passkeys of the person and ends the sessions.',
  access: 'open',
  isForOwnPages: true,
  addressLimit: 'accountLinks',
  params: none,
  query: none,
  body: jsonBody(
    z
      .strictObject({
        token,
        password: newPassword.optional(),
        passkey: newPasskey.optional(),
        name: newName,
        email: newEmail,
      })
      .meta({
        id: 'AccountLinkUse',
        examples: [{ token: 'lectern_ln_…', name: 'Grace Hopper', password: EXAMPLE_PASSWORD }],
      }),
  ),
  success: 200,
  response: one(signedInSchema),
  responseHeaders: { 'Set-Cookie': 'The session.' },
  errors: ['forbidden', 'conflict', 'rate_limited'],
});
