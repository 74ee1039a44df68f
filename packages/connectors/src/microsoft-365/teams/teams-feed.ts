import { createHash } from 'node:crypto';
import { wholeList } from '#http/entries';
import type { ChangeFeed } from '#microsoft-365/listing/change-feed';
import type { ChangedMessage } from '#microsoft-365/teams/chat-message';
import { namesOf, type TeamsListing, threadEvents } from '#microsoft-365/teams/list-threads';
import type { ChannelNames } from '#microsoft-365/teams/thread-html';
import { isUnreadable } from '#readers/reader-lists';

/** With more channels, a cursor is too large, and each sync lists all messages. */
const MAX_CHANNELS = 500;

/** The documents of a channel contain its name and that of its team. */
function keyOf({ team, channel }: ChannelNames): string {
  const names = createHash('sha256')
    .update(JSON.stringify([team.name, channel.name]))
    .digest('hex');
  return `${team.id}/${channel.id}#${names.slice(0, 8)}`;
}

/**
 * The changes of all channels. A new reply is a change of its thread.
 * https://learn.microsoft.com/en-us/graph/api/chatmessage-delta
 */
export function createTeamsFeed(listing: TeamsListing): ChangeFeed<ChannelNames, ChangedMessage> {
  const { api, places } = listing;
  return {
    words: { unit: 'channel', units: 'channels' },
    maxUnits: MAX_CHANNELS,
    units: async (call) => {
      const { places: found, unreadableEntries } = await places.find(call);
      wholeList({ items: [], unreadable: unreadableEntries }, 'the list of teams');
      const units = new Map<string, ChannelNames>();
      for (const team of found) {
        try {
          for (const channel of wholeList(await places.channels(call, team.id), 'the list of channels')) {
            const names = namesOf(team, channel);
            units.set(keyOf(names), names);
          }
        } catch (error) {
          if (!isUnreadable(error)) throw error;
        }
        // The feed rejects so many; the rest is not needed.
        if (units.size > MAX_CHANNELS) break;
      }
      return units;
    },
    latest: (call, { team, channel }) => api.latest(call, { team: team.id, channel: channel.id }),
    read: (call, link) => api.changes(call, link),
    events: (names) => (call, page) => threadEvents(listing, call, { names, reportsUnwanted: true }, page.items),
  };
}
