import { newId } from '@lectern/service-kit';
import { askEvent, interactionForm, type SlackServer, signSlack, startSlackServer, waitUntil } from '@lectern/testing';
import { startTestGateway, type TestGateway, type TestResponse } from './gateway.ts';

export const SIGNING_SECRET = '0123456789abcdef0123456789abcdef';
export const PUBLIC_CHANNEL = 'C0PUBLIC';
export const OTHER_CHANNEL = 'C0OTHER';

/** Waits for something that usually takes less than two seconds. */
export const waitFor = (condition: () => boolean | Promise<boolean>): Promise<void> =>
  waitUntil(condition, { what: 'Slack', timeoutMs: 4_000 });

/** A message as readers see it. */
export interface Shown {
  readonly ts: string;
  readonly threadTs: string | undefined;
  readonly user: string | undefined;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read blocks of every shape
  readonly blocks: any[];
  readonly mentions: readonly string[];
  readonly isUnfurled: boolean;
}

export interface TestSlack {
  readonly slack: SlackServer;
  readonly gateway: TestGateway;
  readonly appId: string;
  /** Sends a body with the signature of Slack to the address for events. */
  deliver(body: object, more?: { secret?: string; at?: number; retry?: number; raw?: string }): Promise<TestResponse>;
  interact(body: object, more?: { secret?: string }): Promise<TestResponse>;
  /** Somebody asks, and Slack reports it. Returns the event. */
  ask(channel: string, user: string, text: string, threadTs?: string): Promise<Readonly<Record<string, unknown>>>;
  /** All messages in a channel, in order. */
  messages(channel: string): Shown[];
  /** The messages of the app in a channel. */
  own(channel: string): Shown[];
  /** Waits for the number of complete replies in a channel, and returns the last one. */
  replied(channel: string, count?: number): Promise<Shown>;
  /** Waits until no event is pending. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Everything that readers see of a message. */
export const visibleText = ({ blocks }: Shown): string =>
  // Buttons have values that readers do not see.
  JSON.stringify(blocks.filter(({ type }) => type !== 'actions').map(({ text, elements }) => [text, elements]));

const isComplete = ({ blocks }: Shown) => blocks.some(({ type }) => type === 'actions');

/** Starts a gateway and a workspace with an installed app. People: Grace (editor), and accounts without access. */
export async function startTestSlack(
  settings: Record<string, unknown> = {},
  env: Record<string, string> = {},
): Promise<TestSlack> {
  const slack = await startSlackServer({ answers: true });
  const { model } = slack;
  model.addUser('U0GRACE', 'Grace', { email: 'Grace@Example.com' });
  model.addUser('U0APP', 'Lectern', { bot: true });
  model.addUser('U0BOT', 'Other bot', { bot: true, email: 'grace@example.com' });
  const members = ['U0GRACE', 'U0APP', 'U0BOT'];
  model.addChannel(PUBLIC_CHANNEL, 'public', { members });
  model.addChannel(OTHER_CHANNEL, 'other', { members });
  const gateway = await startTestGateway({
    SLACK_API_URL: slack.apiUrl,
    PUBLIC_URL: 'http://lectern.example.com',
    RATE_LIMIT_UNKNOWN_KEYS_PER_MINUTE: '0',
    ...env,
  });
  const body = {
    name: 'Slack',
    transport: 'http',
    channels: [PUBLIC_CHANNEL],
    botToken: slack.token,
    signingSecret: SIGNING_SECRET,
    ...settings,
  };
  const created = await gateway.send('post', '/api/v1/slack-apps', { json: body });
  if (created.status !== 201) throw new Error(created.text);

  const deliver: TestSlack['deliver'] = (event, { secret = SIGNING_SECRET, at, retry, raw } = {}) => {
    const text = raw ?? JSON.stringify(event);
    const retried =
      retry === undefined ? {} : { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': 'http_timeout' };
    const headers = { 'Content-Type': 'application/json', ...signSlack(secret, text, at), ...retried };
    return gateway.send('post', '/slack/events', { body: text, key: null, headers });
  };
  const messages = (channel: string): Shown[] =>
    [...(model.channels.get(channel)?.messages.values() ?? [])].map(({ ts, threadTs, user, text, extra }) => ({
      ts,
      threadTs,
      user,
      text,
      blocks: Array.isArray(extra.blocks) ? extra.blocks : [],
      mentions: Array.isArray(extra.mentions) ? extra.mentions.map(String) : [],
      isUnfurled: extra.isUnfurled === true,
    }));
  const own = (channel: string) => messages(channel).filter(({ user }) => user === 'U0APP');
  return {
    slack,
    gateway,
    appId: created.json.data.id,
    deliver,
    interact: (interaction, { secret = SIGNING_SECRET } = {}) => {
      const text = interactionForm({ ...interaction });
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...signSlack(secret, text) };
      return gateway.send('post', '/slack/interactions', { body: text, key: null, headers });
    },
    ask: async (channel, user, text, threadTs) => {
      const event = askEvent(model, { channel, user, text, ...(threadTs === undefined ? {} : { threadTs }) });
      const response = await deliver(event);
      if (response.status !== 200) throw new Error(response.text);
      return event;
    },
    messages,
    own,
    replied: async (channel, count = 1) => {
      await waitFor(() => own(channel).filter(isComplete).length >= count);
      const last = own(channel).filter(isComplete).at(-1);
      if (last === undefined) throw new Error('There is no reply.');
      return last;
    },
    settled: () => waitFor(async () => (await gateway.db.slackEvent.count({ where: { state: 'pending' } })) === 0),
    stop: async () => {
      await gateway.stop();
      await slack.stop();
    },
  };
}

/** Creates a person of the team with an account in Slack. */
export async function addColleague(
  { gateway, slack }: TestSlack,
  userId: string,
  more: { readonly email?: string; readonly status?: 'active' | 'deactivated' } = {},
): Promise<{ readonly id: string; readonly email: string }> {
  const id = newId('person');
  const { email = `${userId.toLowerCase()}@example.com`, status = 'active' } = more;
  const data = { id, teamId: gateway.keys.teamId, email, name: userId, role: 'member', passwordHash: 'none' } as const;
  await gateway.db.person.create({ data: { ...data, status } });
  slack.model.addUser(userId, userId, { email });
  return { id, email };
}
