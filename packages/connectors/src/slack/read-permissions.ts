import type { ConnectorCall } from '../connector.ts';
import { groupPrincipal } from '../settings/group-principal.ts';
import type { SourceGroup, SourcePermissions, SourceRef } from '../source.ts';
import { SourceError } from '../source-error.ts';
import { isFullMember, principalOf } from './people.ts';
import { type Channel, MemberPage, type User } from './slack-forms.ts';
import { parseThreadId } from './thread-id.ts';
import type { Workspace } from './workspace.ts';

const workspaceGroup = (teamId: string): string => groupPrincipal('slack', teamId);
/** Slack does not promise that a channel's id is of one workspace alone, and a shared channel has other members in each. */
const channelGroup = ({ id }: Channel, teamId: string): string => groupPrincipal('slack', id, teamId);

/**
 * A private channel is read by its members. A public one is read by every full member of the workspace, and by the guests who are in
 * it; it is not `public`: Slack shows it to nobody else.
 */
function readersOf(channel: Channel, teamId: string): readonly string[] {
  const members = channelGroup(channel, teamId);
  return channel.is_private ? [members] : [workspaceGroup(teamId), members];
}

/** Who may read each thread or file. A channel that is not seen any more is nobody's. */
export async function* readPermissions(
  of: Workspace,
  call: ConnectorCall,
  refs: readonly SourceRef[],
): AsyncGenerator<SourcePermissions, void, void> {
  const { chosen } = await of.channels.recent(call);
  const { team_id: teamId } = await of.self(call);
  const channels = new Map(chosen.map((channel) => [channel.id, channel]));
  for (const { id } of refs) {
    const channel = channels.get(parseThreadId(id)?.channel ?? '');
    yield { id, principals: channel === undefined ? [] : readersOf(channel, teamId) };
  }
}

async function membersOf(of: Workspace, call: ConnectorCall, channel: Channel, people: ReadonlyMap<string, User>) {
  const members = new Set<string>();
  try {
    const parameters = { channel: channel.id };
    for await (const page of of.api.pages(call, 'conversations.members', parameters, MemberPage)) {
      for (const id of page.members.items) if (!people.get(id)?.deleted) members.add(principalOf(id, people));
    }
  } catch (error) {
    // Not to be told (any more): then nobody is in it.
    if (!(error instanceof SourceError) || !['gone', 'forbidden', 'invalid'].includes(error.kind)) throw error;
  }
  return [...members];
}

/** The workspace's full members as one group, and the members of each chosen channel as another. */
export async function* readGroups(of: Workspace, call: ConnectorCall): AsyncGenerator<SourceGroup, void, void> {
  const { chosen } = await of.channels.read(call);
  const { team_id: teamId } = await of.self(call);
  const people = await of.people.all(call);
  const full = [...people.values()].filter((user) => isFullMember(user, teamId));
  yield { principal: workspaceGroup(teamId), members: full.map((user) => principalOf(user.id, people)) };
  for (const channel of chosen) {
    yield { principal: channelGroup(channel, teamId), members: await membersOf(of, call, channel, people) };
  }
}
