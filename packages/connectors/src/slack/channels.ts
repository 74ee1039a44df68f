import type { ConnectorCall } from '#connector';
import type { Entries, UnreadableEntry } from '#http/entries';
import type { SlackApi } from '#slack/slack-api';
import { SlackError } from '#slack/slack-error';
import { type Channel, ChannelPage } from '#slack/slack-schemas';

const CACHE_MS = 60_000;

/** The channels selected by the settings. */
interface SelectedChannels {
  /** Sorted by id. */
  readonly selected: readonly Channel[];
  /** Entries of `config.channels` without a channel that is visible to the app. */
  readonly missing: readonly string[];
  /** Channels for which it is unknown whether they are selected. */
  readonly unreadable: readonly UnreadableEntry[];
  /** Names of all channels seen, for mentions. */
  readonly names: ReadonlyMap<string, string>;
}

export interface Channels {
  /** Requests the current channels. */
  read(call: ConnectorCall): Promise<SelectedChannels>;
  /** Returns channels that are at most a minute old. */
  recent(call: ConnectorCall): Promise<SelectedChannels>;
}

async function listAll(api: SlackApi, call: ConnectorCall, types: string): Promise<Entries<Channel>> {
  const all = new Map<string, Channel>();
  const unreadable: UnreadableEntry[] = [];
  for await (const page of api.pages(call, 'conversations.list', { types, exclude_archived: 'false' }, ChannelPage)) {
    for (const channel of page.channels.items) all.set(channel.id, channel);
    unreadable.push(...page.channels.unreadable);
  }
  return { items: [...all.values()], unreadable };
}

/** Includes private channels if the app has the scope for them. */
async function listNamed(api: SlackApi, call: ConnectorCall): Promise<Entries<Channel>> {
  try {
    return await listAll(api, call, 'public_channel,private_channel');
  } catch (error) {
    if (!(error instanceof SlackError) || error.code !== 'missing_scope') throw error;
    return listAll(api, call, 'public_channel');
  }
}

const plain = (wanted: string): string => wanted.replace(/^#/, '');

const isNamed = (channel: Channel, wanted: string): boolean =>
  channel.id === plain(wanted) || channel.name?.toLowerCase() === plain(wanted).toLowerCase();

function choose({ items: all, unreadable }: Entries<Channel>, wanted: readonly string[]): SelectedChannels {
  // By default: the public channels that the app was invited to.
  const selected =
    wanted.length === 0
      ? all.filter((channel) => channel.is_private !== true && channel.is_member !== false)
      : all.filter((channel) => wanted.some((name) => isNamed(channel, name)));
  return {
    selected: [...selected].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    missing: wanted.filter((name) => !all.some((channel) => isNamed(channel, name))),
    unreadable,
    names: new Map(all.map((channel) => [channel.id, channel.name ?? channel.id])),
  };
}

export function createChannels(api: SlackApi, wanted: readonly string[], now: () => number = Date.now): Channels {
  let last: { readonly at: number; readonly channels: SelectedChannels } | undefined;
  const read = async (call: ConnectorCall): Promise<SelectedChannels> => {
    const all = wanted.length === 0 ? await listAll(api, call, 'public_channel') : await listNamed(api, call);
    const channels = choose(all, wanted);
    last = { at: now(), channels };
    return channels;
  };
  return {
    read,
    recent: async (call) => (last !== undefined && now() - last.at < CACHE_MS ? last.channels : read(call)),
  };
}
