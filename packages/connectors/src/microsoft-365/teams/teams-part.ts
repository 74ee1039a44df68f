import type { CheckStep } from '#checks/run-checks';
import type { ConnectorCall } from '#connector';
import { orNull } from '#http/or-null';
import { readChanges, readCursor } from '#microsoft-365/listing/change-feed';
import type { Part } from '#microsoft-365/part';
import { type ChannelReadersContext, readChannelGroups, readThreadReaders } from '#microsoft-365/teams/channel-readers';
import { listThreads, namesOf, readReplies } from '#microsoft-365/teams/list-threads';
import { createTeamPlaces, type TeamPlace, type TeamPlaces, type TeamsScope } from '#microsoft-365/teams/team-places';
import type { Channel, TeamsApi } from '#microsoft-365/teams/teams-api';
import { createTeamsFeed } from '#microsoft-365/teams/teams-feed';
import { type ThreadDocument, threadDocument } from '#microsoft-365/teams/thread-html';
import { parseThreadId } from '#microsoft-365/teams/thread-id';
import { SourceError } from '#source-error';

/** The number of teams in which a test looks for channels. */
const TESTED_TEAMS = 5;

function createChecks(api: TeamsApi, places: TeamPlaces): Part['checks'] {
  return (call: ConnectorCall): readonly CheckStep[] => {
    let teams: readonly TeamPlace[] = [];
    const channels: { readonly team: string; readonly channel: Channel }[] = [];
    return [
      [
        'teams',
        async () => {
          const { places: all, unreadable } = await places.find(call);
          const [first] = unreadable;
          if (first !== undefined) throw new SourceError('invalid', `${first.name}: ${first.error.message}`);
          teams = all;
          return `${all.length} teams were found.`;
        },
      ],
      [
        'channel messages',
        async () => {
          for (const team of teams.slice(0, TESTED_TEAMS)) {
            const { items } = await places.channels(call, team.id);
            channels.push(...items.map((channel) => ({ team: team.id, channel })));
          }
          const [first] = channels;
          if (first === undefined) return 'Channels can be listed; the first teams have none.';
          await api.messages(call, { team: first.team, channel: first.channel.id }, undefined, false);
          return 'Messages of channels can be listed.';
        },
      ],
      [
        'channel members',
        async () => {
          const limited = channels.find(({ channel }) => ['private', 'shared'].includes(channel.membershipType ?? ''));
          if (limited === undefined) return 'The first teams have no private or shared channels.';
          const { team, channel } = limited;
          const list = channel.membershipType === 'shared' ? 'allMembers' : 'members';
          for await (const _ of api.members(call, { team, channel: channel.id }, list)) break;
          return 'Members of private and shared channels can be listed.';
        },
      ],
    ];
  };
}

export interface TeamsPartContext extends Omit<ChannelReadersContext, 'places'> {
  readonly maxItemBytes: number;
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}

/** The threads of the channels of teams. */
export function createTeamsPart({ maxItemBytes, ...shared }: TeamsPartContext, scope: TeamsScope): Part {
  const { api } = shared;
  const places = createTeamPlaces(api, scope);
  const listing = { api, places };
  const readers = { ...shared, places };
  const feed = createTeamsFeed(listing);

  /** Reads a thread; null if it does not exist, or has no visible messages. */
  const findThread = async (call: ConnectorCall, id: string): Promise<ThreadDocument | null> => {
    const place = parseThreadId(id);
    const team = place === undefined ? undefined : await places.place(call, place.team);
    if (place === undefined || team === undefined) return null;
    const channels = await orNull(places.knownChannels(call, team.id));
    const channel = channels?.items.find((each) => each.id === place.channel);
    if (channel === undefined) {
      if (channels === null || channels.unreadable.length === 0) return null;
      throw new SourceError('forbidden', 'A channel of the team is unreadable.');
    }
    const root = await orNull(api.message(call, place));
    if (root === null) return null;
    const thread = await orNull(readReplies(listing, call, { place, root }));
    if (thread === null) return null;
    const [entry] = thread.replies.unreadable;
    if (entry !== undefined) throw new SourceError('invalid', `A reply has an unexpected format: ${entry.problem}.`);
    return threadDocument(thread, namesOf(team, channel)) ?? null;
  };

  return {
    name: 'teams',
    label: 'Teams',
    owns: (id) => parseThreadId(id) !== undefined,
    checks: createChecks(api, places),
    list: (call, from) => listThreads(listing, call, from),
    cursor: (call) => readCursor(feed, call),
    changes: (call, from) => readChanges(feed, call, from),
    resolve: async (call, id) => (await findThread(call, id))?.ref ?? null,
    fetch: async (call, ref) => {
      const thread = await findThread(call, ref.id);
      if (thread === null) throw new SourceError('gone', `${ref.path} was deleted.`);
      if (Buffer.byteLength(thread.html) > maxItemBytes) {
        throw new SourceError('too_large', `${ref.path} is larger than the limit of ${maxItemBytes} bytes.`);
      }
      const { message = 'thread' } = parseThreadId(ref.id) ?? {};
      const { html, metadata } = thread;
      return { body: bytesOf(html), version: thread.ref.version, fileName: `${message}.html`, metadata };
    },
    permissions: (call, refs) => readThreadReaders(readers, call, refs),
    groups: (call) => readChannelGroups(readers, call),
  };
}
