import { describe, expect, it } from '@jest/globals';
import { type MailModel, runCount, startGraphServer } from '@lectern/testing';
import fc from 'fast-check';
import { microsoft365Type } from '#microsoft-365/microsoft-365-type';
import { createFollower } from './support/follow-feed.ts';
import { openType } from './support/open-type.ts';
import { call, collect, refsOf, textOf } from './support/read-source.ts';
import { createTestHost } from './support/test-host.ts';

const HOW = [
  ...['deliver', 'deliver', 'deliver', 'attach', 'attach', 'edit', 'edit', 'move', 'move', 'move', 'remove', 'remove'],
  ...['purge', 'read', 'read', 'add folder', 'rename folder', 'move folder', 'drop folder', 'expire'],
] as const;

/** A change in a mailbox; numbers wrap around. */
interface Edit {
  readonly how: (typeof HOW)[number];
  readonly at: number;
  readonly folder: number;
  readonly word: string;
}

const edits = (maxLength: number): fc.Arbitrary<Edit[]> =>
  fc.array(
    fc.record({
      how: fc.constantFrom(...HOW),
      at: fc.nat(1_000),
      folder: fc.nat(1_000),
      word: fc.stringMatching(/^[a-z]{1,6}$/),
    }),
    { maxLength },
  );

