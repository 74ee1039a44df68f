import { describe, expect, it } from '@jest/globals';
import { type GraphServer, runCount, startGraphServer, type TeamsModel } from '@lectern/testing';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { microsoft365Type } from '#microsoft-365/microsoft-365-type';
import { createFollower } from './support/follow-feed.ts';
import { openType } from './support/open-type.ts';
import { call, collect, refsOf, textOf } from './support/read-source.ts';
import { createTestHost } from './support/test-host.ts';

const HOW = [
  ...['post', 'post', 'post', 'reply', 'reply', 'reply', 'edit', 'edit', 'react', 'remove', 'remove', 'event'],
  ...['block', 'block from guests', 'notify', 'override'],
  ...['rename channel', 'remove channel', 'add channel', 'rename team', 'expire'],
] as const;

/** A change in a team; numbers wrap around. */
interface Edit {
  readonly how: (typeof HOW)[number];
  readonly at: number;
  readonly channel: number;
  readonly word: string;
}

const edits = (maxLength: number): fc.Arbitrary<Edit[]> =>
  fc.array(
    fc.record({
      how: fc.constantFrom(...HOW),
      at: fc.nat(1_000),
      channel: fc.nat(1_000),
      word: fc.stringMatching(/^[a-z]{1,6}$/),
    }),
    { maxLength },
  );

async function start(pageSize: number) {
  const server = await startGraphServer({ pageSize, replyPageSize: 2 });
  const host = createTestHost({ allow: new URL(server.origin).host });
  const { model, tenantId, clientId, clientSecret } = server;
  const group = model.addGroup('Marketing', { isUnified: true });
  model.teams.addTeam(group.id, 'Marketing');
  model.teams.addChannel(group.id, 'General');
  const config = { teams: 'all', endpoint: server.origin };
  return {
    ...{ server, model, teamId: group.id, tenantId },
    open: () => openType(microsoft365Type, config, { tenantId, clientId, clientSecret }, host),
    stop: async () => {
      await server.stop();
      await host.close();
    },
  };
}

const POLICIES: Readonly<Record<string, { readonly dlpAction: string; readonly userAction: string }>> = {
  block: { dlpAction: 'notifySender,blockAccess', userAction: 'none' },
  'block from guests': { dlpAction: 'notifySender, blockAccessExternal', userAction: 'reportFalsePositive' },
  notify: { dlpAction: 'notifySender', userAction: 'none' },
  override: { dlpAction: 'blockAccess', userAction: 'override,reportFalsePositive' },
};

type Started = Awaited<ReturnType<typeof start>>;

function apply({ server, model: { teams }, teamId }: Started, { how, at, channel, word }: Edit): void {
  const channels = teams.channelsOf(teamId);
  const place = channels[channel % Math.max(channels.length, 1)];
  if (how === 'add channel') teams.addChannel(teamId, word);
  if (how === 'rename team') teams.renameTeam(teamId, word);
  if (how === 'expire') server.expireLinks();
  if (place === undefined) return;
  if (how === 'post') teams.post(place.id, `<p>${word}</p>`);
  if (how === 'event') teams.post(place.id, '', { messageType: 'systemEventMessage' });
  if (how === 'rename channel') teams.editChannel(place.id, { displayName: word });
  if (how === 'remove channel' && channels.length > 1) teams.removeChannel(place.id);
  const roots = teams.threads(place.id);
  const root = roots[at % Math.max(roots.length, 1)];
  if (root === undefined || !teams.channels.has(place.id)) return;
  const messages = [root, ...teams.repliesOf(root.id)];
  const message = messages[channel % messages.length]!;
  if (how === 'reply') teams.reply(root.id, `<p>${word}</p>`);
  if (how === 'edit' && message.deleted === null) teams.edit(message.id, `<p>${word} again</p>`);
  if (how === 'react') teams.react(message.id);
  if (how === 'remove') teams.remove(message.id);
  const violation = POLICIES[how];
  if (violation !== undefined) teams.block(message.id, violation);
}

/** Returns the texts of the visible messages of each thread, in order, and its channel. */
function reference(teams: TeamsModel, teamId: string) {
  const threads = teams.channelsOf(teamId).flatMap((channel) =>
    teams.threads(channel.id).flatMap((root) => {
      const visible = [root, ...teams.repliesOf(root.id).toReversed()].filter(
        ({ messageType, deleted, policyViolation: policy }) =>
          messageType === 'message' &&
          deleted === null &&
          (!policy?.dlpAction.includes('blockAccess') || policy.userAction.includes('override')),
      );
      if (visible.length === 0) return [];
      const place = `${teams.teams.get(teamId)?.displayName}/${channel.displayName}`;
      const texts = visible.map(({ content }) => content.replaceAll(/<\/?p>/g, ''));
      return [[`teams/${teamId}/${channel.id}/${root.id}`, { place, texts }] as const];
    }),
  );
  return new Map(threads);
}

