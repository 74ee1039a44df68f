import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatEvent } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { askEvent, clickBody, eventBody, submitBody } from '@lectern/testing';
import { KNOWN, reply } from './support/records.ts';
import {
  addColleague,
  OTHER_CHANNEL,
  PUBLIC_CHANNEL,
  startTestSlack,
  type TestSlack,
  visibleText,
  waitFor,
} from './support/slack.ts';

let test: TestSlack;
let direct: string;

beforeAll(async () => {
  test = await startTestSlack();
  direct = test.slack.direct('U0GRACE');
});
afterAll(() => test.stop());
afterEach(async () => {
  test.slack.fail();
  test.gateway.services.failWith = undefined;
  test.gateway.services.reply = reply;
  await test.settled();
  for (const channel of test.slack.model.channels.values()) channel.messages.clear();
  test.gateway.services.calls.length = 0;
});

const callsOf = (method: string) => test.gateway.services.calls.filter((call) => call.method === method);
const whispersTo = (user: string) => test.slack.whispers.filter((whisper) => whisper.user === user);

describe('a direct message to the Slack app', () => {
  it('gets an answer in its thread, with sources, confidence and buttons', async () => {
    await test.ask(direct, 'U0GRACE', 'How many days of leave do we have?');
    const shown = await test.replied(direct);
    const [question] = test.messages(direct);
    expect(shown.threadTs).toBe(question?.ts);
    expect(visibleText(shown)).toContain('Thirty days [1].');
    expect(visibleText(shown)).toContain('*Sources*');
    expect(shown.isUnfurled).toBe(false);
    const [actions] = shown.blocks.slice(-1);
    expect(actions.elements.map((button: { action_id: string }) => button.action_id)).toEqual([
      'lectern_up',
      'lectern_down',
      'lectern_open',
    ]);
    expect(actions.elements[2].url).toBe(`http://lectern.example.com/ask/${KNOWN.conversation}`);
  });

  it('is asked as the person with the address, with the access of a session but no right to manage', async () => {
    await test.ask(direct, 'U0GRACE', 'How many days of leave do we have?');
    await test.replied(direct);
    const [call] = callsOf('streamChat');
    const caller = { teamId: test.gateway.keys.teamId, keyId: KNOWN.person, scope: { kind: 'all' } };
    expect(call?.caller).toEqual({ ...caller, userEmail: 'grace@example.com' });
    expect(call?.request).toMatchObject({ message: 'How many days of leave do we have?', collectionIds: [] });
  });

  it('continues the conversation of its thread', async () => {
    await test.ask(direct, 'U0GRACE', 'How many days of leave do we have?');
    const { threadTs } = await test.replied(direct);
    await test.ask(direct, 'U0GRACE', 'And for interns?', threadTs);
    await test.replied(direct, 2);
    expect(callsOf('streamChat').map(({ request }) => Object(request).conversationId)).toEqual([
      undefined,
      KNOWN.conversation,
    ]);
  });

  it('gets German sentences around the answer to a German question', async () => {
    await test.ask(direct, 'U0GRACE', 'Wie viele Tage Urlaub haben wir im Jahr?');
    expect(visibleText(await test.replied(direct))).toContain('*Quellen*');
  });

  it('shows an unfinished reply while it is written', async () => {
    const { chat } = test.gateway.services;
    const isShown = () => test.own(direct).some((message) => visibleText(message).includes('Thirty'));
    test.gateway.services.chat = async function* (call): AsyncIterable<ChatEvent> {
      for await (const event of chat(call)) {
        // The model writes until somebody can see it.
        while (event.event?.$case === 'sources' && !isShown()) {
          yield { id: event.id, event: { $case: 'contentDelta', value: { delta: 'and ' } } };
          await delay(20);
        }
        yield event;
      }
    };
    try {
      await test.ask(direct, 'U0GRACE', 'How many days of leave do we have?');
      await test.replied(direct);
    } finally {
      test.gateway.services.chat = chat;
    }
    expect(test.own(direct)).toHaveLength(1);
    const updates = test.slack.requests.filter(
      ({ path, body }) => path === '/api/chat.update' && !body.includes('lectern_up'),
    );
    expect(updates.length).toBeGreaterThan(0);
  });

  it('explains an empty question', async () => {
    await test.deliver(
      eventBody(test.slack.model, {
        type: 'message',
        channel_type: 'im',
        channel: direct,
        user: 'U0GRACE',
        text: '  ',
        ts: test.slack.model.post(direct, ' ', { user: 'U0GRACE' }).ts,
      }),
    );
    await waitFor(() => test.own(direct).some(({ text }) => text.startsWith('Ask me a question')));
    expect(callsOf('streamChat')).toEqual([]);
  });

  it('gets an explanation if the budget is used up or the chat service rejects it', async () => {
    const where = { teamId_subject: { teamId: test.gateway.keys.teamId, subject: KNOWN.person } };
    const limits = { teamId: test.gateway.keys.teamId, subject: KNOWN.person, hardTokens: 0n };
    await test.gateway.db.budget.upsert({ where, create: limits, update: limits });
    await test.ask(direct, 'U0GRACE', 'How many days?');
    await waitFor(() => test.own(direct).some(({ text }) => text.startsWith('Your budget for this month')));
    await test.gateway.db.budget.delete({ where });
    test.gateway.services.failWith = new AppError('not_found', 'The collection does not exist.');
    await test.ask(direct, 'U0GRACE', 'How many days?');
    await waitFor(() => test.own(direct).some(({ text }) => text.startsWith('This app is set up for')));
  });

  it('is counted as usage of the person', async () => {
    const where = { subject: KNOWN.person, model: 'builtin-extractive' };
    const before = await test.gateway.db.usageDay.aggregate({ where, _sum: { requests: true } });
    await test.ask(direct, 'U0GRACE', 'How many days?');
    await test.replied(direct);
    await waitFor(async () => {
      const after = await test.gateway.db.usageDay.aggregate({ where, _sum: { requests: true } });
      return (after._sum.requests ?? 0n) > (before._sum.requests ?? 0n);
    });
  });
});