async function start(pageSize: number, config: Record<string, unknown> = {}) {
  const server = await startGraphServer({ pageSize });
  const host = createTestHost({ allow: new URL(server.origin).host });
  const { model, tenantId, clientId, clientSecret } = server;
  const user = model.addUser('Help', { accountEnabled: false });
  model.mail.addMailbox(user.id);
  const settings = { sharedMailboxes: 'help@example.com', endpoint: server.origin, ...config };
  return {
    ...{ server, model, userId: user.id },
    open: () => openType(microsoft365Type, settings, { tenantId, clientId, clientSecret }, host),
    stop: async () => {
      await server.stop();
      await host.close();
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Returns the folders above a folder and itself, from the root. */
function ancestry(mail: MailModel, id: string) {
  const above = [];
  for (let at = mail.folders.get(id); at !== undefined; at = mail.folders.get(at.parentId ?? '')) above.unshift(at);
  return above;
}

function apply({ server, model: { mail }, userId }: Started, { how, at, folder, word }: Edit): void {
  const all = [...mail.folders.values()];
  const own = all.filter(({ wellKnown }) => wellKnown === undefined);
  const target = all[folder % all.length]!;
  const moved = own[at % Math.max(own.length, 1)];
  const messages = mail.messagesOf(userId);
  const message = messages[at % Math.max(messages.length, 1)];
  const body = `<p>${word}</p>`;
  if (how === 'deliver') mail.deliver(userId, word, { body, folderId: target.id });
  if (how === 'attach') {
    const attachments = [
      { name: `${word}.txt`, content: word },
      { name: 'logo.png', isInline: true, contentType: 'image/png' },
      { name: 'link', kind: 'reference' as const },
      { name: `${word}.pdf`, content: word, isInline: true, contentType: 'application/pdf' },
    ];
    mail.deliver(userId, word, { body, folderId: target.id, attachments });
  }
  if (how === 'add folder') mail.addFolder(userId, word, target.id);
  if (how === 'expire') server.expireLinks();
  if (moved !== undefined && how === 'rename folder') mail.renameFolder(moved.id, word);
  if (moved !== undefined && how === 'drop folder')
    mail.moveFolder(moved.id, mail.wellKnown(userId, 'deleteditems').id);
  // A folder cannot move into itself.
  if (moved !== undefined && how === 'move folder' && !ancestry(mail, target.id).includes(moved)) {
    mail.moveFolder(moved.id, target.id);
  }
  if (message === undefined) return;
  if (how === 'read') mail.toggleRead(message.id);
  if (how === 'edit') mail.edit(message.id, { body: `<p>${word} again</p>` });
  if (how === 'move') mail.move(message.id, target.id);
  if (how === 'remove') mail.remove(message.id);
  if (how === 'purge') mail.purge(message.id);
}

const LEFT_OUT: readonly unknown[] = ['deleteditems', 'junkemail', 'drafts', 'outbox'];

/** Returns the path and the text of each message and attachment. */
function reference({ model: { mail }, userId }: Started) {
  const items = new Map<string, { readonly path: string; readonly text: string }>();
  for (const { id, folderId, subject, body, attachments } of mail.messagesOf(userId)) {
    const folders = ancestry(mail, folderId);
    if (folders.some(({ wellKnown }) => LEFT_OUT.includes(wellKnown))) continue;
    const path = `help@example.com/${folders.map(({ displayName }) => displayName).join('/')}/${subject}`;
    items.set(`mail/${userId}/${id}`, { path, text: body.replaceAll(/<\/?p>/g, '') });
    for (const { id: attachment, kind, isInline, name, content } of attachments) {
      if (kind === 'reference' || (isInline && name.endsWith('.png'))) continue;
      items.set(`mail/${userId}/${id}/${attachment}`, { path: `${path}/${name}`, text: String(content) });
    }
  }
  return items;
}

const shownOf = ({ path, text }: { readonly path: string; readonly text: string }) => ({
  path,
  text: /<div><p>([a-z ]*)<\/p><\/div>/.exec(text)?.[1] ?? text,
});

/** Applies each edit before one of the next requests for messages. */
function editDuring(started: Started, list: readonly Edit[]) {
  const left = [...list];
  started.server.before(({ path }) => {
    const next = path.includes('/messages') ? left.shift() : undefined;
    if (next !== undefined) apply(started, next);
  });
  return () => {
    started.server.before();
    for (const edit of left) apply(started, edit);
  };
}

describe('the messages of a mailbox against a reference', () => {
  it('are complete and current after a listing and its change feed, whatever changes meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        edits(25),
        edits(8),
        fc.array(edits(4), { maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        async (before, during, steps, pageSize) => {
          const started = await start(pageSize);
          try {
            for (const edit of before) apply(started, edit);
            const { index, list, follow } = createFollower(started.open);
            const compare = () =>
              expect(new Map([...index].map(([id, item]) => [id, shownOf(item)]))).toEqual(reference(started));
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
            await started.stop();
          }
        },
      ),
      { numRuns: runCount({ quick: 20, full: 200 }) },
    );
  });
});

describe('the patterns of folders', () => {
  const GERMAN = ['Posteingang', 'Entwürfe', 'Gesendet', 'Gelöscht', 'Spam', 'Postausgang', 'Archiv'] as const;
  const pattern = fc.oneof(
    fc.constantFrom('*', '**', '**/*', '?*', '**/Old', 'Inbox', 'Posteingang/**', '!Inbox', '!Archiv', '!**/Old', '!'),
    fc.constantFrom('Deleted*', '{Deleted Items,Inbox}', '**/Deleted Items/**', '?elöscht', '[GD]*', 'Deleted Item'),
    fc
      .array(fc.constantFrom('*', '**', '?', '/', '{', '}', ',', 'Old', 'Inbox', 'Deleted'), {
        minLength: 1,
        maxLength: 6,
      })
      .map((parts) => parts.join('')),
  );

  it('never select deleted messages, unless one begins with the path of their folder', async () => {
    const started = await start(20);
    const { server, model, userId, stop } = started;
    const { mail } = model;
    const other = model.addUser('Hilfe');
    mail.addMailbox(other.id, GERMAN);
    for (const user of [userId, other.id]) {
      for (const name of ['inbox', 'archive', 'deleteditems'] as const) {
        const { id } = mail.wellKnown(user, name);
        mail.deliver(user, name, { folderId: id });
        mail.deliver(user, `${name} old`, { folderId: mail.addFolder(user, 'Old', id).id });
      }
    }
    const host = createTestHost({ allow: new URL(server.origin).host });
    const { tenantId, clientId, clientSecret } = server;
    const read = async (mailFolders: readonly string[]) => {
      const sharedMailboxes = ['help@example.com', 'hilfe@example.com'];
      const config = { sharedMailboxes, endpoint: server.origin, mailFolders };
      const connector = openType(microsoft365Type, config, { tenantId, clientId, clientSecret }, host);
      const refs = refsOf(await collect(connector.list(call)));
      return [userId, other.id].map((user) =>
        refs.flatMap(({ id, title }) => (id.includes(user) ? [title] : [])).sort(),
      );
    };
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(pattern, { maxLength: 4 }),
          fc.constantFrom('Deleted Items', 'Gelöscht'),
          async (list, name) => {
            const isEnglish = (text: string) => !/[PG?*{[]|Archiv/.test(text);
            const [english, german] = await read(list);
            for (const title of [...english!, ...german!]) expect(title).not.toContain('deleted');
            // Patterns with English names mean the same in each language.
            if (list.every(isEnglish)) expect(german).toEqual(english);
            const excluding = list.filter((text) => text.startsWith('!') && text !== '!');
            const [, named] = await read([...excluding, name]);
            expect(named).toContain('deleteditems');
          },
        ),
        { numRuns: runCount({ quick: 30, full: 1_000 }) },
      );
    } finally {
      await host.close();
      await stop();
    }
  });
});

const NAMES = ['Ada', 'Bob', 'Cleo', 'Dan'] as const;
const some = fc.uniqueArray(fc.nat(NAMES.length - 1), { maxLength: 3 });

describe('the readers of mailboxes', () => {
  it('are the people whom an independent model names', async () => {
    await fc.assert(
      fc.asyncProperty(some, some, some, some, some, async (shared, personal, grouped, people, inGroup) => {
        fc.pre(shared.length + personal.length + grouped.length > 0);
        fc.pre(!shared.some((at) => personal.includes(at)));
        const server = await startGraphServer({ pageSize: 2 });
        const host = createTestHost({ allow: new URL(server.origin).host });
        try {
          const { model, tenantId, clientId, clientSecret } = server;
          const users = NAMES.map((name) => model.addUser(name));
          const address = (at: number) => `${NAMES[at]!.toLowerCase()}@example.com`;
          const inner = model.addGroup('Inner', { members: inGroup.map((at) => users[at]!.id) });
          const readers = model.addGroup('Readers', { members: [inner.id] });
          const owners = model.addGroup('Owners', {
            ...{ members: grouped.map((at) => users[at]!.id), mail: 'owners@example.com' },
          });
          const ids = users.map(({ id }) => {
            model.mail.addMailbox(id);
            return `mail/${id}/${model.mail.deliver(id, 'Hello').id}`;
          });
          const config = {
            ...{ sharedMailboxes: shared.map(address), mailboxes: personal.map(address), endpoint: server.origin },
            mailboxReaders: [...people.map(address), readers.id],
            ...(grouped.length === 0 ? {} : { mailboxGroups: ['owners@example.com'] }),
          };
          expect(owners.mail).toBe('owners@example.com');
          const connector = openType(microsoft365Type, config, { tenantId, clientId, clientSecret }, host);
          const refs = refsOf(await collect(connector.list(call)));
          const groups = new Map(
            (await collect(connector.groups!(call))).map(({ principal, members }) => [principal, members]),
          );
          const found = new Map<string, readonly string[]>();
          for (const { id, principals } of await collect(connector.permissions!(call, refs))) {
            const members = principals.flatMap((principal) => groups.get(principal) ?? [principal]);
            found.set(id, [...new Set(members)].sort());
          }
          const expected = new Map<string, readonly string[]>();
          for (const [at, id] of ids.entries()) {
            const isPrivate = personal.includes(at) || grouped.includes(at);
            if (!isPrivate && !shared.includes(at)) continue;
            const extra = isPrivate ? [] : [...people, ...inGroup];
            expected.set(id, [...new Set([at, ...extra].map((n) => `user:${address(n)}`))].sort());
          }
          expect(found).toEqual(expected);
        } finally {
          await server.stop();
          await host.close();
        }
      }),
      { numRuns: runCount({ quick: 20, full: 200 }) },
    );
  });
});

describe('a hostile message of a mailbox', () => {
  const parts = fc.oneof(
    fc.constantFrom(
      ...[
        '</main>',
        '</body></html>',
        '<script>',
        '</script>',
        '<style>',
        '<!--',
        '-->',
        '<plaintext>',
        '<pre>',
        '<td>',
      ],
      ...[
        '<div style="display:none">',
        '<p hidden>',
        '<table>',
        '<title>',
        '<textarea>',
        '<!DOCTYPE x [',
        '&lt;h1&gt;',
      ],
    ),
    fc.string(),
  );

  it('does not change what precedes and follows it', async () => {
    const started = await start(20);
    const { model, userId, open, stop } = started;
    const { mail } = model;
    const attachments = [{ name: '</ul></main><script>.txt', content: 'x' }];
    const { id } = mail.deliver(userId, '<b>Subject</b>', { attachments });
    try {
      const connector = open();
      const refs = refsOf(await collect(connector.list(call)));
      const ref = refs.find((each) => each.id === `mail/${userId}/${id}`)!;
      await fc.assert(
        fc.asyncProperty(fc.array(parts, { maxLength: 12 }), fc.boolean(), async (body, isUnique) => {
          const content = body.join('');
          mail.edit(id, { body: content, uniqueBody: isUnique ? content : '' });
          const html = await textOf(connector, ref);
          const [head = '', tail = ''] = [html.slice(0, 160), html.slice(-140)];
          expect(head).toContain('<h1>&lt;b&gt;Subject&lt;/b&gt;</h1>');
          expect(tail).toMatch(/<ul><li>Attachment: [^<]*<\/li><\/ul>\n<\/main><\/body><\/html>\n$/);
          expect(html.match(/<\/main>/g)).toHaveLength(1);
          expect(html).not.toMatch(/<script|<style|<textarea|<plaintext/i);
        }),
        { numRuns: runCount({ quick: 75, full: 2_000 }) },
      );
    } finally {
      await stop();
    }
  });
});
