import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askEvent, clickBody, eventBody, runCount, signSlack } from '@lectern/testing';
import fc from 'fast-check';
import { replyMessages } from '#slack/blocks';
import { reply } from './support/records.ts';
import {
  PUBLIC_CHANNEL,
  type Shown,
  SIGNING_SECRET,
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

const stored = () => test.gateway.db.slackEvent.count();
const question = () => askEvent(test.slack.model, { channel: direct, user: 'U0GRACE', text: 'How many days?' });
const seconds = () => Math.floor(Date.now() / 1000);

describe('a request that claims to be from Slack', () => {
  it.each<[string, () => Parameters<TestSlack['deliver']>[1]]>([
    ['with another secret', () => ({ secret: 'ffffffffffffffffffffffffffffffff' })],
    ['that is older than five minutes', () => ({ at: seconds() - 301 })],
    ['from the future', () => ({ at: seconds() + 302 })],
    ['with a malformed timestamp', () => ({ at: Number.NaN })],
  ])('is rejected %s, and nothing is stored', async (_name, more) => {
    const before = await stored();
    const response = await test.deliver(question(), more());
    expect(response.status).toBe(401);
    expect(response.json.error.code).toBe('unauthorized');
    expect(await stored()).toBe(before);
  });

  it('is rejected if any byte of the signed body was changed', async () => {
    const body = JSON.stringify(question());
    const at = seconds();
    const signed = await test.deliver({}, { raw: body, at });
    expect(signed.status).toBe(200);
    const before = await stored();
    const headers = { 'Content-Type': 'application/json' };
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.constantFrom(' ', 'x', '0', '"'), async (place, character) => {
        const changed = body.slice(0, place) + character + body.slice(place + 1);
        if (changed === body) return;
        const response = await test.gateway.send('post', '/slack/events', {
          body: changed,
          key: null,
          headers: { ...headers, ...signSlack(SIGNING_SECRET, body, at) },
        });
        expect([400, 401]).toContain(response.status);
      }),
      { numRuns: runCount({ quick: 20, full: 300 }) },
    );
    expect(await stored()).toBe(before);
  });

  it('is rejected without a signature, with a malformed body, and as GET', async () => {
    const body = JSON.stringify(question());
    const headers = { 'Content-Type': 'application/json' };
    const post = (init: { body: string; headers?: Record<string, string> }) =>
      test.gateway.send('post', '/slack/events', { key: null, ...init });
    expect((await post({ body, headers })).status).toBe(401);
    expect((await post({ body: '{', headers })).status).toBe(400);
    expect((await post({ body: 'x'.repeat(1024 * 1024 + 1), headers })).status).toBe(413);
    expect((await test.gateway.send('get', '/slack/events', { key: null })).status).toBe(405);
    expect((await test.gateway.send('post', '/slack/interactions', { key: null, body: 'payload=%7B' })).status).toBe(
      400,
    );
  });

  it('has no effect when it is replayed', async () => {
    const event = question();
    const raw = JSON.stringify(event);
    const at = seconds();
    await test.deliver({}, { raw, at });
    await test.settled();
    const before = await stored();
    for (let times = 0; times < 5; times++) expect((await test.deliver({}, { raw, at })).status).toBe(200);
    expect(await stored()).toBe(before);
    const click = clickBody(
      test.slack.model,
      {
        channel: direct,
        ts: '1700000000.000100',
        user: 'U0GRACE',
        action: { action_id: 'lectern_up', value: '{"c":"a","m":"b","l":"en"}' },
      },
      test.slack.triggers,
    );
    await test.interact(click);
    const clicked = await stored();
    for (let times = 0; times < 5; times++) expect((await test.interact(click)).status).toBe(200);
    expect(await stored()).toBe(clicked);
  });

  it('reaches only the app of the workspace in the body, whose secret signs it', async () => {
    const before = await stored();
    const event = eventBody(test.slack.model, { type: 'app_mention' }, { team_id: 'T0OTHER' });
    expect((await test.deliver(event)).status).toBe(401);
    expect(await stored()).toBe(before);
  });

  it('gets the challenge back only with a valid signature', async () => {
    const challenge = { type: 'url_verification', token: 't', challenge: 'a-challenge' };
    const accepted = await test.deliver(challenge);
    expect(accepted.status).toBe(200);
    expect(accepted.text).toBe('a-challenge');
    expect(accepted.headers.get('content-type')).toContain('text/plain');
    expect((await test.deliver(challenge, { secret: 'f'.repeat(32) })).status).toBe(401);
  });

  it('never fails, whatever a signed body contains', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          type: fc.constantFrom('event_callback', 'block_actions', 'view_submission', 'x'),
          team_id: fc.constant(test.slack.model.teamId),
          event_id: fc.string(),
          event: fc.oneof(
            fc.jsonValue(),
            fc.record({
              type: fc.constantFrom('message', 'app_mention', 'tokens_revoked'),
              tokens: fc.jsonValue(),
              user: fc.string(),
              text: fc.string(),
              ts: fc.string(),
              channel: fc.string(),
              channel_type: fc.constant('im'),
            }),
          ),
          user: fc.jsonValue(),
          actions: fc.jsonValue(),
          view: fc.jsonValue(),
        }),
        async (body) => {
          expect([200, 401]).toContain((await test.deliver(body)).status);
          expect([200, 401]).toContain((await test.interact(body)).status);
        },
      ),
      { numRuns: runCount({ quick: 40, full: 1_000 }) },
    );
    await test.settled();
  });
});