describe('a mention of the Slack app in a channel', () => {
  it('is answered in an allowed channel from public documents only', async () => {
    await test.ask(PUBLIC_CHANNEL, 'U0GRACE', 'How many days of leave?');
    const shown = await test.replied(PUBLIC_CHANNEL);
    expect(visibleText(shown)).toContain('Only from documents that everybody may read');
    const caller = { teamId: test.gateway.keys.teamId, keyId: test.appId, scope: { kind: 'all' } };
    for (const method of ['streamChat', 'getConversation']) {
      expect(callsOf(method)[0]?.caller).toEqual({ ...caller, userEmail: 'grace@example.com', publicOnly: true });
    }
  });

  it('starts a new conversation if the person continued the old one elsewhere', async () => {
    await test.ask(PUBLIC_CHANNEL, 'U0GRACE', 'How many days of leave?');
    const { threadTs } = await test.replied(PUBLIC_CHANNEL);
    test.gateway.services.reply = { ...reply, id: 'msg_elsewhere' };
    await test.ask(PUBLIC_CHANNEL, 'U0GRACE', 'And for interns?', threadTs);
    await waitFor(() => callsOf('streamChat').length === 2);
    expect(callsOf('streamChat').map(({ request }) => Object(request).conversationId)).toEqual([undefined, undefined]);
    test.gateway.services.reply = reply;
  });

  it.each<[string, () => void, () => void]>([
    ['that the admin did not allow', () => undefined, () => undefined],
    [
      'with people of other organizations',
      () => Object.assign(test.slack.model.channels.get(PUBLIC_CHANNEL) ?? {}, { isExtShared: true }),
      () => Object.assign(test.slack.model.channels.get(PUBLIC_CHANNEL) ?? {}, { isExtShared: false }),
    ],
    [
      'with a guest',
      () => {
        test.slack.model.addUser('U0GUEST', 'Guest', { guest: true });
        Object.assign(test.slack.model.channels.get(PUBLIC_CHANNEL) ?? {}, {
          members: ['U0GRACE', 'U0APP', 'U0GUEST'],
        });
      },
      () => Object.assign(test.slack.model.channels.get(PUBLIC_CHANNEL) ?? {}, { members: ['U0GRACE', 'U0APP'] }),
    ],
    [
      'whose members the app cannot read',
      () => test.slack.scopes.delete('channels:read'),
      () => test.slack.scopes.add('channels:read'),
    ],
  ])('is answered in a direct message in a channel %s', async (name, change, restore) => {
    const channel = name.startsWith('that') ? OTHER_CHANNEL : PUBLIC_CHANNEL;
    change();
    await test.ask(channel, 'U0GRACE', 'How many days of leave?');
    await test.replied(direct);
    restore();
    expect(test.own(channel)).toEqual([]);
    expect(whispersTo('U0GRACE').at(-1)).toMatchObject({ channel, text: expect.stringContaining('direct message') });
    expect(callsOf('streamChat')[0]?.caller).not.toHaveProperty('publicOnly');
    const [first, second] = test.own(direct);
    expect(first?.text).toContain('How many days of leave?');
    expect(second?.threadTs).toBe(first?.ts);
  });

  it('can be asked again privately by everybody in the channel, as themselves', async () => {
    const ada = await addColleague(test, 'U0ADA');
    await test.ask(PUBLIC_CHANNEL, 'U0GRACE', 'How many days of leave?');
    const { ts, blocks } = await test.replied(PUBLIC_CHANNEL);
    const button = blocks.at(-1).elements.find((each: { action_id: string }) => each.action_id === 'lectern_private');
    Object.assign(test.slack.model.channels.get(PUBLIC_CHANNEL) ?? {}, { members: ['U0GRACE', 'U0APP', 'U0ADA'] });
    const click = {
      channel: PUBLIC_CHANNEL,
      ts,
      user: 'U0ADA',
      action: { action_id: 'lectern_private', value: button.value },
    };
    await test.interact(clickBody(test.slack.model, click, test.slack.triggers));
    await test.replied(test.slack.direct('U0ADA'));
    expect(callsOf('streamChat').at(-1)?.caller).toMatchObject({ keyId: ada.id, userEmail: ada.email });
  });
});

