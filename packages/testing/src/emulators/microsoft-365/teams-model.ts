/** A team. Its id is that of its Microsoft 365 group, which has its members. */
interface GraphTeam {
  readonly id: string;
  readonly displayName: string;
}

export interface GraphChannelMember {
  readonly userId: string | null;
  readonly email: string | null;
  readonly tenantId: string;
  readonly displayName: string;
}

export interface GraphChannel {
  readonly id: string;
  readonly teamId: string;
  readonly displayName: string;
  readonly membershipType: 'standard' | 'private' | 'shared';
  /** Those of a private or shared channel. */
  readonly members: readonly GraphChannelMember[];
}

/** https://learn.microsoft.com/en-us/graph/api/resources/chatmessagepolicyviolation */
interface GraphPolicyViolation {
  /** Values are separated by commas. */
  readonly dlpAction: string;
  readonly userAction: string;
}

export interface GraphChatMessage {
  readonly id: string;
  readonly channelId: string;
  /** The first message of the thread; undefined for the first message itself. */
  readonly replyToId: string | undefined;
  readonly messageType: 'message' | 'systemEventMessage';
  readonly subject: string | null;
  readonly content: string;
  readonly contentType: 'html' | 'text';
  readonly author: string;
  readonly attachments: readonly object[];
  readonly created: string;
  readonly edited: string | null;
  readonly deleted: string | null;
  /** What a policy against data loss did. */
  readonly policyViolation: GraphPolicyViolation | null;
  /** Also changes with reactions. */
  readonly modified: string;
  /** The position of the last change of the thread; of the first message only. */
  readonly change: number;
}

type NewMessage = Partial<
  Pick<GraphChatMessage, 'subject' | 'contentType' | 'author' | 'attachments' | 'created' | 'messageType'>
>;

/** The teams of a tenant. */
export interface TeamsModel {
  readonly teams: ReadonlyMap<string, GraphTeam>;
  readonly channels: ReadonlyMap<string, GraphChannel>;
  readonly messages: ReadonlyMap<string, GraphChatMessage>;
  /** The position of the last change. */
  readonly changes: number;
  /** Makes a team of a Microsoft 365 group. */
  addTeam(groupId: string, displayName: string): GraphTeam;
  renameTeam(id: string, displayName: string): void;
  removeTeam(id: string): void;
  addChannel(
    teamId: string,
    displayName: string,
    channel?: Partial<Pick<GraphChannel, 'membershipType' | 'members'>>,
  ): GraphChannel;
  editChannel(id: string, channel: Partial<Pick<GraphChannel, 'displayName' | 'members'>>): void;
  removeChannel(id: string): void;
  post(channelId: string, content: string, message?: NewMessage): GraphChatMessage;
  reply(rootId: string, content: string, message?: NewMessage): GraphChatMessage;
  edit(id: string, content: string): void;
  /** Adds a reaction, which changes the time of a message but not its content. */
  react(id: string): void;
  /** Applies a policy against data loss to a message. */
  block(id: string, policyViolation: GraphPolicyViolation | null): void;
  /** Deletes a message. Its replies stay. */
  remove(id: string): void;
  /** Returns the first messages of a channel, the last changed thread first. */
  threads(channelId: string): readonly GraphChatMessage[];
  /** Returns the replies of a message, the newest first. */
  repliesOf(rootId: string): readonly GraphChatMessage[];
  channelsOf(teamId: string): readonly GraphChannel[];
}

export function createTeamsModel(uuidOf: (text: string) => string): TeamsModel {
  const teams = new Map<string, GraphTeam>();
  const channels = new Map<string, GraphChannel>();
  const messages = new Map<string, GraphChatMessage>();
  const replies = new Map<string, string[]>();
  const roots = new Map<string, string[]>();
  let changes = 0;
  let clock = Date.now();

  const now = (): string => {
    clock += 1;
    return new Date(clock).toISOString();
  };
  const known = (id: string): GraphChatMessage => {
    const message = messages.get(id);
    if (message === undefined) throw new Error(`There is no message ${id}.`);
    return message;
  };
  /** Moves the thread of a message to the end of its changes. */
  const touch = (id: string) => {
    const root = known(known(id).replyToId ?? id);
    changes += 1;
    messages.set(root.id, { ...root, change: changes });
  };
  const edit = (id: string, fields: Partial<GraphChatMessage>) => {
    messages.set(id, { ...known(id), ...fields });
    touch(id);
  };
  const put = (channelId: string, replyToId: string | undefined, content: string, message: NewMessage) => {
    const created = message.created ?? now();
    clock += 1;
    const added: GraphChatMessage = {
      ...{ id: String(clock), channelId, replyToId, messageType: 'message', subject: null, content },
      ...{ contentType: 'html', author: 'Ada Lovelace', attachments: [], edited: null, deleted: null, change: 0 },
      policyViolation: null,
      ...{ ...message, created, modified: created },
    };
    messages.set(added.id, added);
    touch(added.id);
    return known(added.id);
  };
  const removeChannel = (id: string) => {
    for (const root of roots.get(id) ?? []) {
      for (const reply of replies.get(root) ?? []) messages.delete(reply);
      messages.delete(root);
    }
    roots.delete(id);
    channels.delete(id);
  };
  const channelsOf = (teamId: string) => [...channels.values()].filter((channel) => channel.teamId === teamId);

  return {
    teams,
    channels,
    messages,
    get changes() {
      return changes;
    },
    addTeam: (id, displayName) => {
      const team = { id, displayName };
      teams.set(id, team);
      return team;
    },
    renameTeam: (id, displayName) => void teams.set(id, { id, displayName }),
    removeTeam: (id) => {
      teams.delete(id);
      for (const channel of channelsOf(id)) removeChannel(channel.id);
    },
    addChannel: (teamId, displayName, channel = {}) => {
      const id = `19:${uuidOf(`channel ${channels.size} ${displayName} ${now()}`).replaceAll('-', '')}@thread.tacv2`;
      const added = { id, teamId, displayName, membershipType: 'standard', members: [], ...channel } as const;
      channels.set(id, added);
      roots.set(id, []);
      return added;
    },
    editChannel: (id, channel) => {
      const before = channels.get(id);
      if (before !== undefined) channels.set(id, { ...before, ...channel });
    },
    removeChannel,
    post: (channelId, content, message = {}) => {
      const added = put(channelId, undefined, content, message);
      roots.get(channelId)?.push(added.id);
      return added;
    },
    reply: (rootId, content, message = {}) => {
      const added = put(known(rootId).channelId, rootId, content, message);
      replies.set(rootId, [...(replies.get(rootId) ?? []), added.id]);
      return added;
    },
    edit: (id, content) => {
      const time = now();
      edit(id, { content, edited: time, modified: time });
    },
    block: (id, policyViolation) => edit(id, { policyViolation, modified: now() }),
    react: (id) => edit(id, { modified: now() }),
    remove: (id) => {
      const time = now();
      edit(id, { content: '', subject: null, attachments: [], deleted: time, modified: time });
    },
    threads: (channelId) => (roots.get(channelId) ?? []).map(known).sort((a, b) => b.change - a.change),
    repliesOf: (rootId) => (replies.get(rootId) ?? []).map(known).toReversed(),
    channelsOf,
  };
}
