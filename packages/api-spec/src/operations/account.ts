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
  nullableTimestamp,
  ownId,
  text,
  timestamp,
  wireSchemas,
} from '#fields';
import { none, one, operation } from '#operation';
import { newPasskey, passkeyOptions } from '#operations/passkeys';
import { EXAMPLE_PERSON, endedSchema, personSchema, sessionSchema } from '#operations/people';
import { newPassword } from '#operations/sessions';

const EXAMPLE_PASSKEY = {
  id: exampleId('passkey'),
  name: 'Laptop',
  createdAt: EXAMPLE_TIME,
  lastUsedAt: null,
};

const passkeySchema = z
  .object({
    id: ownId('passkey'),
    name: text('What the person calls the passkey.'),
    createdAt,
    lastUsedAt: nullableTimestamp('When the passkey was last used to sign in. Null for never.'),
  })
  .meta({ id: 'Passkey', description: 'A passkey of the person.', examples: [EXAMPLE_PASSKEY] });

/** The languages in which Lectern writes to people, as BCP 47 tags. */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Without an enum, so that generated clients accept the languages of later versions. */
export const language = z
  .string()
  .refine((tag): tag is Language => LANGUAGES.some((known) => known === tag), `must be ${LANGUAGES.join(' or ')}`)
  .register(wireSchemas, { schema: { type: 'string', pattern: `^(${LANGUAGES.join('|')})$` } });

const accountSchema = z
  .object({
    person: personSchema,
    language: language.nullable().meta({
      description:
        'The language in which Lectern writes to the person, `en` or `de` (BCP 47). Null: that of the browser.',
    }),
    hasPassword: flag('True if the person can sign in with a password.'),
    passkeys: z.array(passkeySchema).meta({ description: 'The passkeys of the person, the oldest first.' }),
    canUsePasskeys: flag('True if passkeys work at the address of this request.'),
    confirmedUntil: timestamp(
      'Until when this session can change how the person signs in. Sign in again to extend it.',
    ),
  })
  .meta({
    id: 'Account',
    description: 'Your account and how you sign in.',
    examples: [
      {
        person: EXAMPLE_PERSON,
        language: 'de',
        hasPassword: true,
        passkeys: [EXAMPLE_PASSKEY],
        canUsePasskeys: true,
        confirmedUntil: EXAMPLE_TIME,
      },
    ],
  });

const accountChanges = z
  .strictObject({
    name: name.meta({ description: 'The name of the person.' }),
    language: language.nullable().meta({
      description:
        'The language in which Lectern writes to the person: `en` or `de` (BCP 47). Null for that of the browser.',
    }),
  })
  .partial()
  .meta({
    id: 'AccountChanges',
    description: 'The fields to change. Omitted ones stay.',
    examples: [{ name: 'Ada Lovelace', language: 'de' }],
  });

const own = { access: 'secret', isForPeople: true, query: none } as const;
const RECENT = 'It requires a session that started in the last 15 minutes.';

export const getAccount = operation({
  ...own,
  id: 'getAccount',
  method: 'get',
  path: '/api/v1/account',
  summary: 'Get your account',
  description: 'Returns the account of the signed-in person and the ways to sign in to it.',
  params: none,
  body: withoutBody,
  success: 200,
  response: one(accountSchema),
});

export const updateAccount = operation({
  ...own,
  id: 'updateAccount',
  method: 'put',
  path: '/api/v1/account',
  summary: 'Update your account',
  description: 'Changes the name or the language of the signed-in person.',
  params: none,
  body: jsonBody(accountChanges),
  success: 200,
  response: one(accountSchema),
});

export const addPassword = operation({
  ...own,
  id: 'addPassword',
  method: 'post',
  path: '/api/v1/account/password',
  summary: 'Add a password',
  description: `Sets a password for an account that has none, and ends the other sessions of the person. ${RECENT}`,
  params: none,
  body: jsonBody(
    z
      .strictObject({ password: newPassword })
      .meta({ id: 'NewPassword', examples: [{ password: 'correct horse battery staple' }] }),
  ),
  success: 200,
  response: one(accountSchema),
  errors: ['conflict'],
});

export const startPasskey = operation({
  ...own,
  id: 'startPasskey',
  method: 'post',
  path: '/api/v1/account/passkeys/options',
  summary: 'Start adding a passkey',
  description: `Returns the options with which the browser creates a passkey within 5 minutes. ${RECENT}`,
  params: none,
  body: withoutBody,
  success: 200,
  response: one(passkeyOptions),
  errors: ['conflict'],
});

export const addPasskey = operation({
  ...own,
  id: 'addPasskey',
  method: 'post',
  path: '/api/v1/account/passkeys',
  summary: 'Add a passkey',
  description: `Adds the passkey that the browser created. A person has at most 20. ${RECENT}`,
  params: none,
  body: jsonBody(newPasskey),
  success: 201,
  response: one(passkeySchema),
  errors: ['conflict'],
});

export const deletePasskey = operation({
  ...own,
  id: 'deletePasskey',
  method: 'delete',
  path: '/api/v1/account/passkeys/{id}',
  summary: 'Remove a passkey',
  description: `Removes a passkey of the signed-in person. The last way to sign in cannot be removed. ${RECENT}`,
  params: idParams('passkey'),
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
  errors: ['conflict'],
});

export const listOwnSessions = operation({
  ...own,
  id: 'listOwnSessions',
  method: 'get',
  path: '/api/v1/account/sessions',
  summary: 'List your sessions',
  description: 'Lists the browsers in which the person is signed in, the last used first.',
  params: none,
  body: withoutBody,
  success: 200,
  response: one(z.array(sessionSchema)),
});

export const endOwnSession = operation({
  ...own,
  id: 'endOwnSession',
  method: 'delete',
  path: '/api/v1/account/sessions/{id}',
  summary: 'End an own session',
  description: 'Signs the person out of one browser within 5 seconds.',
  params: idParams('session'),
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

export const endOwnSessions = operation({
  ...own,
  id: 'endOwnSessions',
  method: 'delete',
  path: '/api/v1/account/sessions',
  summary: 'Sign out everywhere',
  description:
    'Ends all sessions of the person within 5 seconds, including the one that sends the request, and the access of connected apps.',
  params: none,
  body: withoutBody,
  success: 200,
  response: one(endedSchema),
});
