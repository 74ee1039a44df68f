import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { Entries } from '#http/entries';
import type { BatchResult, GraphHttp } from '#microsoft-365/graph-http';
import { pageOf } from '#microsoft-365/graph-http';
import { batched } from '#microsoft-365/graph-lists';
import { encodePart, query } from '#microsoft-365/graph-query';
import { type DeltaPage, deltaPage, deltaResponse } from '#microsoft-365/listing/delta-page';
import { followPages } from '#microsoft-365/listing/follow-pages';
import { ChangedMessage, ChatMessage, RootMessage } from '#microsoft-365/teams/chat-message';
import { PART_ID, type ThreadPlace } from '#microsoft-365/teams/thread-id';
import { SourceError } from '#source-error';

/** A message can have 1,000 replies in a page. */
const MESSAGES_PER_PAGE = '20';
/** The maximum of a list of replies. */
const REPLIES_PER_PAGE = '50';
/** The clock of Microsoft can differ, and messages that a listing reads anyway do not matter. */
const OVERLAP_MS = 24 * 3_600_000;

const Team = z.object({ id: z.string().regex(PART_ID, 'is not an id'), displayName: z.string().default('') });
export type Team = z.infer<typeof Team>;

const Channel = z.object({
  id: z.string().regex(PART_ID, 'is not an id'),
  displayName: z.string().default(''),
  membershipType: z.string().optional(),
});
export type Channel = z.infer<typeof Channel>;

const Member = z.object({
  userId: z.string().optional(),
  email: z.string().optional(),
  tenantId: z.string().optional(),
});
export type Member = z.infer<typeof Member>;

const permission = (names: string) => `Add the application permission ${names} in Entra ID and grant admin consent.`;
const TEAMS = permission('Team.ReadBasic.All');
const CHANNELS = permission('Channel.ReadBasic.All');
const MESSAGES = permission('ChannelMessage.Read.All');
const MEMBERS = permission('ChannelMember.Read.All');

/** Without it, the type of a shared channel is unknown. https://learn.microsoft.com/en-us/graph/api/channel-list */
const ALL_TYPES = { prefer: 'include-unknown-enum-members' } as const;

type ChannelPlace = Omit<ThreadPlace, 'message'>;

/** A page of the messages of a channel, without later changes. */
interface MessagesPage {
  readonly items: Entries<RootMessage>;
  readonly next: string | undefined;
}

interface RepliesPage {
  readonly items: Entries<ChatMessage>;
  readonly next: string | undefined;
}

/** Requests for teams, channels and their messages. */
export interface TeamsApi {
  /** Finds teams by id, in their order. */
  teams(call: ConnectorCall, ids: readonly string[]): Promise<readonly BatchResult<Team>[]>;
  allTeams(call: ConnectorCall): AsyncGenerator<Entries<Team>, void, void>;
  channels(call: ConnectorCall, team: string): AsyncGenerator<Entries<Channel>, void, void>;
  /** Reads the members of a private or shared channel. */
  members(
    call: ConnectorCall,
    place: ChannelPlace,
    kind: 'members' | 'allMembers',
  ): AsyncGenerator<Entries<Member>, void, void>;
  /**
   * Reads a page of messages from a link or the beginning. `withReplies` counts at the beginning; a
   * link continues as it began.
   */
  messages(
    call: ConnectorCall,
    place: ChannelPlace,
    link: string | undefined,
    withReplies: boolean,
  ): Promise<MessagesPage>;
  /** Returns the address of later changes, which contain replies unless these are too large. */
  latest(call: ConnectorCall, place: ChannelPlace): Promise<string>;
  changes(call: ConnectorCall, link: string): Promise<DeltaPage<ChangedMessage>>;
  message(call: ConnectorCall, place: ThreadPlace): Promise<ChatMessage>;
  /** Reads a page of replies, from a link or the beginning. */
  replies(call: ConnectorCall, place: ThreadPlace, link: string | undefined): Promise<RepliesPage>;
}

