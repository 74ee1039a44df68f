import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type ImapServer, mailOf, runCount, startImapServer } from '@lectern/testing';
import fc from 'fast-check';
import type { Connector } from '#connector';
import { imapType } from '#imap/imap-type';
import type { SourceEvent, SourceRef } from '#source';
import { SourceError } from '#source-error';
import { openType } from './support/open-type.ts';
import { call, collect, readBody } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

let host: TestHost;
let server: ImapServer;
let connector: Connector;

async function start(condstore: boolean): Promise<void> {
  server = await startImapServer({ condstore });
  host = createTestHost({ allow: '127.0.0.1' });
  connector = openType(
    imapType,
    { host: server.host, port: server.port, security: 'none' },
    { user: server.user, password: server.password },
    host,
  );
}

async function stop(): Promise<void> {
  await connector.close?.();
  await server.stop();
  await host.close();
}

beforeEach(() => start(true));
afterEach(() => stop());

// --- Histories of a mailbox ---

const FOLDERS = ['INBOX', 'Archive', 'Work/A', 'All Mail'];
const RENAMED = ['Work/A', 'Renamed', 'Work/B'];

type Change =
  | { readonly kind: 'append'; readonly folder: number; readonly mail: number }
  | { readonly kind: 'copy' | 'move'; readonly folder: number; readonly at: number; readonly to: number }
  | { readonly kind: 'expunge' | 'mark deleted' | 'label'; readonly folder: number; readonly at: number }
  | { readonly kind: 'renumber'; readonly folder: number }
  | { readonly kind: 'rename'; readonly to: number }
  | { readonly kind: 'sync' | 'read changes' | 'change while listing' };

const folder = fc.nat(FOLDERS.length - 1);
const at = fc.nat(20);
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('append' as const), folder, mail: fc.nat(12) }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('copy' as const, 'move' as const), folder, at, to: folder }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('expunge' as const, 'mark deleted' as const, 'label' as const),
      folder,
      at,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('renumber' as const), folder }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), to: fc.nat(RENAMED.length - 1) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('sync' as const, 'read changes' as const, 'change while listing' as const),
    }),
  },
);

/** Some messages have the same Message-ID, or none. */
const rawMail = (number: number): string =>
  mailOf({
    ...{ subject: `Subject ${number}`, text: `Text of mail ${number}.` },
    messageId: number % 4 === 3 ? undefined : `<m${number % 5}@example.com>`,
    ...(number % 3 === 0
      ? { attachments: [{ name: `f${number}.txt`, type: 'text/plain', content: `File ${number}.` }] }
      : {}),
  });

const numberOf = (raw: Buffer): number => Number(/Subject (\d+)/.exec(raw.toString())?.[1]);

/** The indexed version of each item, as the sync engine keeps it. */
type Index = Map<string, SourceRef>;

const liveNumbers = (): Set<number> =>
  new Set(
    [...server.mailbox.folders.values()].flatMap(({ messages }) =>
      messages.filter(({ flags }) => !flags.has('\\Deleted')).map(({ raw }) => numberOf(raw)),
    ),
  );

/** The names of the items of all messages, without Lectern's ids. */
const expectedItems = (): string[] =>
  [...liveNumbers()].flatMap((number) => [`Subject ${number}`, ...(number % 3 === 0 ? [`f${number}.txt`] : [])]).sort();

async function fullSync(index: Index): Promise<void> {
  const listed = new Set<string>();
  let end: SourceEvent | undefined;
  for (const event of await collect(connector.list(call))) {
    end = event;
    if (event.type !== 'item') continue;
    expect(listed.has(event.ref.id)).toBe(false);
    listed.add(event.ref.id);
    index.set(event.ref.id, event.ref);
  }
  expect(end).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
  for (const id of [...index.keys()].filter((known) => !listed.has(known))) {
    const ref = await connector.resolve(call, id);
    if (ref === null) index.delete(id);
    else index.set(id, ref);
  }
}

/** Every item can be read, and has the content of its name. */
async function checkContents(index: Index): Promise<void> {
  for (const ref of index.values()) {
    const content = await connector.fetch(call, ref);
    const number = /\d+/.exec(ref.title)?.[0];
    const expected = ref.title.startsWith('f') ? `File ${number}.` : `Text of mail ${number}.`;
    expect(await readBody(content.body)).toContain(expected);
    expect(content.version).toBe(ref.version);
  }
}

const checkIndex = async (index: Index) => {
  expect([...index.values()].map(({ title }) => title).sort()).toEqual(expectedItems());
  await checkContents(index);
};