describe('somebody who is not an active person of the team', () => {
  const refused = async (user: string, text: string) => {
    await test.ask(OTHER_CHANNEL, user, 'What are the salary bands?');
    await waitFor(() => whispersTo(user).some((whisper) => whisper.text.startsWith(text)));
    await test.settled();
    expect(test.own(OTHER_CHANNEL)).toEqual([]);
    expect(callsOf('streamChat')).toEqual([]);
  };

  it.each<[string, string, Record<string, unknown>]>([
    ['an account of another organization', 'I only answer members', { email: 'grace@example.com', homeTeam: 'T0EVIL' }],
    ['a guest', 'I cannot answer guests', { email: 'grace@example.com', guest: true }],
    ['a deactivated account', 'I only answer members', { email: 'grace@example.com', deleted: true }],
    [
      'an unconfirmed address',
      'Your email address in Slack is not confirmed',
      { email: 'grace@example.com', emailConfirmed: false },
    ],
    ['no address', 'I cannot see your email address', { email: undefined }],
    ['an invalid address', 'I cannot see your email address', { email: 'grace@example.com, evil@example.com' }],
    ['an unknown address', 'There is no active Lectern account', { email: 'unknown@example.com' }],
    ['a look-alike address', 'I cannot see your email address', { email: 'graсe@example.com' }],
  ])('gets an explanation and no answer: %s', async (name, text, account) => {
    const id = `U0X${name.length}${name
      .replaceAll(/[^a-z]/g, '')
      .toUpperCase()
      .slice(0, 12)}`;
    test.slack.model.addUser(id, 'Mallory', account);
    Object.assign(test.slack.model.channels.get(OTHER_CHANNEL) ?? {}, { members: ['U0GRACE', 'U0APP', id] });
    await refused(id, text);
  });

  it('gets no answer with a deactivated account or a person of another team', async () => {
    await addColleague(test, 'U0GONE', { status: 'deactivated' });
    await addColleague(test, 'U0AWAY');
    const away = await test.gateway.db.person.findFirstOrThrow({ where: { name: 'U0AWAY' } });
    await test.gateway.db.person.update({ where: { id: away.id }, data: { teamId: test.gateway.otherKeys.teamId } });
    Object.assign(test.slack.model.channels.get(OTHER_CHANNEL) ?? {}, { members: ['U0GONE', 'U0AWAY', 'U0APP'] });
    await refused('U0GONE', 'There is no active Lectern account');
    await refused('U0AWAY', 'There is no active Lectern account');
  });

  it('is found by the current address in Slack, in any case', async () => {
    const user = test.slack.model.users.get('U0GRACE');
    if (user === undefined) throw new Error('There is no user.');
    user.email = 'GRACE@EXAMPLE.COM';
    await test.ask(direct, 'U0GRACE', 'How many days?');
    await test.replied(direct);
    user.email = 'changed@example.com';
    await test.ask(direct, 'U0GRACE', 'How many days?');
    await waitFor(() => test.own(direct).some(({ text }) => text.startsWith('There is no active Lectern account')));
    user.email = 'grace@example.com';
  });

  it('gets nothing more within seconds of being deactivated while a reply is written', async () => {
    const person = await addColleague(test, 'U0LEAVER');
    const channel = test.slack.direct('U0LEAVER');
    const { chat } = test.gateway.services;
    test.gateway.services.chat = async function* (call): AsyncIterable<ChatEvent> {
      for await (const event of chat(call)) {
        yield event;
        if (event.event?.$case === 'messageStart') {
          await new Promise((_resolve, reject) =>
            call.signal.addEventListener('abort', () => reject(call.signal.reason)),
          );
        }
      }
    };
    await test.ask(channel, 'U0LEAVER', 'What are the salary bands?');
    await waitFor(() => callsOf('streamChat').length === 1);
    await test.gateway.db.person.update({ where: { id: person.id }, data: { status: 'deactivated' } });
    await waitFor(() => test.own(channel).some(({ text }) => text.startsWith('Your access to Lectern changed')));
    test.gateway.services.chat = chat;
    expect(test.own(channel)).toHaveLength(1);
  });
});