const teamPath = (team: string) => `/teams/${encodePart(team)}`;
const channelPath = ({ team, channel }: ChannelPlace) => `${teamPath(team)}/channels/${encodePart(channel)}`;
const messagePath = (place: ThreadPlace) => `${channelPath(place)}/messages/${encodePart(place.message)}`;

const expand = (withReplies: boolean): Readonly<Record<string, string>> => (withReplies ? { $expand: 'replies' } : {});

const ChangesResponse = deltaResponse(ChangedMessage);

export function createTeamsApi(http: GraphHttp): TeamsApi {
  const ofMessages = { what: 'the messages of a channel', permission: MESSAGES };
  const ofReplies = { what: 'the replies of a message', permission: MESSAGES };

  const changes: TeamsApi['changes'] = async (call, link) =>
    deltaPage(await http.follow(call, link, ofMessages, ChangesResponse), 'messages');

  // A query for everything would return the messages of eight months.
  const latest = async (call: ConnectorCall, place: ChannelPlace, withReplies: boolean): Promise<string> => {
    const since = new Date(Date.now() - OVERLAP_MS).toISOString();
    const $filter = `lastModifiedDateTime gt ${since}`;
    const options = query({ $top: MESSAGES_PER_PAGE, ...expand(withReplies), $filter });
    const path = `${channelPath(place)}/messages/delta?${options}`;
    const read = async (link: string | undefined) =>
      link === undefined
        ? deltaPage(await http.get(call, { ...ofMessages, path }, ChangesResponse), 'messages')
        : changes(call, link);
    let found = '';
    for await (const page of followPages({ read, from: undefined, what: 'messages of a channel' })) {
      found = page.delta ?? found;
    }
    return found;
  };

  return {
    teams: (call, ids) =>
      batched(
        http,
        call,
        ids.map((id) => ({
          ...{ path: `${teamPath(id)}?$select=id,displayName`, what: `the team ${id}`, permission: TEAMS },
        })),
        Team,
      ),
    allTeams: (call) =>
      http.pages(call, { path: '/teams?$select=id,displayName', what: 'the list of teams', permission: TEAMS }, Team),
    channels: (call, team) =>
      http.pages(
        call,
        {
          ...{ path: `${teamPath(team)}/channels?$select=id,displayName,membershipType`, headers: ALL_TYPES },
          ...{ what: `the channels of the team ${team}`, permission: CHANNELS },
        },
        Channel,
      ),
    members: (call, place, kind) =>
      http.pages(
        call,
        { path: `${channelPath(place)}/${kind}`, what: 'the members of a channel', permission: MEMBERS },
        Member,
      ),
    messages: async (call, place, link, withReplies) => {
      const schema = pageOf(RootMessage);
      const path = `${channelPath(place)}/messages?${query({ $top: MESSAGES_PER_PAGE, ...expand(withReplies) })}`;
      const page = await (link === undefined
        ? http.get(call, { ...ofMessages, path }, schema)
        : http.follow(call, link, ofMessages, schema));
      return { items: page.value, next: page['@odata.nextLink'] };
    },
    latest: async (call, place) => {
      try {
        return await latest(call, place, true);
      } catch (error) {
        if (!(error instanceof SourceError) || error.kind !== 'too_large') throw error;
        return latest(call, place, false);
      }
    },
    changes,
    message: (call, place) =>
      http.get(call, { path: messagePath(place), what: 'the message', permission: MESSAGES }, ChatMessage),
    replies: async (call, place, link) => {
      const schema = pageOf(ChatMessage);
      const path = `${messagePath(place)}/replies?$top=${REPLIES_PER_PAGE}`;
      const page = await (link === undefined
        ? http.get(call, { ...ofReplies, path }, schema)
        : http.follow(call, link, ofReplies, schema));
      return { items: page.value, next: page['@odata.nextLink'] };
    },
  };
}
