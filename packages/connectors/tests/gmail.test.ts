import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type GmailPart, type GmailServer, type NewGmailMessage, runCount, startGmailServer } from '@lectern/testing';
import fc from 'fast-check';
import type { Connector } from '#connector';
import { gmailType } from '#gmail/gmail-type';
import { MAX_ATTACHMENTS } from '#gmail/item-id';
import { publicAddresses } from '#host';
import type { SourceEvent } from '#source';
import { openType } from './support/open-type.ts';
import { call, collect, collectUntilError, idsOf, readBody, refsOf, textOf } from './support/read-source.ts';
import { createRefreshingTokens } from './support/refreshing-tokens.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

const ADA = '100000001';
const BOB = '100000002';

let server: GmailServer;
let host: TestHost;

const open = (config: object = {}, credentials: object = {}): Connector =>
  openType(
    gmailType,
    config,
    { serviceAccountKey: server.delegation.keyFile(), adminEmail: 'Ada@example.com', ...credentials },
    host,
  );
const deliver = (message: NewGmailMessage, user = ADA) => server.mailbox(user).deliver(message);
const failures = (events: readonly SourceEvent[]) =>
  events.flatMap((event) => (event.type === 'failed' ? [event] : []));
const listed = async (gmail: Connector) => refsOf(await collect(gmail.list(call)));
const titles = async (config: object) => (await listed(open(config))).map(({ title }) => title).sort();
const readersOf = async (gmail: Connector, id: string) => {
  const [readers] = await collect(gmail.permissions!(call, [{ id, path: id, title: id }]));
  return readers!.principals;
};
/** Lists the only thread of a mailbox and returns its document. */
async function documentOf(gmail = open()) {
  const [ref] = await listed(gmail);
  const content = await gmail.fetch(call, ref!);
  return { ref: ref!, html: await readBody(content.body), metadata: content.metadata, fileName: content.fileName };
}
const file = (filename: string, content: string | Uint8Array, more: Partial<GmailPart> = {}): GmailPart => ({
  mimeType: 'application/pdf',
  filename,
  content,
  headers: { 'Content-Disposition': `attachment; filename="${filename}"` },
  ...more,
});

beforeEach(async () => {
  server = await startGmailServer({ pageSize: 2 });
  const { origin } = server;
  const addresses = { ...publicAddresses, gmail: origin, googleAdmin: origin, googleToken: `${origin}/token` };
  host = createTestHost({ addresses });
  server.directory.putUser({ id: BOB, primaryEmail: 'bob@example.com' });
});

afterEach(async () => {
  await host.close();
  await server.stop();
});

