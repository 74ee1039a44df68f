import type { ConnectorCall } from '#connector';
import { type Entries, failedEntry, type UnreadableEntry } from '#http/entries';
import { lastOfEach } from '#microsoft-365/listing/delta-page';
import { followPages } from '#microsoft-365/listing/follow-pages';
import { listPlaces, type PlaceLister } from '#microsoft-365/listing/list-places';
import type { ChangedMessage, ChatMessage, RootMessage, Thread } from '#microsoft-365/teams/chat-message';
import type { TeamPlace, TeamPlaces } from '#microsoft-365/teams/team-places';
import type { Channel, Team, TeamsApi } from '#microsoft-365/teams/teams-api';
import { type ChannelNames, threadDocument } from '#microsoft-365/teams/thread-html';
import { type ThreadPlace, threadItemId } from '#microsoft-365/teams/thread-id';
import { isUnreadable } from '#readers/reader-lists';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

export interface TeamsListing {
  readonly api: TeamsApi;
  readonly places: TeamPlaces;
}

/** The maximum number of replies of a document. Teams returns the newest first. */
const MAX_REPLIES = 5_000;
/** If the application may not read any of so many teams or channels, it lacks a permission. */
const MIN_DENIED = 3;

const words = { places: 'the list of teams', units: 'the list of channels' };

export const namesOf = (team: Team, channel: Channel): ChannelNames => ({
  team: { id: team.id, name: team.displayName || team.id },
  channel: { id: channel.id, name: channel.displayName || channel.id },
});

/** The replies that a list returned with a message, and the link to more. */
interface FirstReplies {
  readonly entries: Entries<ChatMessage>;
  readonly link: string | undefined;
}

/** Reads the replies of a message, up to a limit: those after the first ones, or all. */
export async function readReplies(
  { api }: Pick<TeamsListing, 'api'>,
  call: ConnectorCall,
  { place, root, first }: { readonly place: ThreadPlace; readonly root: ChatMessage; readonly first?: FirstReplies },
): Promise<Thread> {
  const replies = new Map((first?.entries.items ?? []).map((reply) => [reply.id, reply]));
  const unreadable: UnreadableEntry[] = [...(first?.entries.unreadable ?? [])];
  const read = (link: string | undefined) => api.replies(call, place, link);
  const isRead = first !== undefined && first.link === undefined;
  let isCut = false;
  const pages = { read, from: first?.link, what: 'replies of a message', linksExpire: true };
  if (!isRead) {
    for await (const page of followPages(pages)) {
      for (const reply of page.items.items) replies.set(reply.id, reply);
      unreadable.push(...page.items.unreadable);
      isCut = replies.size > MAX_REPLIES;
      if (isCut) break;
    }
  }
  return { root, replies: { items: [...replies.values()].slice(0, MAX_REPLIES), unreadable }, isCut };
}

export interface ThreadPage {
  readonly names: ChannelNames;
  /** True if a thread without visible messages is reported as gone. */
  readonly reportsUnwanted: boolean;
}

/** Returns the event for a message from a list. A message with an unreadable reply fails alone. */
async function threadEvent(
  listing: TeamsListing,
  call: ConnectorCall,
  { names, reportsUnwanted }: ThreadPage,
  root: RootMessage,
): Promise<SourceEvent | undefined> {
  const place = { team: names.team.id, channel: names.channel.id, message: root.id };
  const id = threadItemId(place);
  try {
    const { replies: entries, 'replies@odata.nextLink': more } = root;
    const first = entries === undefined ? {} : { first: { entries, link: more } };
    const thread = await readReplies(listing, call, { place, root, ...first });
    const [entry] = thread.replies.unreadable;
    if (entry !== undefined) return failedEntry(entry, { id, what: 'the replies of a message' });
    const document = threadDocument(thread, names);
    if (document !== undefined) return { type: 'item', ref: document.ref };
    return reportsUnwanted ? { type: 'gone', id } : undefined;
  } catch (error) {
    if (!(error instanceof SourceError) || !(isUnreadable(error) || error.kind === 'too_large')) throw error;
    return { type: 'failed', id, path: id, error: { code: error.kind, message: error.message } };
  }
}

/** Yields the events of a page of messages. */
export async function* threadEvents(
  listing: TeamsListing,
  call: ConnectorCall,
  page: ThreadPage,
  { items, unreadable }: Entries<ChangedMessage>,
): AsyncGenerator<SourceEvent, void, void> {
  const { team, channel } = page.names;
  const idOf = (message: string) => threadItemId({ team: team.id, channel: channel.id, message });
  for (const entry of unreadable) {
    const id = entry.id === undefined ? undefined : idOf(entry.id);
    yield failedEntry(entry, { id, what: 'the messages of a channel' });
  }
  for (const message of lastOfEach(items)) {
    const event: SourceEvent | undefined =
      'isRemoved' in message ? { type: 'gone', id: idOf(message.id) } : await threadEvent(listing, call, page, message);
    if (event !== undefined) yield event;
  }
}

/**
 * Returns the reader of the messages of a channel. If a page with all replies is too large, the list
 * starts again without replies, which are then requested for each message.
 */
function readWithin(api: TeamsApi, call: ConnectorCall, place: Omit<ThreadPlace, 'message'>) {
  let withReplies = true;
  return async (link: string | undefined) => {
    try {
      return await api.messages(call, place, link, withReplies);
    } catch (error) {
      if (!withReplies || !(error instanceof SourceError) || error.kind !== 'too_large') throw error;
      withReplies = false;
      return api.messages(call, place, undefined, false);
    }
  };
}

/**
 * Lists the threads of all channels. The delta query covers only eight months, so this reads the
 * list of messages. New replies change its order, so it can miss threads.
 * https://learn.microsoft.com/en-us/graph/api/channel-list-messages
 */
export function listThreads(
  listing: TeamsListing,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const { api, places } = listing;
  const lister: PlaceLister<TeamPlace, Channel> = {
    words,
    minDenied: MIN_DENIED,
    find: places.find,
    units: (own, team) => places.channels(own, team.id),
    async *list(own, team, channel, link) {
      const place = { team: team.id, channel: channel.id };
      const names = namesOf(team, channel);
      const pages = { read: readWithin(api, own, place), what: 'messages of a channel', linksExpire: true };
      for await (const page of followPages({ ...pages, from: link })) {
        yield* threadEvents(listing, own, { names, reportsUnwanted: false }, page.items);
        yield { type: 'position', link: page.next };
      }
    },
  };
  return listPlaces(lister, call, from);
}
