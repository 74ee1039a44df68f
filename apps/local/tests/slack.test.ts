import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askEvent, type SlackServer, signSlack, startSlackServer, waitUntil } from '@lectern/testing';
import { type Api, type Json, joinAs } from './support/api.ts';
import { type Lectern, startLectern } from './support/start-lectern.ts';

const SECRET = '0123456789abcdef0123456789abcdef';
const CHANNEL = 'C0HANDBOOK';
const WAIT = { what: 'a reply in Slack', timeoutMs: 10_000 };

/** Each document answers one question. Readers by document. */
const DOCUMENTS = [
  { word: 'xylophone', text: 'The code of the xylophone vault is forty-two.', principals: ['public'] },
  {
    word: 'submarine',
    text: 'The submarine project starts in the harbor of Kiel.',
    principals: ['user:ada@example.com'],
  },
  { word: 'cathedral', text: 'The cathedral budget is nine million euros.', principals: ['user:bob@example.com'] },
  {
    word: 'orchard',
    text: 'The orchard team plants four hundred apple trees.',
    principals: ['user:ada@example.com', 'user:bob@example.com'],
  },
  {
    word: 'lighthouse',
    text: 'The lighthouse keeper earns a salary of fifty thousand.',
    principals: ['group:domain:example.com'],
  },
  { word: 'volcano', text: 'The volcano plan is secret.', principals: ['user:zoe@elsewhere.example'] },
];
const QUESTIONS = DOCUMENTS.map(({ word }) => `What do we know about the ${word}?`);
const PUBLIC = new Set(['xylophone']);
const PEOPLE = [
  { email: 'ada@example.com', user: 'U0ADA' },
  { email: 'bob@example.com', user: 'U0BOB' },
];

let lectern: Lectern;
let slack: SlackServer;

/** The API for the sessions of the people, by address. */
const sessions = new Map<string, Api>();

beforeAll(async () => {
  slack = await startSlackServer({ answers: true });
  lectern = await startLectern({ SLACK_API_URL: slack.apiUrl });
  const { api } = lectern;
  const { id } = await api.ok('POST', '/api/v1/collections', { name: 'Handbook' });
  const path = `/api/v1/collections/${id}/documents`;
  for (const { word, text, principals } of DOCUMENTS) {
    const document = await api.ok('POST', path, { title: word, content: text, principals });
    await api.until(`/api/v1/documents/${document.id}`, ({ status }) => status === 'indexed');
  }
  slack.model.addUser('U0APP', 'Lectern', { bot: true });
  for (const { email, user } of PEOPLE) {
    sessions.set(email, await joinAs(lectern.credentials, email, 'member'));
    slack.model.addUser(user, user, { email });
  }
  slack.model.addChannel(CHANNEL, 'handbook', { members: ['U0APP', ...PEOPLE.map(({ user }) => user)] });
  const app = { name: 'Slack', transport: 'http', botToken: slack.token, signingSecret: SECRET, channels: [CHANNEL] };
  await api.ok('POST', '/api/v1/slack-apps', app);
});
afterAll(async () => {
  await lectern?.stop();
  await slack?.stop();
});

/** Sends an event until it is acknowledged, like Slack. */
async function deliver(event: object): Promise<void> {
  const body = JSON.stringify(event);
  const isAcknowledged = async () => {
    const headers = { 'Content-Type': 'application/json', ...signSlack(SECRET, body) };
    const sent = fetch(`${lectern.baseUrl}/slack/events`, { method: 'POST', headers, body });
    return sent.then(({ ok }) => ok).catch(() => false);
  };
  await waitUntil(isAcknowledged, WAIT);
}

/** The messages of the app in a thread. */
const repliesIn = (channel: string, thread: unknown) =>
  [...(slack.model.channels.get(channel)?.messages.values() ?? [])].filter(
    ({ user, threadTs }) => user === 'U0APP' && threadTs === thread,
  );
const blocksOf = ({ extra }: { readonly extra: Readonly<Record<string, unknown>> }): Json[] =>
  Array.isArray(extra.blocks) ? extra.blocks : [];