describe('a thread of Gmail', () => {
  it('is one document with its messages in order, and its headers as metadata', async () => {
    const label = server.mailbox(ADA).addLabel('Clients');
    const { threadId } = deliver({
      subject: 'Offer <2026> & more',
      from: '"Löwe, Ada" <ada@example.com>',
      to: 'Bob <bob@example.com>, carl@else.example',
      text: 'The first message.',
      labelIds: ['SENT', label],
      date: Date.UTC(2026, 4, 6, 9, 8),
    });
    deliver({
      threadId,
      subject: 'Re: Offer <2026> & more',
      from: 'Bob <bob@example.com>',
      to: 'ada@example.com',
      cc: 'Team <team@example.com>',
      html: '<h2>Yes</h2><table><tr><td>A</td></tr></table>',
      date: Date.UTC(2026, 4, 7),
    });
    const { ref, html, metadata, fileName } = await documentOf();
    expect(ref).toMatchObject({
      id: `${ADA}/${threadId}`,
      path: `ada@example.com/${threadId}`,
      title: 'Offer <2026> & more',
      author: 'Löwe, Ada',
      mimeType: 'text/html',
      updatedAt: '2026-05-07T00:00:00.000Z',
      url: `https://mail.google.com/mail/?authuser=ada%40example.com#all/${threadId}`,
    });
    expect(fileName).toBe(`${threadId}.html`);
    expect(html).toContain('<h1>Offer &lt;2026&gt; &amp; more</h1>');
    expect(html).toContain('<h2>Löwe, Ada &lt;ada@example.com&gt;, 2026-05-06 09:08 UTC</h2>');
    expect(html.indexOf('The first message.')).toBeLessThan(html.indexOf('<h4>Yes</h4>'));
    expect(metadata).toEqual({
      mailbox: 'ada@example.com',
      subject: 'Offer <2026> & more',
      from: ['ada@example.com', 'bob@example.com'],
      to: ['bob@example.com', 'carl@else.example', 'ada@example.com'],
      cc: ['team@example.com'],
      date: '2026-05-06T09:08:00.000Z',
      labels: ['Clients'],
      messages: 2,
    });
  });

  it('lacks quotations of its earlier messages, and keeps other quotations and forwarded messages', async () => {
    const quoted = 'We can deliver four hundred lamps in the second week of June.';
    const { threadId } = deliver({ text: `${quoted}\n\n> A quotation of a law that no message contains.` });
    deliver({
      threadId,
      text: `Agreed.\n\nOn Wed, May 6, 2026 at 9:08 AM Ada <ada@example.com> wrote:\n\n> We can deliver four hundred lamps\n> in the second week of June.\n`,
    });
    deliver({
      threadId,
      html: `<div>Thanks.</div><div class="gmail_quote"><div class="gmail_attr">On Wed, Ada wrote:</div><blockquote type="cite"><p>${quoted}</p></blockquote></div><p>Below the quotation.</p>`,
    });
    deliver({
      threadId,
      html: '<div>See this.</div><div class="gmail_quote"><div>---------- Forwarded message ---------</div><p>The warehouse of the competitor burned down entirely.</p></div>',
    });
    deliver({
      threadId,
      html: `<p>From Outlook.</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Ada &lt;ada@example.com&gt;<br><b>Sent:</b> Wednesday, May 6, 2026 9:08 AM<br><b>To:</b> Bob<br><b>Subject:</b> Offer of lamps</div><div>${quoted}</div>`,
    });
    const { html } = await documentOf();
    expect(html.match(/four hundred lamps/g)).toHaveLength(1);
    for (const kept of [
      'A quotation of a law',
      'Agreed.',
      'Thanks.',
      'Below the quotation.',
      'Forwarded message',
      'competitor burned down',
      'From Outlook.',
    ]) {
      expect(html).toContain(kept);
    }
    expect(html).not.toContain('wrote:');
  });

  it('keeps the answers inside quotations, and what a quotation hides', async () => {
    const { threadId } = deliver({ text: 'Can you deliver four hundred lamps?\nWhen will they arrive?' });
    deliver({
      threadId,
      html: '<div class="gmail_quote"><blockquote><p>Can you deliver four hundred lamps?</p><p>Yes, we can.</p><p>When will they arrive?</p><p>In June.</p></blockquote></div><div style="display:none">HIDDEN<blockquote>HIDDEN TOO</blockquote></div>',
    });
    deliver({ threadId, text: 'We pay 4500 EUR, not more:\n\n> Can you deliver four hundred lamps?' });
    const { html } = await documentOf();
    expect(html.match(/four hundred lamps/g)).toHaveLength(1);
    expect(html.match(/When will they/g)).toHaveLength(1);
    for (const kept of ['Yes, we can.', 'In June.', 'We pay 4500 EUR, not more:']) expect(html).toContain(kept);
    expect(html).not.toContain('HIDDEN');
  });

  it('fails alone if it is larger than a response may be', async () => {
    const giant = deliver({ subject: 'giant' });
    deliver({ subject: 'ada' });
    deliver({ subject: 'bob' }, BOB);
    const before = open();
    const cursor = await before.cursor!(call);
    deliver({ threadId: giant.threadId, text: 'more' });
    const padding = ' '.repeat(64 * 1024 * 1024);
    server.rewrite((answer, { path }) =>
      path.endsWith(`/threads/${giant.threadId}`) ? { ...answer, body: `${answer.body}${padding}` } : answer,
    );
    const expected = [{ id: `${ADA}/${giant.threadId}`, error: { code: 'too_large' } }];
    const events = await collect(open().list(call));
    expect(failures(events)).toMatchObject(expected);
    expect(refsOf(events).map(({ title }) => title)).toEqual(['ada', 'bob']);
    expect(failures(await collect(open().changes!(call, cursor)))).toMatchObject(expected);
  });

  it('reads the HTML of alternatives, other charsets, and encoded headers', async () => {
    deliver({
      subject: '=?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
      from: '=?utf-8?B?TMO2d2U=?= <loewe@else.example>',
      body: {
        mimeType: 'multipart/mixed',
        parts: [
          {
            mimeType: 'multipart/alternative',
            parts: [
              { mimeType: 'text/plain', content: 'The plain text.' },
              {
                mimeType: 'multipart/related',
                parts: [
                  { mimeType: 'text/html', content: '<p>The <b>rich</b> text.</p><img src="cid:logo@x">' },
                  file('logo.png', 'x'.repeat(50_000), {
                    mimeType: 'image/png',
                    headers: { 'Content-ID': '<logo@x>', 'Content-Disposition': 'inline' },
                  }),
                ],
              },
            ],
          },
          {
            mimeType: 'text/plain',
            headers: { 'Content-Type': 'text/plain; charset=iso-8859-1' },
            content: new Uint8Array([0xdc, 0x62, 0x65, 0x72]),
          },
        ],
      },
    });
    const { ref, html } = await documentOf();
    expect(ref).toMatchObject({ title: 'Grüße', author: 'Löwe' });
    expect(html).toContain('<p>The <b>rich</b> text.</p>');
    expect(html).not.toContain('The plain text.');
    expect(html).not.toContain('logo.png');
    expect(html).toContain('Über');
  });

  it('keeps its version when it is read, starred or archived, and changes it with a message or label', async () => {
    const mailbox = server.mailbox(ADA);
    const label = mailbox.addLabel('Clients');
    const { id, threadId } = deliver({});
    const gmail = open();
    const version = async () => (await listed(gmail))[0]!.version;
    const first = await version();
    mailbox.label(id, { add: ['STARRED', 'IMPORTANT'], remove: ['UNREAD', 'INBOX'] });
    expect(await version()).toBe(first);
    mailbox.label(id, { add: [label] });
    const second = await version();
    expect(second).not.toBe(first);
    mailbox.renameLabel(label, 'Customers');
    const third = await version();
    expect(third).not.toBe(second);
    deliver({ threadId });
    expect(await version()).not.toBe(third);
  });
});