const HOSTILE = [
  '<!channel>',
  '<!here|here>',
  '<@U0GRACE>',
  '<#C0PUBLIC|x>',
  '<!subteam^S1|all>',
  '<!date^1^{date}|x>',
  '&lt;!channel&gt;',
  '@channel',
  '@here',
  '@everyone',
  '<https://evil.example|Click>',
  '[a](https://evil.example/<!here>)',
  '[<!channel>](https://example.com)',
  '`<!channel>`',
  '```\n<!here>\n```',
  '# <@U0GRACE>',
  '> <!channel>',
  '| a |\n|---|\n| <!here> |\n',
  '*',
  '_',
  '~',
  '&',
  '<',
  '>',
  '|',
  '\n\n',
  '\\<!channel\\>',
  '&#60;!channel&#62;',
  ' ',
  'text',
];
const hostile = fc.array(fc.constantFrom(...HOSTILE), { minLength: 1, maxLength: 25 }).map((parts) => parts.join(''));

/** Everything in angle brackets in the blocks that Slack formats. */
const marksIn = (value: unknown): string[] => JSON.stringify(value).match(/<[^<>]*>/g) ?? [];

describe('a reply that documents or a model wrote', () => {
  const shown = (text: string, title: string, url: string): Shown[] =>
    replyMessages({
      markdown: text,
      sources: [{ id: 'doc_1', title, excerpt: text, url }],
      confidence: { score: 0.9, label: 'high', signals: undefined },
      isTimedOut: false,
      conversationId: 'conv_1',
      messageId: 'msg_1',
      language: 'en',
      url: 'https://lectern.example.com/ask/conv_1',
      publicQuestion: text,
    }).map(({ text: notice, blocks }) => ({
      ts: '',
      threadTs: undefined,
      user: undefined,
      text: notice,
      blocks,
      mentions: [],
      isUnfurled: false,
    }));

  it('has no active mention and no markup that Lectern did not write', () => {
    fc.assert(
      fc.property(hostile, hostile, fc.oneof(hostile, fc.webUrl({ withQueryParameters: true })), (text, title, url) => {
        for (const message of shown(text, title, url)) {
          const visible = visibleText(message);
          for (const mark of [...marksIn(visible), ...marksIn(message.text)]) expect(mark).toMatch(/^<https?:\/\//);
          expect(visible).not.toMatch(/<[!@#]/);
          expect(message.text).not.toMatch(/<[!@#]/);
          for (const block of message.blocks) {
            const texts = block.type === 'section' ? [block.text] : block.type === 'context' ? block.elements : [];
            for (const each of texts) expect(each.verbatim).toBe(true);
          }
        }
      }),
      { numRuns: runCount({ quick: 300, full: 10_000 }) },
    );
  });

  it('mentions no one in Slack, in any state of the message', async () => {
    const poison = HOSTILE.join(' ');
    const [source] = reply.sources;
    test.gateway.services.reply = {
      ...reply,
      content: poison,
      sources: [{ ...source!, title: poison, excerpt: poison, url: 'https://evil.example/<!channel>' }],
    };
    const { chat } = test.gateway.services;
    test.gateway.services.chat = async function* (call) {
      for await (const event of chat(call)) {
        yield event.event?.$case === 'contentDelta'
          ? { ...event, event: { $case: 'contentDelta', value: { delta: poison } } }
          : event;
      }
    };
    await test.ask(PUBLIC_CHANNEL, 'U0GRACE', `Repeat: ${poison}`);
    const message = await test.replied(PUBLIC_CHANNEL);
    test.gateway.services.chat = chat;
    test.gateway.services.reply = reply;
    expect(message.mentions).toEqual([]);
    expect(test.own(PUBLIC_CHANNEL).flatMap(({ mentions }) => mentions)).toEqual([]);
    expect(test.slack.requests.filter(({ path }) => path === '/api/chat.update').length).toBeGreaterThan(0);
  });

  it('is split into messages within the limits of Slack, and posted completely', async () => {
    const long = Array.from(
      { length: 900 },
      (_, at) => `Sentence number ${at} of a long reply with **bold** words.`,
    ).join('\n\n');
    test.gateway.services.reply = { ...reply, content: long };
    await test.ask(direct, 'U0GRACE', 'List everything');
    await waitFor(() => test.own(direct).some((message) => visibleText(message).includes('number 899')));
    test.gateway.services.reply = reply;
    const all = test.own(direct).map(visibleText).join('');
    for (const at of [0, 449, 898]) expect(all).toContain(`Sentence number ${at} `);
  });
});
