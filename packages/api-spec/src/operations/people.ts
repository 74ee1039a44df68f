import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  flag,
  idParams,
  integer,
  name,
  nullableTimestamp,
  ownId,
  pageQuery,
  text,
  timestamp,
  wireSchemas,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { ROLES } from '#roles';

const MAX_EMAIL = 254;
/** Completes “This API key may not …”. */
export const MANAGE_PEOPLE = 'manage people';

/** An email address in lower case. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL)
  .pipe(z.email('must be an email address'))
  .register(wireSchemas, {
    schema: { type: 'string', format: 'email', pattern: z.regexes.email.source, maxLength: 320 },
  })
  .meta({ description: 'The email address. Upper and lower case are the same.', examples: ['ada@example.com'] });

const ROLE = {
  id: 'Role',
  description:
    'What the person may do: a `member` searches, chats and reads their own conversations; an `editor` also changes collections, documents, connectors and agents; an `admin` also manages keys, people, the audit log and usage; an `owner` also manages owners.',
};
const STATUS = { id: 'PersonStatus', description: 'A `deactivated` person cannot sign in.' };
const role = z.enum(ROLES).meta(ROLE);
const status = z.enum(['active', 'deactivated']).meta(STATUS);

export const EXAMPLE_PERSON = {
  id: exampleId('person'),
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  role: 'member',
  effectiveRole: 'admin',
  groups: ['group:okta/Administrators'],
  status: 'active',
  createdAt: EXAMPLE_TIME,
  lastSignInAt: EXAMPLE_TIME,
};

export const personSchema = z
  .object({
    id: ownId('person'),
    email: text('The email address, in lower case.'),
    name: text('The name of the person.'),
    role: role.meta({ description: 'The person’s own role.' }),
    effectiveRole: role.meta({
      description: 'The role that counts: the person’s own role, or a higher one of a group.',
    }),
    groups: z.array(z.string()).meta({
      description: 'The principals of the person’s groups, at most 200. Groups of connectors are not included.',
    }),
    status,
    createdAt,
    lastSignInAt: nullableTimestamp('When the person last signed in. Null for never.'),
  })
  .meta({ id: 'Person', description: 'Someone who signs in to the console.', examples: [EXAMPLE_PERSON] });

const changes = z
  .strictObject({ name: name.meta({ description: 'The name of the person.' }), role, status })
  .partial()
  .meta({ id: 'PersonChanges', examples: [{ role: 'editor' }] });

export const sessionSchema = z
  .object({
    id: ownId('session'),
    ip: text('The address that signed in.'),
    userAgent: z.string().nullable().meta({ description: 'The `User-Agent` of the browser.' }),
    isCurrent: flag('True for the session that sends the request.'),
    createdAt,
    lastSeenAt: timestamp('When the session was last used.'),
    expiresAt: timestamp('When the session ends at the latest.'),
  })
  .meta({
    id: 'PersonSession',
    description: 'A browser in which a person is signed in.',
    examples: [
      {
        id: exampleId('session'),
        ip: '203.0.113.7',
        userAgent: 'Mozilla/5.0',
        isCurrent: true,
        createdAt: EXAMPLE_TIME,
        lastSeenAt: EXAMPLE_TIME,
        expiresAt: EXAMPLE_TIME,
      },
    ],
  });

export const endedSchema = z
  .object({ ended: integer('The number of sessions that were ended.') })
  .meta({ id: 'EndedSessions', description: 'The result of ending sessions.', examples: [{ ended: 2 }] });

const url = text('The link. It works once and is shown only in this response. Give it to the person.');
const expiresAt = timestamp('When the link stops working.');
const EXAMPLE_URL = 'https://lectern.example.com/console/join#lectern_ln_…';

const resetSchema = z.object({ url, expiresAt }).meta({
  id: 'PasswordReset',
  description: 'A link to set a new password or passkey.',
  examples: [{ url: EXAMPLE_URL, expiresAt: EXAMPLE_TIME }],
});

const invitation = {
  id: ownId('invitation'),
  email: text('The invited address.'),
  role,
  createdAt,
  expiresAt,
};
const INVITATION_EXAMPLE = {
  id: exampleId('invitation'),
  email: 'grace@example.com',
  role: 'member',
  createdAt: EXAMPLE_TIME,
  expiresAt: EXAMPLE_TIME,
};

const invitationSchema = z.object(invitation).meta({
  id: 'Invitation',
  description: 'An invitation that was not accepted yet.',
  examples: [INVITATION_EXAMPLE],
});

const newInvitationSchema = z.object({ ...invitation, url }).meta({
  id: 'NewInvitation',
  description: 'An invitation with its link.',
  examples: [{ ...INVITATION_EXAMPLE, url: EXAMPLE_URL }],
});

const newInvitationBody = z
  .strictObject({ email, role: role.default('member') })
  .meta({ id: 'InvitationInput', examples: [{ email: 'grace@example.com', role: 'member' }] });

export const listPeople = operation({
  id: 'listPeople',
  method: 'get',
  path: '/api/v1/people',
  summary: 'List people',
  description: 'Lists the people of the team by name, including deactivated ones.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: none,
  query: pageQuery.extend({
    query: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'Only people whose name or email address contains this, in upper or lower case.' }),
  }),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(personSchema)),
});

export const getPerson = operation({
  id: 'getPerson',
  method: 'get',
  path: '/api/v1/people/{id}',
  summary: 'Get a person',
  description: 'Returns the account of a person.',
  access: 'secret',
  versioned: true,
  fullScopeTo: MANAGE_PEOPLE,
  params: idParams('person'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(personSchema),
});

export const updatePerson = operation({
  id: 'updatePerson',
  method: 'put',
  path: '/api/v1/people/{id}',
  summary: 'Update a person',
  description:
    'Changes the name, the role or the status of a person. A new role takes effect within 5 seconds. A deactivated person is signed out everywhere within 5 seconds, and the unused links of this person stop working. Only owners change owners, and the last owner of a team stays one.',
  access: 'secret',
  versioned: true,
  fullScopeTo: MANAGE_PEOPLE,
  params: idParams('person'),
  query: none,
  body: jsonBody(changes),
  success: 200,
  response: one(personSchema),
});

export const createPasswordReset = operation({
  id: 'createPasswordReset',
  method: 'post',
  path: '/api/v1/people/{id}/password-reset',
  summary: 'Create a link to reset a password',
  description:
    'Creates a link with which the person sets a new password or passkey within 24 hours. Its use removes the earlier password and passkeys. An earlier link of this kind stops working. Only owners create one for an owner.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: idParams('person'),
  query: none,
  body: withoutBody,
  success: 201,
  response: one(resetSchema),
  returnsSecret: true,
});

export const listPersonSessions = operation({
  id: 'listPersonSessions',
  method: 'get',
  path: '/api/v1/people/{id}/sessions',
  summary: 'List the sessions of a person',
  description: 'Lists the browsers in which the person is signed in, the last used first.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: idParams('person'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(z.array(sessionSchema)),
});

export const endPersonSessions = operation({
  id: 'endPersonSessions',
  method: 'delete',
  path: '/api/v1/people/{id}/sessions',
  summary: 'End the sessions of a person',
  description:
    'Signs the person out everywhere within 5 seconds, and ends the access of connected apps. Only owners end the sessions of an owner.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: idParams('person'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(endedSchema),
});

export const listInvitations = operation({
  id: 'listInvitations',
  method: 'get',
  path: '/api/v1/invitations',
  summary: 'List invitations',
  description: 'Lists the invitations that were not accepted yet, newest first, including expired ones.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(invitationSchema)),
});

export const createInvitation = operation({
  id: 'createInvitation',
  method: 'post',
  path: '/api/v1/invitations',
  summary: 'Invite a person',
  description:
    'Creates a link with which the person creates an account within 7 days. Send the link to the person: Lectern sends no emails. It replaces an earlier invitation of the same address. Only owners invite owners.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: none,
  query: none,
  body: jsonBody(newInvitationBody),
  success: 201,
  response: one(newInvitationSchema),
  returnsSecret: true,
});

export const deleteInvitation = operation({
  id: 'deleteInvitation',
  method: 'delete',
  path: '/api/v1/invitations/{id}',
  summary: 'Delete an invitation',
  description: 'Deletes an invitation. Its link stops working.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: idParams('invitation'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});