describe('an attachment of Gmail', () => {
  it('is an item of its own if it can contain text', async () => {
    const { id, threadId } = deliver({
      text: 'See the files.',
      attachments: [
        file('plan.pdf', 'the plan'),
        file('photo.jpg', 'x', { mimeType: 'image/jpeg' }),
        file('notes.txt', 'the notes', { mimeType: 'text/plain' }),
        file('smime.p7s', 'x', { mimeType: 'application/pkcs7-signature' }),
        {
          ...file('', 'Subject: inner\n\nThe inner text.', { mimeType: 'message/rfc822' }),
          parts: [{ mimeType: 'text/plain', content: 'The inner text.' }],
        },
      ],
    });
    const gmail = open();
    const refs = await listed(gmail);
    expect(refs.map((ref) => [ref.id, ref.title])).toEqual([
      [`${ADA}/${threadId}`, 'A message'],
      [`${ADA}/${threadId}/${id}/1`, 'plan.pdf'],
      [`${ADA}/${threadId}/${id}/3`, 'notes.txt'],
      [`${ADA}/${threadId}/${id}/4`, 'message.eml'],
    ]);
    const [thread, plan, notes, inner] = refs;
    const html = await textOf(gmail, thread!);
    expect(html).toContain('Attachments: plan.pdf, photo.jpg, notes.txt, message.eml');
    expect(html).not.toContain('The inner text.');
    expect(await textOf(gmail, plan!)).toBe('the plan');
    expect(await textOf(gmail, notes!)).toBe('the notes');
    expect(await textOf(gmail, inner!)).toContain('The inner text.');
    expect((await gmail.fetch(call, plan!)).fileName).toBe('plan.pdf');
    expect(await readersOf(gmail, plan!.id)).toEqual(['user:ada@example.com']);
    expect(await gmail.resolve(call, plan!.id)).toEqual(plan);
    expect(await gmail.resolve(call, `${ADA}/${threadId}/${id}/2`)).toBeNull();
    server.mailbox(ADA).trash(id);
    expect(await gmail.resolve(call, plan!.id)).toBeNull();
    await expect(gmail.fetch(call, plan!)).rejects.toMatchObject({ kind: 'gone' });
  });

  it('fails if it is larger than the limit or broken, and is limited in number', async () => {
    const attachments = Array.from({ length: MAX_ATTACHMENTS + 5 }, (_, n) => file(`${n}.pdf`, `content ${n}`));
    deliver({ attachments: [file('large.pdf', 'x'.repeat(2_000)), ...attachments] });
    host = { ...host, maxItemBytes: 1_000 };
    const gmail = open();
    const refs = await listed(gmail);
    expect(refs).toHaveLength(1 + MAX_ATTACHMENTS);
    await expect(gmail.fetch(call, refs[1]!)).rejects.toMatchObject({ kind: 'too_large' });
    const answerWith = (data: string) =>
      server.rewrite((answer, { path }) =>
        path.includes('/attachments/') ? { ...answer, body: JSON.stringify({ size: 9, data }) } : answer,
      );
    answerWith('%%% not base64 %%%');
    await expect(gmail.fetch(call, refs[2]!)).rejects.toMatchObject({ kind: 'invalid' });
    answerWith('eA==');
    await expect(gmail.fetch(call, refs[2]!)).rejects.toMatchObject({ kind: 'transient' });
  });
});