/** Asks in Slack, and returns the titles of the sources. */
async function sourcesInSlack(
  channel: string,
  user: string,
  text: string,
): Promise<{ sources: string[]; all: string }> {
  const event = askEvent(slack.model, { channel, user, text });
  const { ts } = Object(event.event);
  await deliver(event);
  const isComplete = () =>
    repliesIn(channel, ts).some((message) => blocksOf(message).some(({ type }) => type === 'actions'));
  await waitUntil(isComplete, WAIT);
  const messages = repliesIn(channel, ts);
  expect(messages).toHaveLength(1);
  const all = JSON.stringify(messages.map(blocksOf));
  const listed = all.match(/\*Sources\*(.*?)"/)?.[1] ?? '';
  return {
    sources: [...listed.matchAll(/\[\d+\] (?:<[^|>]*\|)?([\w-]+)/g)].map(([, title = '']) => title).sort(),
    all,
  };
}

const sessionOf = (email: string): Api => {
  const session = sessions.get(email);
  if (session === undefined) throw new Error(`${email} has no session.`);
  return session;
};

async function sourcesInRest(api: Api, message: string): Promise<string[]> {
  const { sources } = await api.ok('POST', `/api/v1/teams/${lectern.api.teamId}/chat`, { message });
  return sources.map(({ title }: Json) => title).sort();
}

/** The conversations of Ada, in Ask. Connections to a gateway that was killed fail once. */
async function conversations(): Promise<Json[]> {
  const path = `/api/v1/teams/${lectern.api.teamId}/conversations`;
  let found: Json[] | undefined;
  const isFound = async () => {
    found = await sessionOf('ada@example.com')
      .all(path)
      .catch(() => undefined);
    return found !== undefined;
  };
  await waitUntil(isFound, WAIT);
  return found ?? [];
}

describe('Slack, with a whole system', () => {
  it('finds the same sources in direct messages as REST does for the person', async () => {
    for (const { email, user } of PEOPLE) {
      for (const question of QUESTIONS) {
        const { sources } = await sourcesInSlack(slack.direct(user), user, question);
        for (const api of [sessionOf(email), lectern.api.as(email)]) {
          const expected = await sourcesInRest(api, question);
          expect({ email, question, sources }).toEqual({ email, question, sources: expected });
        }
      }
    }
  });

  it('shows in a channel only what everybody may read, whoever asks', async () => {
    let shown = 0;
    for (const { user } of PEOPLE) {
      for (const question of QUESTIONS) {
        const { sources, all } = await sourcesInSlack(CHANNEL, user, question);
        expect(sources.filter((title) => !PUBLIC.has(title))).toEqual([]);
        const restricted = DOCUMENTS.filter(({ word }) => !PUBLIC.has(word));
        for (const { text } of restricted) expect(all).not.toContain(text.slice(-20));
        shown += sources.length;
      }
    }
    expect(shown).toBeGreaterThan(0);
  });

  it('keeps the conversation for the person, in Ask', async () => {
    expect((await conversations()).length).toBeGreaterThanOrEqual(QUESTIONS.length);
  });

  it.each([
    ['the placeholder was accepted, before it is stored', '/api/chat.postMessage'],
    ['the reply was stored, before it is shown', '/api/chat.update'],
  ])('answers once if the gateway is killed after the acknowledgment when %s', async (_name, method) => {
    const channel = slack.direct('U0ADA');
    let isKilled = false;
    const before = await conversations();
    // The emulator handles the request and the killed gateway never sees the response.
    slack.before(async ({ path, body }) => {
      if (isKilled || path !== method || (method === '/api/chat.update' && !body.includes('lectern_up'))) return;
      isKilled = true;
      await lectern.home.killPart('gateway');
    });
    const event = askEvent(slack.model, {
      channel,
      user: 'U0ADA',
      text: 'What do we know about the submarine?',
    });
    const { ts } = Object(event.event);
    await deliver(event);
    await waitUntil(() => isKilled, WAIT);
    slack.before();
    const isComplete = () =>
      repliesIn(channel, ts).some((message) => blocksOf(message).some(({ type }) => type === 'actions'));
    await waitUntil(isComplete, { ...WAIT, timeoutMs: 60_000 });
    // Slack did not see every acknowledgment, and sends the event again.
    await deliver(event);
    expect(repliesIn(channel, ts)).toHaveLength(1);
    expect(await conversations()).toHaveLength(before.length + 1);
  });
});
