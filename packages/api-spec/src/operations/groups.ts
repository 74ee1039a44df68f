import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  idParam,
  idParams,
  integer,
  name,
  ownId,
  pageQuery,
  text,
  updatedAt,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { MANAGE_PEOPLE, personSchema } from '#operations/people';

const ROLE = {
  id: 'GroupRole',
  description:
    'The least role of the members. A member with a higher role keeps it. No group makes owners: only owners do.',
};
const role = z.enum(['editor', 'admin']).meta(ROLE);
const nullableRole = role.nullable().meta({ description: 'The least role of the members. Null for none.' });

const EXAMPLE_GROUP = {
  id: exampleId('group'),
  name: 'Support team',
  source: 'okta',
  managedBy: 'sign_in',
  principal: 'group:okta/Support%20team',
  role: 'editor',
  memberCount: 12,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

const groupSchema = z
  .object({
    id: ownId('group'),
    name: text('The name of the group.'),
    source: text('The short name of the identity provider, or `lectern` for a group that an admin created.', 'okta'),
    managedBy: z.enum(['scim', 'sign_in', 'admin']).meta({
      id: 'GroupManager',
      description:
        'Who decides the name and the members: `sign_in` for groups that a sign-in reports, `admin` for groups that an admin created. `scim` is reserved.',
    }),
    principal: text('The principal of the members. Documents and connectors can name it.', 'group:okta/Support%20team'),
    role: nullableRole,
    memberCount: integer('The number of members, including deactivated ones.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Group', description: 'A group of people.', examples: [EXAMPLE_GROUP] });

const newGroup = z
  .strictObject({ name: name.meta({ description: 'The name of the group.' }), role: nullableRole.default(null) })
  .meta({ id: 'GroupInput', examples: [{ name: 'Support team', role: 'editor' }] });

const changes = z
  .strictObject({
    name: name.meta({ description: 'The name. Only admins’ own groups can be renamed here.' }),
    role: nullableRole,
  })
  .partial()
  .meta({ id: 'GroupChanges', examples: [{ role: 'editor' }] });

const memberParams = z.object({ id: idParam('group'), personId: idParam('person') });

export const listGroups = operation({
  id: 'listGroups',
  method: 'get',
  path: '/api/v1/groups',
  summary: 'List groups',
  description: 'Lists the groups of the team by source and name.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(groupSchema)),
});

export const createGroup = operation({
  id: 'createGroup',
  method: 'post',
  path: '/api/v1/groups',
  summary: 'Create a group',
  description: 'Creates a group that admins manage. Its principal is `group:lectern/<name>`.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: none,
  query: none,
  body: jsonBody(newGroup),
  success: 201,
  response: one(groupSchema),
});

export const getGroup = operation({
  id: 'getGroup',
  method: 'get',
  path: '/api/v1/groups/{id}',
  summary: 'Get a group',
  description: 'Returns a group.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: idParams('group'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(groupSchema),
});

export const updateGroup = operation({
  id: 'updateGroup',
  method: 'put',
  path: '/api/v1/groups/{id}',
  summary: 'Update a group',
  description:
    'Changes the role of the members, or the name. It takes effect within 5 seconds. A new name changes the principal: documents that name the old one are no longer visible to the members.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: idParams('group'),
  query: none,
  body: jsonBody(changes),
  success: 200,
  response: one(groupSchema),
});

export const deleteGroup = operation({
  id: 'deleteGroup',
  method: 'delete',
  path: '/api/v1/groups/{id}',
  summary: 'Delete a group',
  description:
    'Deletes a group and its role. The people stay. An identity provider can create the group again if it still has it.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: idParams('group'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

export const listGroupMembers = operation({
  id: 'listGroupMembers',
  method: 'get',
  path: '/api/v1/groups/{id}/members',
  summary: 'List the members of a group',
  description: 'Lists the members of a group by name, including deactivated ones.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: idParams('group'),
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(personSchema)),
});

export const addGroupMember = operation({
  id: 'addGroupMember',
  method: 'put',
  path: '/api/v1/groups/{id}/members/{personId}',
  summary: 'Add a member to a group',
  description: 'Adds a person to a group that admins manage. It takes effect within 5 seconds.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: memberParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(groupSchema),
});

export const removeGroupMember = operation({
  id: 'removeGroupMember',
  method: 'delete',
  path: '/api/v1/groups/{id}/members/{personId}',
  summary: 'Remove a member from a group',
  description: 'Removes a person from a group that admins manage. It takes effect within 5 seconds.',
  access: 'secret',
  fullScopeTo: MANAGE_PEOPLE,
  params: memberParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(groupSchema),
});