function apply(event: Change, names: string[]): void {
  const { mailbox } = server;
  const pathOf = (number: number) => names[number] ?? 'INBOX';
  if (event.kind === 'append') mailbox.append(pathOf(event.folder), rawMail(event.mail));
  else if (event.kind === 'renumber') mailbox.renumber(pathOf(event.folder));
  else if (event.kind === 'rename') {
    const to = RENAMED[event.to] ?? 'Renamed';
    if (mailbox.folders.has(to)) return;
    mailbox.renameFolder(pathOf(2), to);
    names[2] = to;
  } else if ('at' in event) {
    const path = pathOf(event.folder);
    const { messages } = mailbox.find(path);
    const message = messages[event.at % Math.max(messages.length, 1)];
    if (message === undefined) return;
    if (event.kind === 'copy') mailbox.copy(path, message.uid, pathOf(event.to));
    else if (event.kind === 'move') mailbox.move(path, message.uid, pathOf(event.to));
    else if (event.kind === 'expunge') mailbox.expunge(path, message.uid);
    else mailbox.setFlags(path, message.uid, event.kind === 'label' ? [`L${event.at}`] : ['\\Deleted']);
  }
}

for (const condstore of [true, false]) {
  it(`has exactly the messages of the mailbox after every history ${condstore ? 'with' : 'without'} CONDSTORE`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 40 }), async (history) => {
        await stop();
        await start(condstore);
        for (const path of FOLDERS.slice(1)) {
          server.mailbox.addFolder(path, path === 'All Mail' ? { specialUse: '\\All' } : {});
        }
        const names = [...FOLDERS];
        const index: Index = new Map();
        let cursor = await connector.cursor!(call);
        for (const [step, event] of history.entries()) {
          apply(event, names);
          if (event.kind === 'sync') {
            cursor = await connector.cursor!(call);
            await fullSync(index);
            await checkIndex(index);
          } else if (event.kind === 'change while listing') {
            const later = history.slice(step + 1, step + 4).filter(({ kind }) => kind === 'append' || kind === 'move');
            let number = 0;
            server.before(() => {
              number += 1;
              const next = number % 3 === 0 ? later.shift() : undefined;
              if (next !== undefined) apply(next, names);
            });
            await fullSync(index);
            server.before();
            // What moved or arrived meanwhile is found by the next sync; nothing else is missing.
            await fullSync(index);
            await checkIndex(index);
          } else if (event.kind === 'read changes') {
            try {
              for (const found of await collect(connector.changes!(call, cursor))) {
                if (found.type === 'item') index.set(found.ref.id, found.ref);
                if (found.type === 'checkpoint') cursor = found.at;
              }
            } catch (error) {
              if (!(error instanceof SourceError) || error.kind !== 'gone') throw error;
              cursor = await connector.cursor!(call);
              await fullSync(index);
            }
            const known = new Set([...index.values()].map(({ title }) => title));
            for (const name of expectedItems()) expect(known.has(name)).toBe(true);
          }
        }
        await fullSync(index);
        await checkIndex(index);
      }),
      { numRuns: runCount({ quick: 12, full: 150 }) },
    );
  }, 300_000);
}

// --- Forged messages ---

it('has each message once, although others have the same headers', async () => {
  const raw = fc.record({
    subject: fc.nat(1),
    id: fc.nat(2),
    length: fc.integer({ min: 1, max: 3 }),
    second: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(raw, fc.boolean()), { minLength: 1, maxLength: 15 }), async (mails) => {
      const { mailbox } = server;
      for (const path of ['INBOX', 'Other']) mailbox.folders.get(path)?.messages.splice(0);
      if (!mailbox.folders.has('Other')) mailbox.addFolder('Other');
      for (const [{ subject, id, length, second }, isOther] of mails) {
        const messageId = id === 2 ? undefined : `<${'m'.repeat(id + 1)}@x>`;
        const text = `Text ${'x'.repeat(length)}.`;
        const date = new Date(Date.UTC(2026, 0, 5, 10, 11, second));
        mailbox.append(isOther ? 'Other' : 'INBOX', mailOf({ subject: `s${subject}`, text, messageId }), { date });
      }
      const refs = (await collect(connector.list(call))).flatMap((event) => (event.type === 'item' ? [event.ref] : []));
      const distinct = new Set(mails.map(([mail]) => JSON.stringify(mail)));
      expect(new Set(refs.map(({ id }) => id)).size).toBe(distinct.size);
      expect(refs).toHaveLength(distinct.size);
      const texts = await Promise.all(refs.map(async (ref) => readBody((await connector.fetch(call, ref)).body)));
      const lengthOf = (text: string) => /Text (x+)\./.exec(text)?.[1]?.length;
      const wanted = [...distinct].map((mail) => JSON.parse(mail).length);
      expect(texts.map(lengthOf).sort()).toEqual(wanted.sort());
      for (const ref of refs) expect(await connector.resolve(call, ref.id)).toEqual(ref);
    }),
    { numRuns: runCount({ quick: 30, full: 500 }) },
  );
}, 120_000);

// --- Hostile messages ---