describe('the threads of a mailbox', () => {
  it('never include spam, trash, drafts and chats, and by default no promotions and social notifications', async () => {
    for (const label of [
      'SPAM',
      'TRASH',
      'DRAFT',
      'CHAT',
      'CATEGORY_PROMOTIONS',
      'CATEGORY_SOCIAL',
      'CATEGORY_UPDATES',
    ]) {
      deliver({ subject: label, labelIds: [label] });
    }
    const { threadId } = deliver({ subject: 'kept', text: 'kept text' });
    deliver({ threadId, text: 'trashed text', labelIds: ['TRASH'] });
    deliver({ threadId, text: 'draft text', labelIds: ['DRAFT'] });
    expect(await titles({})).toEqual(['CATEGORY_UPDATES', 'kept']);
    expect(await titles({ excludeLabels: [] })).toEqual([
      ...['CATEGORY_PROMOTIONS', 'CATEGORY_SOCIAL', 'CATEGORY_UPDATES', 'kept'],
    ]);
    const gmail = open({ excludeLabels: ['CATEGORY_UPDATES'], users: 'ada@example.com' });
    const [ref] = (await listed(gmail)).filter(({ title }) => title === 'kept');
    const html = await textOf(gmail, ref!);
    expect(html).toContain('kept text');
    expect(html).not.toMatch(/trashed text|draft text/);
  });

  it('are those with a label, by name or id, and without an excluded one', async () => {
    const mailbox = server.mailbox(ADA);
    const [clients, secret] = ['Clients', 'Secret'].map((name) => mailbox.addLabel(name));
    for (const [subject, ...labels] of [
      ['both', clients!, 'STARRED'],
      ['client', clients!],
      ['secret', clients!, secret!],
      ['starred', 'STARRED'],
      ['none'],
    ]) {
      deliver({ subject: subject!, labelIds: ['INBOX', ...labels] });
    }
    expect(await titles({ labels: 'clients' })).toEqual(['both', 'client', 'secret']);
    expect(await titles({ labels: ['STARRED', 'Clients'], excludeLabels: 'SECRET' })).toEqual([
      'both',
      'client',
      'starred',
    ]);
    expect(await titles({ labels: 'Unknown' })).toEqual([]);
    expect(await titles({ query: 'is:starred' })).toEqual(['both', 'starred']);
    expect(await titles({ query: 'is:starred OR subject:none', excludeLabels: ['Clients'] })).toEqual([
      'none',
      'starred',
    ]);
  });

  it('are found by a query also one by one', async () => {
    const { id, threadId } = deliver({ subject: 'starred', labelIds: ['INBOX', 'STARRED'] });
    const hostile = deliver({ subject: 'hostile', messageId: '<a} OR is:starred {b>', labelIds: ['INBOX'] });
    const gmail = open({ query: 'is:starred' });
    expect(await gmail.resolve(call, `${ADA}/${threadId}`)).toMatchObject({ title: 'starred' });
    expect(await gmail.resolve(call, `${ADA}/${hostile.threadId}`)).toBeNull();
    server.mailbox(ADA).label(id, { remove: ['STARRED'] });
    expect(await gmail.resolve(call, `${ADA}/${threadId}`)).toBeNull();
  });

  it('match a query also if a search cannot name their messages', async () => {
    const ids = [null, '<a b@else.example>', '<(c)@else.example>', '<{d}"@else.example>'];
    const date = Date.UTC(2026, 4, 6);
    const found = ids.map((messageId, n) => deliver({ messageId, date: date + n, labelIds: ['STARRED'] }));
    const others = ids.map((messageId, n) => deliver({ messageId, date: date + n }));
    const gmail = open({ query: 'is:starred' });
    for (const { threadId } of found) expect(await gmail.resolve(call, `${ADA}/${threadId}`)).not.toBeNull();
    for (const { threadId } of others) expect(await gmail.resolve(call, `${ADA}/${threadId}`)).toBeNull();
  });

  it('are listed with a query if another of their messages has one of the labels', async () => {
    const label = server.mailbox(ADA).addLabel('Clients');
    const { threadId } = deliver({ subject: 'thread', labelIds: [label] });
    deliver({ threadId, labelIds: ['IMPORTANT', 'STARRED'] });
    expect(await titles({ query: 'is:starred', labels: ['Clients', 'IMPORTANT'] })).toEqual(['thread']);
  });

  it('stay if Gmail returns no labels', async () => {
    const label = server.mailbox(ADA).addLabel('Clients');
    const { threadId } = deliver({ labelIds: [label] });
    const cursor = await open({ labels: 'Clients' }).cursor!(call);
    for (const body of ['{}', '{"labels":[]}']) {
      server.rewrite((answer, { path }) => (path.endsWith('/labels') ? { ...answer, body } : answer));
      const gmail = open({ labels: 'Clients' });
      const events = await collect(gmail.list(call));
      expect(failures(events)).toMatchObject([
        { id: ADA, error: { code: 'invalid' } },
        { id: BOB, error: { code: 'invalid' } },
      ]);
      await expect(gmail.resolve(call, `${ADA}/${threadId}`)).rejects.toMatchObject({ kind: 'invalid' });
      const changes = await collect(gmail.changes!(call, cursor));
      expect(failures(changes).map(({ id }) => id)).toEqual([ADA, BOB]);
      expect(changes.some(({ type }) => type === 'gone' || type === 'checkpoint')).toBe(false);
    }
  });

  it('are listed again if a label is renamed or deleted, completely if it selects them', async () => {
    const mailbox = server.mailbox(ADA);
    const label = mailbox.addLabel('Clients');
    deliver({ subject: 'client', labelIds: [label, 'STARRED'] });
    const changes = async (config: object, change: () => void) => {
      const gmail = open(config);
      const cursor = await gmail.cursor!(call);
      change();
      const { reported: events, error } = await collectUntilError(open(config).changes!(call, cursor));
      return error ?? refsOf(events).map(({ title }) => title);
    };
    expect(await changes({}, () => mailbox.addLabel('New'))).toEqual([]);
    expect(await changes({}, () => mailbox.renameLabel(label, 'Customers'))).toEqual(['client']);
    expect(await changes({ labels: 'clients' }, () => mailbox.renameLabel(label, 'Clients'))).toMatchObject({
      kind: 'gone',
    });
    const excluding = { excludeLabels: ['clients'] };
    expect(await changes(excluding, () => mailbox.renameLabel(label, 'Others'))).toMatchObject({ kind: 'gone' });
    expect(await changes({}, () => mailbox.removeLabel(label))).toEqual(['client']);
  });

  it('cost a checkpoint per page of changes, and one at the end', async () => {
    for (let n = 3; n < 9; n += 1)
      server.directory.putUser({ id: `10000000${n}`, primaryEmail: `user${n}@example.com` });
    const gmail = open();
    const checkpoints = async (cursor: string) =>
      (await collect(gmail.changes!(call, cursor))).flatMap((event) => (event.type === 'checkpoint' ? [event.at] : []));
    const cursor = await gmail.cursor!(call);
    const [end, ...more] = await checkpoints(cursor);
    expect(more).toEqual([]);
    deliver({}, BOB);
    expect(await checkpoints(end!)).toHaveLength(2);
  });

  it('lack messages before a date', async () => {
    const old = deliver({ subject: 'old', date: Date.UTC(2025, 11, 31) });
    deliver({ subject: 'mixed', threadId: old.threadId, text: 'new text', date: Date.UTC(2026, 5, 1) });
    deliver({ subject: 'older', date: Date.UTC(2020, 1, 1) });
    const gmail = open({ since: '2026-01-01' });
    const { ref, metadata } = await documentOf(gmail);
    expect(ref.title).toBe('mixed');
    expect(metadata).toMatchObject({ messages: 1 });
    expect(await listed(gmail)).toHaveLength(1);
  });

  it('are listed from the beginning if the page token has expired', async () => {
    for (let n = 0; n < 5; n += 1) deliver({ subject: `t${n}` });
    const gmail = open();
    const events = await collect(gmail.list(call));
    const checkpoint = events.find((event) => event.type === 'checkpoint');
    server.expirePageTokens();
    expect(idsOf(await collect(gmail.list(call, checkpoint!.at)))).toHaveLength(5);
  });

  it('are listed again completely if the history has expired, or the mailboxes or the filter changed', async () => {
    deliver({ subject: 'a' });
    const changes = async (change: () => void) => {
      const gmail = open();
      const cursor = await gmail.cursor!(call);
      change();
      return (await collectUntilError(gmail.changes!(call, cursor))).error;
    };
    expect(await changes(() => undefined)).toBeUndefined();
    expect(await changes(() => server.mailbox(ADA).expireHistory())).toMatchObject({ kind: 'gone' });
    const putCarl = (email: string) => server.directory.putUser({ id: '300', primaryEmail: email });
    expect(await changes(() => putCarl('carl@example.com'))).toMatchObject({ kind: 'gone' });
    expect(await changes(() => putCarl('karl@example.com'))).toMatchObject({ kind: 'gone' });
    expect(await changes(() => server.directory.removeUser('300'))).toMatchObject({ kind: 'gone' });
    await expect(collect(open().changes!(call, 'nonsense'))).rejects.toMatchObject({ kind: 'gone' });
    const cursor = await open({ labels: 'a' }).cursor!(call);
    await expect(collect(open({ labels: 'b' }).changes!(call, cursor))).rejects.toMatchObject({ kind: 'gone' });
    expect(await collect(open({ labels: 'a' }).changes!(call, cursor))).not.toEqual([]);
  });
});

