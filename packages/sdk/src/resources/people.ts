import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** People who sign in, their sessions, invitations and groups. */
export const createPeople = (client: Client) => ({
  list: (query: Query<'listPeople'> = {}, options?: CallOptions) => client.list('listPeople', { query }, options),
  get: (id: string, options?: CallOptions) => client.call('getPerson', { path: { id } }, options),
  update: (id: string, body: Body<'updatePerson'>, options?: CallOptions) =>
    client.call('updatePerson', { path: { id }, body }, options),
  /** Returns a link with which the person sets a new password. It is not available later. */
  resetPassword: (id: string, options?: CallOptions) => client.call('createPasswordReset', { path: { id } }, options),
  sessions: (id: string, options?: CallOptions) => client.call('listPersonSessions', { path: { id } }, options),
  endSessions: (id: string, options?: CallOptions) => client.call('endPersonSessions', { path: { id } }, options),
  invitations: (query: Query<'listInvitations'> = {}, options?: CallOptions) =>
    client.list('listInvitations', { query }, options),
  /** Returns the link of the invitation. It is not available later. */
  invite: (body: Body<'createInvitation'>, options?: CallOptions) => client.call('createInvitation', { body }, options),
  deleteInvitation: (id: string, options?: CallOptions) => client.call('deleteInvitation', { path: { id } }, options),
  groups: (query: Query<'listGroups'> = {}, options?: CallOptions) => client.list('listGroups', { query }, options),
  group: (id: string, options?: CallOptions) => client.call('getGroup', { path: { id } }, options),
  createGroup: (body: Body<'createGroup'>, options?: CallOptions) => client.call('createGroup', { body }, options),
  updateGroup: (id: string, body: Body<'updateGroup'>, options?: CallOptions) =>
    client.call('updateGroup', { path: { id }, body }, options),
  deleteGroup: (id: string, options?: CallOptions) => client.call('deleteGroup', { path: { id } }, options),
  members: (id: string, query: Query<'listGroupMembers'> = {}, options?: CallOptions) =>
    client.list('listGroupMembers', { path: { id }, query }, options),
  addMember: (id: string, personId: string, options?: CallOptions) =>
    client.call('addGroupMember', { path: { id, personId } }, options),
  scimTokens: (query: Query<'listScimTokens'> = {}, options?: CallOptions) =>
    client.list('listScimTokens', { query }, options),
  /** Returns the token. It is not available later. */
  createScimToken: (body: Body<'createScimToken'>, options?: CallOptions) =>
    client.call('createScimToken', { body }, options),
  deleteScimToken: (id: string, options?: CallOptions) => client.call('deleteScimToken', { path: { id } }, options),
  removeMember: (id: string, personId: string, options?: CallOptions) =>
    client.call('removeGroupMember', { path: { id, personId } }, options),
});