describe('programs in Slack', () => {
  it.each<[string, Record<string, unknown>]>([
    ['another bot', { user: 'U0BOT', bot_id: 'B0OTHER' }],
    ['a bot without a mark', { user: 'U0BOT' }],
    ['the app itself', { user: 'U0APP' }],
    ['Slackbot', { user: 'USLACKBOT' }],
    ['an edited message', { user: 'U0GRACE', subtype: 'message_changed' }],
    ['a message of an integration', { user: 'U0GRACE', subtype: 'bot_message' }],
    ['a message without an author', {}],
  ])('never get a response: %s', async (_name, fields) => {
    const { ts } = test.slack.model.post(direct, 'How many days?', { user: 'U0BOT' });
    const event = { type: 'message', channel_type: 'im', channel: direct, text: 'How many days?', ts, ...fields };
    expect((await test.deliver(eventBody(test.slack.model, event))).status).toBe(200);
    await test.settled();
    expect(test.own(direct)).toEqual([]);
    expect(test.slack.requests.filter(({ path }) => path.includes('postEphemeral')).length).toBe(
      test.slack.whispers.length,
    );
    expect(callsOf('streamChat')).toEqual([]);
  });

  it('never get a response to a message that mentions no one in a channel', async () => {
    const { ts } = test.slack.model.post(PUBLIC_CHANNEL, 'Hello', { user: 'U0GRACE' });
    const event = {
      type: 'message',
      channel_type: 'channel',
      channel: PUBLIC_CHANNEL,
      user: 'U0GRACE',
      text: 'Hello',
      ts,
    };
    await test.deliver(eventBody(test.slack.model, event));
    await test.settled();
    expect(test.own(PUBLIC_CHANNEL)).toEqual([]);
  });
});

describe('events of Slack', () => {
  it('are answered once, however often they arrive', async () => {
    const event = askEvent(test.slack.model, { channel: direct, user: 'U0GRACE', text: 'How many days?' });
    const storm = await Promise.all(Array.from({ length: 30 }, (_, retry) => test.deliver(event, { retry })));
    expect(storm.map(({ status }) => status)).toEqual(storm.map(() => 200));
    await test.replied(direct);
    await test.deliver(event, { retry: 3 });
    await test.settled();
    expect(test.own(direct)).toHaveLength(1);
    expect(callsOf('streamChat')).toHaveLength(1);
  });

  it('are all answered when many arrive at once', async () => {
    const people = Array.from({ length: 12 }, (_, at) => `U0STORM${at}`);
    for (const id of people) await addColleague(test, id);
    await Promise.all(people.map((id) => test.ask(test.slack.direct(id), id, `Question of ${id}?`)));
    for (const id of people) await test.replied(test.slack.direct(id));
    expect(callsOf('streamChat')).toHaveLength(people.length);
  });

  it('wait as long as Slack asks, and no attempt is counted', async () => {
    let refused = 0;
    test.slack.fail(({ path }) => {
      if (path !== '/api/chat.postMessage' || refused === 1) return undefined;
      refused += 1;
      return { kind: 'status', status: 429, retryAfter: '1' };
    });
    await test.ask(direct, 'U0GRACE', 'How many days?');
    await test.replied(direct);
    expect(test.own(direct)).toHaveLength(1);
    const [row] = await test.gateway.db.slackEvent.findMany({ orderBy: { createdAt: 'desc' }, take: 1 });
    expect(row?.attempts).toBe(1);
  });

  it('are retried after failures of the chat service, with one message', async () => {
    test.gateway.services.failWith = new AppError('unavailable', 'The model does not respond.');
    await test.ask(direct, 'U0GRACE', 'How many days?');
    await waitFor(() => callsOf('streamChat').length >= 1);
    test.gateway.services.failWith = undefined;
    await test.replied(direct);
    expect(test.own(direct)).toHaveLength(1);
  });

  it('leave no question behind when they are handled', async () => {
    await test.ask(direct, 'U0GRACE', 'What is the secret of the marked question?');
    await test.replied(direct);
    await test.settled();
    const rows = await test.gateway.db.slackEvent.findMany();
    expect(JSON.stringify(rows)).not.toContain('marked question');
  });
});