describe('the mailboxes of a domain', () => {
  it('are those of all users, listed users or members of groups, without excluded ones', async () => {
    const { directory } = server;
    directory.putUser({ id: '300', primaryEmail: 'carl@example.com', aliases: ['charly@example.com'] });
    directory.putGroup('inner@example.com', [{ type: 'USER', email: 'Carl@example.com' }]);
    directory.putGroup('team@example.com', [{ type: 'GROUP', email: 'inner@example.com' }]);
    deliver({ subject: 'ada' });
    deliver({ subject: 'bob' }, BOB);
    deliver({ subject: 'carl' }, '300');
    expect(await titles({})).toEqual(['ada', 'bob', 'carl']);
    expect(await titles({ users: 'Bob@example.com' })).toEqual(['bob']);
    expect(await titles({ groups: ['team@example.com'] })).toEqual(['carl']);
    expect(await titles({ groups: ['team@example.com'], users: ['bob@example.com'] })).toEqual(['bob', 'carl']);
    expect(await titles({ excludeUsers: ['charly@example.com', 'ada@example.com'] })).toEqual(['bob']);
    await expect(collect(open({ groups: 'none@example.com' }).list(call))).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('Check groups'),
    });
  });

  it('are private to their users, also with the same message in two of them', async () => {
    const same = { subject: 'same', messageId: '<same@else.example>', to: 'ada@example.com, bob@example.com' };
    deliver(same);
    deliver(same, BOB);
    const gmail = open();
    const refs = await listed(gmail);
    expect(new Set(refs.map(({ id }) => id)).size).toBe(2);
    for (const { id } of refs) {
      expect(await readersOf(gmail, id)).toEqual([
        id.startsWith(ADA) ? 'user:ada@example.com' : 'user:bob@example.com',
      ]);
    }
    server.directory.putUser({ id: BOB, primaryEmail: 'robert@example.com', aliases: ['bob@example.com'] });
    expect(await readersOf(open(), refs[1]!.id)).toEqual(['user:robert@example.com']);
    for (const id of ['', 'x', '100000009/1a', `${ADA}`, `${ADA}/zz`, '/1a', `${ADA}/1a/2b/0`, `${ADA}/1a/2b/21`]) {
      expect(await readersOf(gmail, id)).toEqual(id === `${ADA}/1a` ? ['user:ada@example.com'] : []);
      expect(await gmail.resolve(call, id)).toBeNull();
    }
    expect(await collect(gmail.groups!(call))).toEqual([]);
  });

  it('are readable by others only if they are shared by their primary address', async () => {
    const { directory } = server;
    directory.putUser({ id: '300', primaryEmail: 'support@example.com' });
    directory.putGroup('Team@example.com', [{ type: 'USER', email: 'bob@example.com' }]);
    deliver({ subject: 'ticket' }, '300');
    deliver({ subject: 'private' });
    const sharedMailboxes = [
      'Support@example.com: group:Team@example.com, user:Guest@else.example',
      'support@example.com:group:domain:example.com',
    ];
    const gmail = open({ sharedMailboxes });
    const refs = await listed(gmail);
    expect(await readersOf(gmail, refs.find(({ title }) => title === 'ticket')!.id)).toEqual([
      'user:support@example.com',
      'group:gmail:team@example.com',
      'user:guest@else.example',
      'group:domain:example.com',
    ]);
    expect(await readersOf(gmail, refs.find(({ title }) => title === 'private')!.id)).toEqual(['user:ada@example.com']);
    const groups = new Map((await collect(gmail.groups!(call))).map(({ principal, members }) => [principal, members]));
    expect(groups.get('group:gmail:team@example.com')).toEqual(['user:bob@example.com']);
    // The address now is an alias of a person, whose mailbox stays private.
    directory.removeUser('300');
    directory.putUser({ id: ADA, primaryEmail: 'ada@example.com', aliases: ['support@example.com'] });
    const moved = open({ sharedMailboxes });
    expect(failures(await collect(moved.list(call)))).toMatchObject([{ path: 'support@example.com' }]);
    expect(await readersOf(moved, refs.find(({ title }) => title === 'private')!.id)).toEqual(['user:ada@example.com']);
  });

  it('fail alone if they are suspended, off or refused, and keep their documents', async () => {
    deliver({ subject: 'ada' });
    const { threadId } = deliver({ subject: 'bob' }, BOB);
    const id = `${BOB}/${threadId}`;
    const { directory, delegation } = server;
    const cases: readonly [break_: () => void, repair: () => void][] = [
      [
        () => directory.putUser({ id: BOB, primaryEmail: 'bob@example.com', suspended: true }),
        () => directory.putUser({ id: BOB, primaryEmail: 'bob@example.com', suspended: false }),
      ],
      [() => server.mailbox(BOB).turnOff(true), () => server.mailbox(BOB).turnOff(false)],
      [() => delegation.refuseUsers(['bob@example.com']), () => delegation.refuseUsers([])],
    ];
    for (const [stop, repair] of cases) {
      stop();
      const gmail = open();
      const events = await collect(gmail.list(call));
      expect(refsOf(events).map(({ title }) => title)).toEqual(['ada']);
      expect(failures(events)).toMatchObject([{ id: BOB, path: 'bob@example.com', error: { code: 'forbidden' } }]);
      expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
      await expect(gmail.resolve(call, id)).rejects.toMatchObject({ kind: 'forbidden' });
      expect(await readersOf(gmail, id)).toEqual(['user:bob@example.com']);
      const cursor = await gmail.cursor!(call);
      expect(failures(await collect(gmail.changes!(call, cursor)))).toMatchObject([{ id: BOB }]);
      repair();
    }
    directory.removeUser(BOB);
    expect(await open().resolve(call, id)).toBeNull();
  });

  it('are read with the scopes of Gmail and users, and with those of groups only if groups are named', async () => {
    deliver({ subject: 'ada' });
    const directoryScope = 'https://www.googleapis.com/auth/admin.directory';
    const scopes = ['https://www.googleapis.com/auth/gmail.readonly', `${directoryScope}.user.readonly`];
    server.delegation.setScopes(scopes);
    expect(await titles({ excludeUsers: 'bob@example.com' })).toEqual(['ada']);
    const lastCheck = async (gmail: Connector) => (await gmail.test(call)).at(-1);
    expect(await lastCheck(open())).toMatchObject({ name: 'threads', ok: true });
    expect(await lastCheck(open({ groups: 'team@example.com' }))).toMatchObject({
      ok: false,
      message: expect.stringContaining('admin.directory.group.member.readonly'),
    });
    expect(await lastCheck(open({}, { adminEmail: 'bob@example.com' }))).toMatchObject({
      name: 'mailboxes',
      ok: false,
    });
    expect(await lastCheck(open({ users: 'none@example.com' }))).toMatchObject({
      ok: false,
      message: expect.stringContaining('none@example.com'),
    });
    expect(await lastCheck(open({ sharedMailboxes: 'none@example.com: user:a@b.example' }))).toMatchObject({
      ok: false,
      message: expect.stringContaining('Check sharedMailboxes'),
    });
  });

  it('wait as long as Gmail asks, and for growing times otherwise', async () => {
    deliver({ subject: 'ada' });
    const gmail = open();
    server.fail(({ path }) =>
      path.endsWith('/threads') ? { kind: 'status', status: 403, retryAfter: '120' } : undefined,
    );
    const { error } = await collectUntilError(gmail.list(call));
    expect(error).toMatchObject({ kind: 'rate', message: expect.stringContaining('Gmail limits the request rate') });
    expect((error as { retryAt: Date }).retryAt.getTime()).toBeGreaterThan(Date.now() + 100_000);
    server.fail(({ path }) => (path.endsWith('/threads') ? { kind: 'status', status: 429 } : undefined));
    const waits: number[] = [];
    for (let n = 0; n < 2; n += 1) {
      const limited = await collectUntilError(gmail.list(call));
      waits.push((limited.error as { retryAt: Date }).retryAt.getTime() - Date.now());
    }
    expect(Math.max(...waits)).toBeGreaterThan(2_000);
    server.fail();
    expect(await listed(open())).toHaveLength(1);
  });
});

