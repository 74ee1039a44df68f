/** The data of the Slack emulator. Tests change it with these functions, also during a listing. */

export interface SlackFileModel {
  readonly id: string;
  readonly name: string;
  readonly mimetype: string;
  readonly bytes: Uint8Array;
  /** The external location of a file that Slack only links to. */
  readonly externalUrl?: string;
}

export interface SlackMessageModel {
  readonly ts: string;
  readonly user: string | undefined;
  text: string;
  readonly threadTs: string | undefined;
  readonly subtype: string | undefined;
  editedTs: string | undefined;
  readonly files: readonly SlackFileModel[];
  extra: Readonly<Record<string, unknown>>;
}

export interface SlackUserModel {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  email: string | undefined;
  deleted: boolean;
  guest: boolean;
  readonly bot: boolean;
  /** False until the person opened the link in an email of Slack. */
  emailConfirmed: boolean;
  /** The workspace of a person from another organization (Slack Connect). */
  readonly homeTeam: string | undefined;
}

export interface SlackChannelModel {
  readonly id: string;
  name: string;
  isPrivate: boolean;
  /** True if the app is a member. */
  joined: boolean;
  members: readonly string[];
  /** True if people of another organization are in the channel. */
  isExtShared: boolean;
  /** The person with whom the app has these direct messages. */
  readonly directWith: string | undefined;
  readonly messages: Map<string, SlackMessageModel>;
}

type NewMessage = Partial<Pick<SlackMessageModel, 'ts' | 'user' | 'threadTs' | 'subtype' | 'files' | 'extra'>>;

export interface SlackModel {
  readonly teamId: string;
  readonly channels: Map<string, SlackChannelModel>;
  readonly users: Map<string, SlackUserModel>;
  readonly files: Map<string, SlackFileModel>;
  addUser(id: string, displayName: string, more?: Partial<Omit<SlackUserModel, 'id'>>): SlackUserModel;
  addChannel(id: string, name: string, more?: Partial<Omit<SlackChannelModel, 'id' | 'messages'>>): SlackChannelModel;
  nextTs(): string;
  /** Posts a message, by default one second after the previous one. */
  post(channel: string, text: string, more?: NewMessage): SlackMessageModel;
  edit(channel: string, ts: string, text: string): void;
  /** Deletes a message. The first message of a thread with replies leaves a tombstone. */
  remove(channel: string, ts: string): void;
  file(id: string, name: string, mimetype: string, bytes: Uint8Array, externalUrl?: string): SlackFileModel;
}

export function createSlackModel(): SlackModel {
  const channels = new Map<string, SlackChannelModel>();
  const users = new Map<string, SlackUserModel>();
  const files = new Map<string, SlackFileModel>();
  let second = 1_700_000_000;
  const channelOf = (id: string): SlackChannelModel => {
    const channel = channels.get(id);
    if (channel === undefined) throw new Error(`There is no channel ${id}.`);
    return channel;
  };
  const nextTs = () => `${++second}.000100`;

  return {
    teamId: 'T0LECTERN',
    nextTs,
    channels,
    users,
    files,
    addUser: (id, displayName, more = {}) => {
      const name = displayName.toLowerCase().replaceAll(' ', '.');
      const email = `${name}@example.com`;
      const user = {
        id,
        name,
        displayName,
        email,
        deleted: false,
        guest: false,
        bot: false,
        emailConfirmed: true,
        homeTeam: undefined,
        ...more,
      };
      users.set(id, user);
      return user;
    },
    addChannel: (id, name, more = {}) => {
      const channel = {
        id,
        name,
        isPrivate: false,
        joined: true,
        members: [],
        isExtShared: false,
        directWith: undefined,
        messages: new Map(),
        ...more,
      };
      channels.set(id, channel);
      return channel;
    },
    post: (id, text, more = {}) => {
      const message: SlackMessageModel = {
        ts: more.ts ?? nextTs(),
        user: 'user' in more ? more.user : 'U0ADA',
        text,
        threadTs: more.threadTs,
        subtype: more.subtype,
        editedTs: undefined,
        files: more.files ?? [],
        extra: more.extra ?? {},
      };
      channelOf(id).messages.set(message.ts, message);
      return message;
    },
    edit: (id, ts, text) => {
      const message = channelOf(id).messages.get(ts);
      if (message === undefined) throw new Error(`There is no message ${ts}.`);
      message.text = text;
      message.editedTs = nextTs();
    },
    remove: (id, ts) => {
      const { messages } = channelOf(id);
      const replies = [...messages.values()].some((message) => message.threadTs === ts);
      const message = messages.get(ts);
      messages.delete(ts);
      if (!replies || message === undefined) return;
      const text = 'This message was deleted.';
      messages.set(ts, { ...message, text, user: 'USLACKBOT', subtype: 'tombstone', files: [], editedTs: undefined });
    },
    file: (id, name, mimetype, bytes, externalUrl) => {
      const file = { id, name, mimetype, bytes, ...(externalUrl === undefined ? {} : { externalUrl }) };
      files.set(id, file);
      return file;
    },
  };
}
