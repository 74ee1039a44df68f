import type { ConnectorCall } from '#connector';
import { groupPrincipal } from '#settings/group-principal';
import { isFullMember, principalOf } from '#slack/people';
import { type Channel, MemberPage, type User } from '#slack/slack-schemas';
import { parseThreadId } from '#slack/thread-id';
import type { Workspace } from '#slack/workspace';
import type { SourceGroup, SourcePermissions, SourceRef } from '#source';
import { SourceError } from '#source-error';

const workspaceGroup = (teamId: string): string => groupPrincipal('slack', teamId);
/**
 * Channel ids are not guaranteed to be unique across workspaces, and a shared channel has different
 * members in each.
 */
const channelGroup = ({ id }: Channel, teamId: string): string => groupPrincipal('slack', id, teamId);

/**
 * Returns the readers of a channel. A private channel is readable by its members, a public one by
 * all full members of the workspace and the guests who are in it. It is not `public`, because it is
 * not visible outside the workspace.
 */
function readersOf(channel: Channel, teamId: string): readonly string[] {
  const members = channelGroup(channel, teamId);
  return channel.is_private ? [members] : [workspaceGroup(teamId), members];
}

/**
 * Yields the readers of each thread or file. No one can read a channel that is no longer visible.
 */
export async function* readPermissions(
  workspace: Workspace,
  call: ConnectorCall,
  refs: readonly SourceRef[],
): AsyncGenerator<SourcePermissions, void, void> {
  const { selected } = await workspace.channels.recent(call);
  const { team_id: teamId } = await workspace.self(call);
  const channels = new Map(selected.map((channel) => [channel.id, channel]));
  for (const { id } of refs) {
    const channel = channels.get(parseThreadId(id)?.channel ?? '');
    yield { id, principals: channel === undefined ? [] : readersOf(channel, teamId) };
  }
}

async function membersOf(
  workspace: Workspace,
  call: ConnectorCall,
  channel: Channel,
  people: ReadonlyMap<string, User>,
) {
  const members = new Set<string>();
  try {
    const parameters = { channel: channel.id };
    for await (const page of workspace.api.pages(call, 'conversations.members', parameters, MemberPage)) {
      for (const id of page.members.items) if (!people.get(id)?.deleted) members.add(principalOf(id, people));
    }
  } catch (error) {
    // Without access to the members, the group is empty.
    if (!(error instanceof SourceError) || !['gone', 'forbidden', 'invalid'].includes(error.kind)) throw error;
  }
  return [...members];
}

/**
 * Yields a group with the workspace's full members, and one with the members of each selected
 * channel.
 */
export async function* readGroups(workspace: Workspace, call: ConnectorCall): AsyncGenerator<SourceGroup, void, void> {
  const { selected } = await workspace.channels.read(call);
  const { team_id: teamId } = await workspace.self(call);
  const people = await workspace.people.all(call);
  const full = [...people.values()].filter((user) => isFullMember(user, teamId));
  yield { principal: workspaceGroup(teamId), members: full.map((user) => principalOf(user.id, people)) };
  for (const channel of selected) {
    yield { principal: channelGroup(channel, teamId), members: await membersOf(workspace, call, channel, people) };
  }
}