describe('a mailbox that its user authorized', () => {
  it('is private to the user, by the address that Google returns', async () => {
    const tokens = createRefreshingTokens(server, '/token', gmailType.oauth!, server.oauth.grant());
    const gmail = openType(gmailType, { labels: 'Clients' }, {}, { ...host, tokens });
    const label = server.mailbox(ADA).addLabel('Clients');
    const { threadId } = deliver({ subject: 'client', labelIds: [label] });
    deliver({ subject: 'other' });
    deliver({ subject: 'of Bob' }, BOB);
    const [ref, ...more] = await listed(gmail);
    expect(more).toEqual([]);
    expect(ref).toMatchObject({ id: `ada@example.com/${threadId}`, title: 'client' });
    expect(await readersOf(gmail, ref!.id)).toEqual(['user:ada@example.com']);
    expect(await readersOf(gmail, `bob@example.com/${threadId}`)).toEqual([]);
    expect(await gmail.resolve(call, `bob@example.com/${threadId}`)).toBeNull();
    expect((await gmail.test(call)).every(({ ok }) => ok)).toBe(true);
    server.mailbox(ADA).turnOff(true);
    const events = await collect(openType(gmailType, {}, {}, { ...host, tokens }).list(call)).catch((error) => error);
    expect(events).toMatchObject({ kind: 'forbidden', message: expect.stringContaining('Gmail is off') });
  });

  it('is never read with the token of another user', async () => {
    const sourceOf = (email?: string) =>
      createRefreshingTokens(server, '/token', gmailType.oauth!, server.oauth.grant(email));
    const [ada, bob] = [sourceOf(), sourceOf('bob@example.com')];
    for (let n = 0; n < 4; n += 1) {
      deliver({ subject: `ada ${n}` });
      deliver({ subject: `bob ${n}` }, BOB);
    }
    const refOwners = (events: readonly SourceEvent[]) =>
      new Set(refsOf(events).map(({ id, title }) => `${id.split('@')[0]} ${title!.split(' ')[0]}`));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 16 }), fc.boolean(), async (at, fromBob) => {
        const [first, second] = fromBob ? [bob, ada] : [ada, bob];
        let uses = 0;
        const current = () => {
          uses += 1;
          return uses > at ? second : first;
        };
        const tokens = {
          access: (signal: AbortSignal) => current().access(signal),
          renew: (token: string, signal: AbortSignal) => current().renew(token, signal),
        };
        const gmail = openType(gmailType, {}, {}, { ...host, tokens });
        const { reported: events, error } = await collectUntilError(gmail.list(call));
        for (const owner of refOwners(events)) expect(['ada ada', 'bob bob']).toContain(owner);
        if (error !== undefined) {
          expect(error).toMatchObject({ kind: 'transient' });
          // The next attempt continues with all threads of the new mailbox.
          uses = 100;
          const checkpoint = events.findLast((event) => event.type === 'checkpoint');
          const rest = await collect(gmail.list(call, checkpoint?.at));
          expect(refOwners(rest)).toEqual(new Set([fromBob ? 'ada ada' : 'bob bob']));
          expect(refsOf(rest)).toHaveLength(4);
        }
        uses = 100;
        const [owner, other] = fromBob
          ? ['ada@example.com', 'bob@example.com']
          : ['bob@example.com', 'ada@example.com'];
        expect(await readersOf(gmail, `${owner}/1a`)).toEqual([`user:${owner}`]);
        expect(await readersOf(gmail, `${other}/1a`)).toEqual([]);
      }),
      { numRuns: runCount({ quick: 20, full: 200 }) },
    );
    server.oauth.expireAccess();
    const gmail = openType(gmailType, {}, {}, { ...host, tokens: bob });
    expect(refOwners(await collect(gmail.list(call)))).toEqual(new Set(['bob bob']));
  });
});