describe('feedback in Slack', () => {
  const click = (ts: string, user: string, action: string, value: string) =>
    clickBody(
      test.slack.model,
      { channel: direct, ts, user, action: { action_id: action, value } },
      test.slack.triggers,
    );
  const buttonValue = (blocks: Awaited<ReturnType<TestSlack['replied']>>['blocks']) => blocks.at(-1).elements[0].value;

  it('is stored as the person who clicks', async () => {
    await test.ask(direct, 'U0GRACE', 'How many days?');
    const { ts, blocks } = await test.replied(direct);
    expect((await test.interact(click(ts, 'U0GRACE', 'lectern_up', buttonValue(blocks)))).status).toBe(200);
    await waitFor(() => whispersTo('U0GRACE').some(({ text }) => text.startsWith('Thank you')));
    const [call] = callsOf('setFeedback');
    expect(call?.caller).toMatchObject({ userEmail: 'grace@example.com', keyId: KNOWN.person });
    expect(call?.request).toMatchObject({ conversationId: KNOWN.conversation, messageId: KNOWN.message });
  });

  it('asks what is wrong, and stores reason and comment', async () => {
    await test.ask(direct, 'U0GRACE', 'How many days?');
    const { ts, blocks } = await test.replied(direct);
    await test.interact(click(ts, 'U0GRACE', 'lectern_down', buttonValue(blocks)));
    await waitFor(() => test.slack.views.length > 0);
    const view = test.slack.views.at(-1)?.view ?? {};
    const values = {
      reason: { reason: { type: 'static_select', selected_option: { value: 'outdated' } } },
      comment: { comment: { type: 'plain_text_input', value: 'It changed in May.' } },
    };
    expect((await test.interact(submitBody(test.slack.model, 'U0GRACE', view, values))).status).toBe(200);
    await waitFor(() => callsOf('setFeedback').length === 2);
    expect(callsOf('setFeedback').at(-1)?.request).toMatchObject({ comment: 'It changed in May.' });
  });

  it('is refused for a reply that the person cannot see, and for somebody of another organization', async () => {
    await test.ask(direct, 'U0GRACE', 'How many days?');
    const { ts } = await test.replied(direct);
    const value = JSON.stringify({ c: 'conv_unknown', m: 'msg_unknown', l: 'en' });
    await test.interact(click(ts, 'U0GRACE', 'lectern_up', value));
    await waitFor(() => whispersTo('U0GRACE').some(({ text }) => text.startsWith('Only the person who asked')));
    test.slack.model.addUser('U0EVIL', 'Mallory', { email: 'grace@example.com', homeTeam: 'T0EVIL' });
    Object.assign(test.slack.model.channels.get(direct) ?? {}, { members: ['U0GRACE', 'U0EVIL'] });
    await test.interact(click(ts, 'U0EVIL', 'lectern_up', value));
    await waitFor(() => whispersTo('U0EVIL').some(({ text }) => text.startsWith('I only answer members')));
    expect(callsOf('setFeedback')).toHaveLength(1);
  });

  it('ignores buttons and dialogs that it does not know', async () => {
    const body = click('1700000000.000100', 'U0GRACE', 'lectern_up', '{"c": 1}');
    expect((await test.interact(body)).status).toBe(200);
    expect((await test.interact({ type: 'shortcut', team: { id: test.slack.model.teamId } })).status).toBe(200);
    expect(callsOf('setFeedback')).toEqual([]);
  });
});