const shownOf = ({ path, text }: { readonly path: string; readonly text: string }) => ({
  place: path.split('/').slice(0, 2).join('/'),
  texts: [...text.matchAll(/<div><p>([a-z ]*)<\/p><\/div>/g)].map(([, words]) => words),
});

/** Applies each edit before one of the next requests for messages. */
function editDuring(started: Started, list: readonly Edit[]) {
  const left = [...list];
  started.server.before(({ path }) => {
    const next = path.includes('/messages') ? left.shift() : undefined;
    if (next !== undefined && next.how !== 'remove channel') apply(started, next);
  });
  return () => {
    started.server.before();
    for (const edit of left) apply(started, edit);
  };
}

describe('the threads of Teams against a reference', () => {
  it('are complete and current after a listing and its change feed, whatever changes meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        edits(25),
        edits(10),
        fc.array(edits(5), { maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        async (before, during, steps, pageSize) => {
          const started = await start(pageSize);
          const { model, teamId, open, stop } = started;
          try {
            for (const edit of before) apply(started, edit);
            const { index, list, follow } = createFollower(open);
            const compare = () =>
              expect(new Map([...index].map(([id, item]) => [id, shownOf(item)]))).toEqual(
                reference(model.teams, teamId),
              );
            await list();
            compare();
            const finish = editDuring(started, during);
            await list();
            finish();
            await follow();
            compare();
            for (const step of steps) {
              for (const edit of step) apply(started, edit);
              await follow();
              compare();
            }
          } finally {
            await stop();
          }
        },
      ),
      {
        numRuns: runCount({ quick: 20, full: 200 }),
        // The position expires between two pages.
        examples: [
          [
            [{ how: 'post', at: 0, channel: 0, word: 'a' }],
            [
              { how: 'reply', at: 0, channel: 0, word: 'a' },
              { how: 'post', at: 0, channel: 0, word: 'a' },
              { how: 'expire', at: 0, channel: 0, word: 'a' },
            ],
            [],
            1,
          ],
          // A reply comes between the listing and the reading of a thread, and is removed afterwards.
          [
            [],
            [
              { how: 'post', at: 0, channel: 0, word: 'a' },
              { how: 'post', at: 0, channel: 0, word: 'a' },
              { how: 'reply', at: 28, channel: 0, word: 'a' },
              { how: 'override', at: 45, channel: 0, word: 'a' },
              { how: 'remove', at: 357, channel: 0, word: 'a' },
            ],
            [],
            1,
          ],
        ],
      },
    );
  });

  it('are read once if only reactions change', async () => {
    const started = await start(5);
    const { model, teamId, open, stop } = started;
    try {
      const [channel] = model.teams.channelsOf(teamId);
      const root = model.teams.post(channel!.id, '<p>Hello</p>');
      const versions = async () => refsOf(await collect(open().list(call))).map(({ version }) => version);
      const before = await versions();
      model.teams.react(root.id);
      expect(await versions()).toEqual(before);
    } finally {
      await stop();
    }
  });
});

interface Membership {
  readonly teamMembers: readonly number[];
  readonly nested: readonly number[];
  readonly owners: readonly number[];
  readonly channels: readonly {
    readonly type: 'standard' | 'private' | 'shared';
    readonly members: readonly number[];
    readonly guests: readonly number[];
  }[];
}

const USERS = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve'] as const;
const some = fc.uniqueArray(fc.nat(USERS.length - 1), { maxLength: 4 });
/** Addresses that other tenants report. The last ones belong to this tenant, or are none. */
const GUESTS = [
  'x@partner.example',
  'Y@Partner.example',
  'ada@example.com',
  'new@EXAMPLE.com',
  'z_p#EXT#@p.example',
  null,
];