describe('a hostile message', () => {
  const visible = (html: string) =>
    html
      .replace(/<[^<>]*>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');

  it('cannot change the structure of the document through headers, file names or bodies', async () => {
    const evil = fc.constantFrom(
      ...['</h1><script>alert(1)</script>', '\r\n# Heading', '\r\nBcc: x@y.example', '</main></body></html>', '<!--'],
      ...[
        '```\n',
        '| a | b |',
        '"><img src=x>',
        '<blockquote>',
        '</div></div>',
        '\u0000\u0007',
        '\uD800',
        '=?utf-8?Q?=3Ch1=3E?=',
        '=?utf-8?Q?a=0A=0D=00=07b?=',
        '<h1>Other subject</h1>',
        '<hr><h2>Boss &lt;boss@example.com&gt;, 2026-05-06 09:08 UTC</h2><p>Pay.</p>',
      ],
    );
    const texts = fc
      .array(fc.oneof(evil, fc.string({ maxLength: 20 })), { maxLength: 6 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(texts, texts, texts, texts, fc.boolean(), async (subject, from, body, name, isHtml) => {
        const mailbox = server.mailbox(ADA);
        for (const { id } of [...mailbox.messages.values()]) mailbox.remove(id);
        const { threadId } = deliver({
          subject,
          from: `${from} <x@y.example>`,
          ...(isHtml ? { html: body } : { text: body }),
          attachments: [file(`${name}.txt`, 'x', { mimeType: 'text/plain' })],
        });
        deliver({ threadId, subject: 'last', text: 'THE LAST MESSAGE' });
        const gmail = open({ users: 'ada@example.com' });
        const refs = await listed(gmail);
        const html = await textOf(gmail, refs[0]!);
        expect(html.match(/<h1>/g)).toHaveLength(1);
        expect(html.match(/<h2>/g)).toHaveLength(2);
        const headings = [...html.matchAll(/<h[12]>(.*?)<\/h[12]>/gs)].map(([, text]) => text);
        expect(headings).toHaveLength(3);
        for (const heading of headings) expect(heading).not.toMatch(/\p{Cc}/u);
        expect(refs[0]!.author).not.toMatch(/\p{Cc}/u);
        expect(html).not.toMatch(/<(script|img|style|iframe)/i);
        expect(html).toMatch(/<p>THE LAST MESSAGE<\/p><\/div>\n<\/main><\/body><\/html>\n$/);
        const opened = html.match(/<div>/g)!.length;
        expect(html.match(/<\/div>/g)!.length).toBe(opened);
        expect(refs[0]!.title).not.toMatch(/\p{Cc}/u);
        expect(refs[1]!.title).not.toMatch(/[\p{Cc}/\\]/u);
        expect(visible(html)).toContain('THE LAST MESSAGE');
      }),
      { numRuns: runCount({ quick: 60, full: 600 }) },
    );
  });

  it('is read within limits, however deep its parts and elements are nested', async () => {
    let body: GmailPart = { mimeType: 'text/plain', content: 'deep text' };
    for (let depth = 0; depth < 2_000; depth += 1) body = { mimeType: 'multipart/mixed', parts: [body] };
    deliver({
      subject: 'deep parts',
      body: { mimeType: 'multipart/mixed', parts: [{ mimeType: 'text/plain', content: 'shallow text' }, body] },
    });
    deliver({ subject: 'deep elements', html: `<p>inside</p>${'<div><blockquote>'.repeat(60_000)}` });
    deliver({
      subject: 'many parts',
      body: {
        mimeType: 'multipart/mixed',
        parts: Array.from({ length: 3_000 }, (_, n) => ({ mimeType: 'text/plain', content: `part ${n}.` })),
      },
    });
    deliver({ subject: 'unclosed', html: `<p>inside</p>${'<b>'.repeat(100_000)}${'</i>'.repeat(100_000)}` });
    deliver({ subject: 'open brackets', html: '<'.repeat(400_000) });
    deliver({ subject: 'quotes', text: '> > >\n'.repeat(60_000) });
    deliver({ subject: 'long words', text: 'a:1\n'.repeat(100_000), to: `${'"'.repeat(9_000)}@,<`.repeat(2) });
    const gmail = open({ users: 'ada@example.com' });
    const events = await collect(gmail.list(call));
    expect(failures(events)).toEqual([]);
    const startedAt = performance.now();
    const texts = new Map<string, string>();
    for (const ref of refsOf(events)) texts.set(ref.title, await textOf(gmail, ref));
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(texts.get('deep parts')).toContain('shallow text');
    expect(texts.get('deep parts')).not.toContain('deep text');
    expect(texts.get('deep elements')).toContain('inside');
    expect(texts.get('many parts')).toContain('part 0.');
    expect(texts.get('many parts')).not.toContain('part 2999.');
    expect(texts.get('unclosed')).toContain('inside');
  });

  it('is cut if a thread is giant, and the document states it', async () => {
    const { threadId } = deliver({ subject: 'giant', text: 'first' });
    for (let n = 0; n < 8; n += 1) deliver({ threadId, text: `${n} `.repeat(250_000) });
    const { html } = await documentOf(open({ users: 'ada@example.com' }));
    expect(html.length).toBeLessThan(2_500_000);
    expect(html).toContain('5 more messages are not included.');
  });

  it('fails alone if it has an unexpected format', async () => {
    const bad = deliver({ subject: 'bad' });
    deliver({ subject: 'good' });
    const garbage = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        17,
        'x',
        [],
        [null],
        { parts: 'x' },
        { body: { data: '%%%' } },
        { headers: [1, {}] },
      ),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(
        garbage,
        fc.constantFrom('payload', 'messages', 'labelIds', 'internalDate'),
        async (value, field) => {
          server.rewrite((answer, { path }) => {
            if (!path.endsWith(`/threads/${bad.threadId}`) || typeof answer.body !== 'string') return answer;
            const thread = JSON.parse(answer.body);
            if (field === 'messages') thread.messages = value;
            else thread.messages[0][field] = value;
            return { ...answer, body: JSON.stringify(thread) };
          });
          const events = await collect(open({ users: 'ada@example.com' }).list(call));
          server.rewrite();
          expect(events.at(-1)).toMatchObject({ type: 'complete' });
          expect(refsOf(events).map(({ title }) => title)).toContain('good');
          for (const { id } of failures(events)) expect(id).toBe(`${ADA}/${bad.threadId}`);
        },
      ),
      { numRuns: runCount({ quick: 60, full: 600 }) },
    );
  });
});