const line = fc.oneof(
  fc.constantFrom(
    'Subject: =?utf-8?B?////?=',
    'Subject: =?unknown-charset?Q?=FF=00?=',
    'Subject: a\0b',
    'From: "unterminated <a@b',
    'From: group: a@b, c@d;',
    'To: <<<>>>',
    'Date: not a date',
    'Date: Mon, 99 Foo 9999 99:99:99 +9999',
    'Message-ID: <>',
    'Message-ID: <a b\t"c"@d>',
    'Message-ID: <evil/../../../id~!%00@x>',
    'References: <<><',
    'Bcc: hidden@example.com',
    'X-Injected: value',
    ' folded into nothing',
    'Content-Type: multipart/mixed; boundary=""',
    'Content-Type: multipart/alternative; boundary=b',
    'Content-Type: text/plain; charset="utf-8\\"; evil=\\"x"',
    'Content-Type: text/html; charset=x-no-such-charset',
    'Content-Type: message/rfc822',
    'Content-Type: /',
    'Content-Transfer-Encoding: base64',
    'Content-Transfer-Encoding: x-uuencode\t; a',
    "Content-Disposition: attachment; filename*=utf-8''%FF%00..%2F..%2Fetc",
    '--b',
    '--b--',
    '',
  ),
  fc.string({ unit: 'binary', maxLength: 80 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
  fc.nat(3_000).map((count) => `X-Long: ${'y'.repeat(count)}`),
);

it('reads every message, however malformed it is, without headers that it does not need', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(line, { maxLength: 30 }), { minLength: 1, maxLength: 5 }), async (mails) => {
      const { mailbox } = server;
      mailbox.find('INBOX').messages = [];
      for (const lines of mails) mailbox.append('INBOX', `${lines.join('\r\n')}\r\n`);
      const events = await collect(connector.list(call));
      expect(events.at(-1)).toMatchObject({ type: 'complete' });
      const refs = events.flatMap((event) => (event.type === 'item' ? [event.ref] : []));
      const failed = events.filter(({ type }) => type === 'failed');
      expect(new Set(refs.map(({ id }) => id)).size).toBe(refs.length);
      if (failed.length === 0) expect(refs.length).toBeGreaterThan(0);
      for (const ref of refs) {
        expect(`${ref.id}${ref.title}${ref.path}${ref.author ?? ''}`).not.toMatch(/\p{Cc}/u);
        expect(ref.title.isWellFormed()).toBe(true);
        expect(await connector.resolve(call, ref.id)).toEqual(ref);
        const content = await connector.fetch(call, ref);
        const body = await readBody(content.body);
        expect(content.fileName).not.toMatch(/[/\\]|\p{Cc}/u);
        expect(JSON.stringify(content.metadata)).not.toContain('hidden@example.com');
        if (ref.mimeType !== 'message/rfc822' || /\/[\d.]+$/.test(ref.id)) continue;
        const [header = ''] = body.split('\r\n\r\n');
        for (const field of header.split('\r\n')) {
          expect(field).toMatch(/^(Subject|From|To|Cc|Date|MIME-Version|Content-Type|Content-Transfer-Encoding): /);
        }
      }
    }),
    { numRuns: runCount({ quick: 60, full: 1_000 }) },
  );
}, 120_000);

it('limits the attachments, the header and the depth of a message', async () => {
  const part = (n: number) =>
    `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=f${n}.txt\r\n\r\nx\r\n`;
  const header = 'From: a@x\r\nTo: b@x\r\nMessage-ID: <many@x>\r\nSubject: many\r\n';
  const many = Array.from({ length: 3_000 }, (_, n) => part(n)).join('');
  server.mailbox.append('INBOX', `${header}Content-Type: multipart/mixed; boundary=b\r\n\r\n${many}--b--\r\n`);
  const longTo = `To: ${Array.from({ length: 20_000 }, (_, n) => `person${n}@example.com`).join(', ')}`;
  server.mailbox.append(
    'INBOX',
    `${longTo}\r\nSubject: ${'s'.repeat(50_000)}\r\nMessage-ID: <long@x>\r\n\r\nshort text\r\n`,
  );
  const deep = Array.from(
    { length: 30 },
    (_, n) => `Content-Type: multipart/mixed; boundary=d${n}\r\n\r\n--d${n}\r\n`,
  ).join('');
  server.mailbox.append(
    'INBOX',
    `Subject: deep\r\nMessage-ID: <deep@x>\r\n${deep}Content-Type: text/plain\r\n\r\ninside\r\n`,
  );
  const refs = (await collect(connector.list(call))).flatMap((event) => (event.type === 'item' ? [event.ref] : []));
  expect(refs.filter(({ title }) => /^f\d+\.txt$/.test(title))).toHaveLength(100);
  const bodyOf = async (messageId: string) => {
    const ref = refs.find(({ id }) => id.includes(`/${messageId}~`))!;
    const content = await connector.fetch(call, ref);
    return { content, body: await readBody(content.body) };
  };
  const long = await bodyOf('long@x');
  expect(long.body).toContain('short text');
  expect(long.body.length).toBeLessThan(50_000);
  expect(Object(long.content.metadata).to).toHaveLength(50);
  expect((await bodyOf('deep@x')).body).toContain('inside');
}, 60_000);