const memberships: fc.Arbitrary<Membership> = fc.record({
  teamMembers: some,
  nested: some,
  owners: some,
  channels: fc.array(
    fc.record({
      type: fc.constantFrom('standard' as const, 'private' as const, 'shared' as const),
      members: some,
      guests: fc.uniqueArray(fc.nat(GUESTS.length - 1), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

/** Starts a team with these members, and a thread in each channel. */
async function startMembers({ teamMembers, nested, owners, channels }: Membership) {
  const started = await start(3);
  const { model, teamId, tenantId } = started;
  // The last user is disabled.
  const users = USERS.map((name, at) => model.addUser(name, { accountEnabled: at < USERS.length - 1 }));
  const idOf = (at: number) => users[at]!.id;
  const inner = model.addGroup('Inner', { members: nested.map(idOf) });
  model.editGroup(teamId, { members: [...teamMembers.map(idOf), inner.id], owners: owners.map(idOf) });
  const expected = new Map<string, readonly string[]>();
  for (const [n, { type, members, guests }] of channels.entries()) {
    const own = members.map((at) => {
      const { id: userId, mail: email, displayName } = users[at]!;
      return { userId, email, displayName, tenantId };
    });
    const others = guests.map((at) => ({
      ...{ userId: `guest-${at}`, email: GUESTS[at] ?? null, displayName: 'Guest' },
      tenantId: '99999999-0000-4000-8000-000000000000',
    }));
    const channel = model.teams.addChannel(teamId, `channel ${n}`, {
      membershipType: type,
      members: type === 'standard' ? [] : [...own, ...others],
    });
    const root = model.teams.post(channel.id, '<p>Hello</p>');
    const readers = type === 'standard' ? [...teamMembers, ...nested, ...owners] : members;
    const enabled = readers
      .filter((at) => at < USERS.length - 1)
      .map((at) => `user:${USERS[at]!.toLowerCase()}@example.com`);
    const known =
      type === 'shared' ? guests.filter((at) => at < 2).map((at) => `user:${GUESTS[at]!.toLowerCase()}`) : [];
    expected.set(`teams/${teamId}/${channel.id}/${root.id}`, [...new Set([...enabled, ...known])].sort());
  }
  return { ...started, expected };
}

describe('the readers of threads of Teams', () => {
  it('are the people whom an independent model names', async () => {
    await fc.assert(
      fc.asyncProperty(memberships, async (membership) => {
        const { open, stop, expected } = await startMembers(membership);
        try {
          const connector = open();
          const refs = refsOf(await collect(connector.list(call)));
          const groups = new Map(
            (await collect(connector.groups!(call))).map(({ principal, members }) => [principal, members]),
          );
          const found = new Map<string, readonly string[]>();
          for (const { id, principals } of await collect(connector.permissions!(call, refs))) {
            const people = principals.flatMap((principal) => groups.get(principal) ?? [principal]);
            found.set(id, [...new Set(people.filter((principal) => principal.includes('@')))].sort());
          }
          expect(found).toEqual(expected);
        } finally {
          await stop();
        }
      }),
      { numRuns: runCount({ quick: 20, full: 200 }) },
    );
  });
});

const fragments = fc.oneof(
  fc.constantFrom(
    ...['<div>', '</div>', '</main>', '</body></html>', '<script>', '</script>', '<style>', '<table><tr><td>', '</td>'],
    ...[
      '<pre>',
      '<codeblock class="Java">',
      '</codeblock>',
      '<!--',
      '-->',
      '<![CDATA[',
      '<at id="0">',
      '<attachment id="',
    ],
    ...[
      '<p hidden>',
      '<div style="display: none">',
      '<title>',
      '<textarea>',
      '<plaintext>',
      '<svg><desc>',
      '<h2>',
      '<h1>Forged</h1>',
      '&lt;',
    ],
    ...['<systemEventMessage/>', '<emoji alt="&lt;script&gt;">', '<img itemtype="emoji" alt="<h1>">', '<iframe src=x>'],
  ),
  fc.string(),
);

describe('a hostile message of Teams', () => {
  it('does not change the messages around it', async () => {
    const started = await start(20);
    const { server, model, teamId, open, stop } = started as Started & { server: GraphServer };
    const [channel] = model.teams.channelsOf(teamId);
    const root = model.teams.post(channel!.id, '<p>FIRST</p>', { subject: 'Subject' });
    const hostile = model.teams.reply(root.id, '');
    model.teams.reply(root.id, '<p>LAST</p>');
    expect(server.origin).toMatch(/^http/);
    const [ref] = refsOf(await collect(open().list(call)));
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(fragments, { maxLength: 12 }), async (parts) => {
          model.teams.edit(hostile.id, parts.join(''));
          const html = await textOf(open(), ref!);
          const places = new Map<string, string>();
          const path: string[] = [];
          const parser = new Parser({
            onopentagname: (name) => path.push(name),
            onclosetag: () => path.pop(),
            ontext: (text) => places.set(text.trim(), path.join('/')),
          });
          parser.end(html);
          expect(places.get('FIRST')).toBe('html/body/main/div/p');
          expect(places.get('LAST')).toBe('html/body/main/div/p');
          expect(html.match(/<h1>/g)).toHaveLength(1);
          expect(html.match(/<h2>/g)).toHaveLength(3);
          expect(html).not.toMatch(/<script|<style|<iframe|\son\w+=|<textarea|<svg/i);
        }),
        { numRuns: runCount({ quick: 75, full: 2_000 }) },
      );
      // Deep nesting costs no depth.
      model.teams.edit(hostile.id, `${'<div>'.repeat(50_000)}deep`);
      const deep = await textOf(open(), ref!);
      expect(deep).toContain('deep');
      expect(deep.match(/<div>/g)!.length).toBeLessThan(200);
    } finally {
      await stop();
    }
  });
});