describe('the settings of Gmail', () => {
  const messageOf = (check: () => unknown): string => {
    try {
      check();
      return '';
    } catch (error) {
      return JSON.stringify((error as { details?: unknown }).details);
    }
  };

  it('name the field that is wrong', () => {
    const check = (config: object) => messageOf(() => gmailType.checkConfig(config));
    expect(
      check({
        users: ['ada@example.com'],
        groups: 'team@example.com',
        labels: ['INBOX'],
        since: '2026-01-31',
        query: 'is:starred',
        sharedMailboxes: ['support@example.com: group:team@example.com'],
      }),
    ).toBe('');
    expect(check({ users: ['ada'] })).toContain('config.users');
    expect(check({ groups: 7 })).toContain('config.groups');
    expect(check({ excludeUsers: ['@'] })).toContain('config.excludeUsers');
    expect(check({ since: '31.01.2026' })).toContain('must be a date');
    expect(check({ labels: [1] })).toContain('config.labels');
    expect(check({ query: 'x'.repeat(1_001) })).toContain('config.query');
    for (const line of [
      'support@example.com',
      'support@example.com:',
      'support: user:a@b.example',
      'support@example.com: public',
      'support@example.com: user:a@b.example,',
      'support@example.com: ada@example.com',
      'support@example.com: user:a@b.example, nonsense',
    ]) {
      expect(check({ sharedMailboxes: [line] })).toContain('config.sharedMailboxes');
    }
  });

  it('select and share mailboxes only with a service account', () => {
    for (const [field, value] of [
      ['users', 'a@b.example'],
      ['groups', 'a@b.example'],
      ['excludeUsers', 'a@b.example'],
      ['sharedMailboxes', 'a@b.example: user:c@d.example'],
    ] as const) {
      const message = messageOf(() => gmailType.open({ config: { [field]: value }, credentials: {}, host }));
      expect(message).toContain(`config.${field}`);
    }
    expect(
      messageOf(() => gmailType.open({ config: { labels: 'x', since: '2026-01-01' }, credentials: {}, host })),
    ).toBe('');
    expect(gmailType.needsAuthorization({})).toBe(true);
    expect(gmailType.needsAuthorization({ serviceAccountKey: 'key' })).toBe(false);
  });
});
