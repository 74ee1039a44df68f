import { once } from 'node:events';
import { connect } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ImapServer, type ImapServerOptions, mailOf, startImapServer, timeLimit } from '@lectern/testing';
import type { Connector } from '#connector';
import { imapType } from '#imap/imap-type';
import type { SourceRef } from '#source';
import { CERTIFICATE } from './support/certificate.ts';
import { openType } from './support/open-type.ts';
import { call, collect, collectUntilError, readBody, refsOf, textOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

let server: ImapServer;
let host: TestHost;
const opened: Connector[] = [];

async function start(options: ImapServerOptions = {}, hostOptions: Parameters<typeof createTestHost>[0] = {}) {
  await stop();
  server = await startImapServer(options);
  host = createTestHost({ allow: '127.0.0.1,localhost', ...hostOptions });
}

async function stop(): Promise<void> {
  await Promise.all(opened.splice(0).map((connector) => connector.close?.()));
  await server?.stop();
  await host?.close();
}

beforeEach(() => start());
afterEach(() => stop());

function open(config: object = {}, credentials: object = {}): Connector {
  const connector = openType(
    imapType,
    { host: server.host, port: server.port, security: 'none', ...config },
    { user: server.user, password: server.password, ...credentials },
    host,
  );
  opened.push(connector);
  return connector;
}

const list = async (connector: Connector): Promise<SourceRef[]> => refsOf(await collect(connector.list(call)));
const titles = async (config: object = {}) => (await list(open(config))).map(({ title }) => title).sort();
const mail = (subject: string, more: object = {}) =>
  mailOf({ subject, text: `The text of ${subject}.`, messageId: `<${subject}@example.com>`, ...more });

describe('a mailbox', () => {
  it('is read without the folders that are excluded, and without messages marked as deleted', async () => {
    const { mailbox } = server;
    mailbox.addFolder('Trash', { specialUse: '\\Trash' });
    mailbox.addFolder('Spam', { specialUse: '\\Junk' });
    mailbox.addFolder('Entwürfe', { specialUse: '\\Drafts' });
    mailbox.addFolder('Kunden/Müller & Söhne');
    for (const path of mailbox.folders.keys()) mailbox.append(path, mail(`in-${path.replaceAll(/\W/g, '')}`));
    mailbox.append('INBOX', mail('deleted'), { flags: ['\\Deleted'] });
    expect(await titles()).toEqual(['in-INBOX', 'in-KundenMllerShne']);
    expect(await titles({ folders: ['Kunden'] })).toEqual(['in-KundenMllerShne']);
    expect(await titles({ folders: ['!INBOX'] })).toEqual(['in-KundenMllerShne']);
    mailbox.addFolder('Trash/2025');
    mailbox.addFolder('Trash/2026/May');
    mailbox.addFolder('Trashed');
    for (const path of ['Trash/2025', 'Trash/2026/May', 'Trashed']) {
      mailbox.append(path, mail(`in-${path.replaceAll(/\W/g, '')}`));
    }
    expect(await titles({ folders: ['Trash*/**', 'Trash/2025'] })).toEqual(['in-Trash2025', 'in-Trashed']);
    expect(await titles({ folders: ['Trash'] })).toEqual(['in-Trash', 'in-Trash2025', 'in-Trash2026May']);
    for (const path of ['Trash/2025', 'Trash/2026/May', 'Trashed']) mailbox.folders.delete(path);
    expect(await titles({ folders: ['Trash', 'Kunden/**'] })).toEqual(['in-KundenMllerShne', 'in-Trash']);
    expect((await open({ folders: ['None'] }).test(call)).at(-1)).toMatchObject({ ok: false });
  });

  it('is read from a day on', async () => {
    server.mailbox.append('INBOX', mail('old'), { date: new Date('2025-12-31T23:00:00Z') });
    server.mailbox.append('INBOX', mail('new'), { date: new Date('2026-01-01T01:00:00Z') });
    expect(await titles({ since: '2026-01-01' })).toEqual(['new']);
    const [old] = (await list(open())).filter(({ title }) => title === 'old');
    expect(await open({ since: '2026-01-01' }).resolve(call, old!.id)).toBeNull();
  });

  it('is private to its owner, unless the settings name readers', async () => {
    server.mailbox.append('INBOX', mail('a'));
    const readers = async (config: object, user?: string) => {
      const connector = open(config, user === undefined ? {} : { user });
      const refs = await list(open());
      const own = user === undefined ? refs : refs.map((ref) => ({ ...ref, id: ref.id.replace(/^[^/]+/, user) }));
      return (await collect(connector.permissions!(call, own)))[0]?.principals;
    };
    expect(await readers({})).toEqual(['user:support@example.com']);
    expect(await readers({ principals: ['public'] })).toEqual(['public']);
    expect(await readers({ principals: ['user:Ann@example.com', 'group:lectern/support'] })).toEqual([
      'user:ann@example.com',
      'group:lectern/support',
    ]);
    expect(await readers({}, 'ada')).toEqual([]);
  });

  it('of a user without an address needs readers', async () => {
    await start({ users: { ada: 'secret' } });
    expect((await open().test(call)).at(-1)).toMatchObject({
      ok: false,
      message: expect.stringMatching('config.principals'),
    });
    expect((await open({ principals: ['user:ada@example.com'] }).test(call)).every(({ ok }) => ok)).toBe(true);
  });
});

describe('several mailboxes', () => {
  const users = { 'ada@example.com': 'a', 'bob@example.com': 'b' };
  const master = { user: 'master', password: 'secret' };
  const credentials = { user: 'master', password: 'secret' };

  for (const delegation of ['master_user', 'authorization_id']) {
    it(`are opened with ${delegation}, and stay private to their owners`, async () => {
      await start({ users, master });
      server.mailboxOf('ada@example.com').append('INBOX', mail('same', { text: 'For Ada.' }));
      server.mailboxOf('bob@example.com').append('INBOX', mail('same', { text: 'For Bob.' }));
      const connector = open({ mailboxes: Object.keys(users), delegation }, credentials);
      expect((await connector.test(call)).every(({ ok }) => ok)).toBe(true);
      const refs = await list(connector);
      expect(await Promise.all(refs.map((ref) => textOf(connector, ref)))).toEqual([
        expect.stringContaining('For Ada.'),
        expect.stringContaining('For Bob.'),
      ]);
      expect((await collect(connector.permissions!(call, refs))).map(({ principals }) => principals)).toEqual([
        ['user:ada@example.com'],
        ['user:bob@example.com'],
      ]);
    });
  }

  it('are not opened with authorization_id if the server would ignore the mailbox', async () => {
    await start({ users: { ...users, master: 'secret' }, login: 'login' });
    server.mailboxOf('master').append('INBOX', mail('private'));
    const connector = open({ mailboxes: Object.keys(users), delegation: 'authorization_id' }, credentials);
    expect((await connector.test(call))[0]).toMatchObject({ ok: false, message: expect.stringMatching('SASL PLAIN') });
    const { reported, error } = await collectUntilError(connector.list(call));
    expect(reported).toEqual([]);
    expect(error).toMatchObject({ kind: 'invalid' });
    // Without an authorization identity, LOGIN is enough.
    expect(await list(open({}, credentials))).toHaveLength(1);
  });

  it('are not read from a session that needs no login', async () => {
    await start({ users, login: 'preauth' });
    server.mailboxOf('ada@example.com').append('INBOX', mail('private'));
    for (const config of [{}, { mailboxes: ['bob@example.com'], delegation: 'authorization_id' }]) {
      const { error } = await collectUntilError(open(config, credentials).list(call));
      expect(error).toMatchObject({ kind: 'invalid', message: expect.stringMatching('PREAUTH') });
    }
  });

  it('have a cursor and changes although one may not be opened', async () => {
    await start({ users, master });
    server.mailboxOf('bob@example.com').append('INBOX', mail('b'));
    const delegation = 'master_user';
    const some = open({ mailboxes: ['gone@example.com', 'bob@example.com'], delegation }, credentials);
    const cursor = await some.cursor!(call);
    server.mailboxOf('bob@example.com').append('INBOX', mail('c'));
    const events = await collect(some.changes!(call, cursor));
    expect(refsOf(events).map(({ title }) => title)).toEqual(['c']);
    expect(events[0]).toMatchObject({ type: 'failed', path: 'gone@example.com/' });
    const end = events.flatMap((event) => (event.type === 'checkpoint' ? [event.at] : [])).at(-1)!;
    expect(refsOf(await collect(some.changes!(call, end)))).toEqual([]);
    // A mailbox that can be opened now needs a listing.
    const more = open({ mailboxes: ['ada@example.com', 'bob@example.com'], delegation }, credentials);
    expect((await collectUntilError(more.changes!(call, end))).error).toMatchObject({ kind: 'gone' });
    // A mailbox that can no longer be opened keeps its position.
    const both = await more.cursor!(call);
    const lost = JSON.stringify({ ...JSON.parse(both), 'gone@example.com': {} });
    expect((await collect(some.changes!(call, lost))).at(-1)).toMatchObject({ type: 'complete' });
    const none = open({ mailboxes: ['x@example.com', 'y@example.com'], delegation }, credentials);
    await expect(none.cursor!(call)).rejects.toMatchObject({ kind: 'auth' });
    expect((await collectUntilError(none.changes!(call, cursor))).error).toMatchObject({ kind: 'auth' });
  });

  it('are read although one may not be opened; then nothing is deleted', async () => {
    await start({ users, master });
    server.mailboxOf('bob@example.com').append('INBOX', mail('b'));
    const config = { mailboxes: ['gone@example.com', 'bob@example.com'], delegation: 'master_user' };
    const events = await collect(open(config, credentials).list(call));
    expect(refsOf(events).map(({ title }) => title)).toEqual(['b']);
    expect(events[0]).toMatchObject({ type: 'failed', error: { code: 'unreadable_entry' } });
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
    const { error } = await collectUntilError(open(config, { user: 'master', password: 'wrong' }).list(call));
    expect(error).toMatchObject({ kind: 'auth' });
  });
});

describe('a message', () => {
  it('has its text, and metadata of its headers, folder and labels', async () => {
    const text = 'Grüße aus Köln';
    server.mailbox.addFolder('Kunden/Köln');
    server.mailbox.append(
      'Kunden/Köln',
      mailOf({
        ...{ subject: 'Straßenbahn', text, messageId: '<b@x>', references: '<root@x> <a@x>', inReplyTo: '<a@x>' },
        attachments: [{ name: 'Plan Süd.pdf', type: 'application/pdf', content: '%PDF' }],
      }),
      { flags: ['\\Seen', '\\Flagged', 'Urgent'] },
    );
    const connector = open();
    const [ref] = await list(connector);
    expect(ref).toMatchObject({ title: 'Straßenbahn', author: 'Ada', updatedAt: '2026-01-05T10:11:12.000Z' });
    const content = await connector.fetch(call, ref!);
    expect(content).toMatchObject({
      fileName: 'Straßenbahn.eml',
      metadata: {
        ...{ mailbox: 'support@example.com', folder: 'Kunden/Köln', labels: ['Urgent', 'flagged'] },
        ...{ from: ['Ada <ada@example.com>'], to: ['support@example.com'], sentAt: '2026-01-05T10:11:12.000Z' },
        ...{ messageId: 'b@x', thread: 'root@x', attachments: ['Plan Süd.pdf'] },
      },
    });
    expect(await readBody(content.body)).toContain(text);
  });

  it('is read without the message that it quotes only if that one is read, too', async () => {
    const { mailbox } = server;
    mailbox.addFolder('Sent');
    const text = 'Yes.\r\n\r\nAda wrote:\r\n> Is it open?\r\n';
    const reply = { text, inReplyTo: '<question@example.com>' };
    mailbox.append('INBOX', mail('reply', reply));
    mailbox.append('INBOX', mail('self', { text, inReplyTo: '<self@example.com>' }));
    const outlook = 'Yes.\r\n\r\n-----Original Message-----\r\nOpen?\r\n\r\nNo, that is wrong.';
    mailbox.append('INBOX', mail('outlook', { ...reply, text: outlook }));
    const connector = open();
    const refs = await list(connector);
    const texts = () => Promise.all(refs.map((ref) => textOf(connector, ref)));
    for (const whole of (await texts()).slice(0, 2)) expect(whole).toContain('Is it open?');
    mailbox.append('Sent', mail('question', { text: 'Is it open?' }));
    const [answer, self, other] = await texts();
    expect(answer).toMatch(/Yes\.\r\n\r\nAda wrote:\r\n$/);
    expect(self).toContain('Is it open?');
    expect(other).toContain('No, that is wrong.');
  });

  describe('of only HTML', () => {
    const page = (html: string, subject: string, more: readonly string[] = [], encoding = '8bit') =>
      [
        ...['From: Ada <ada@example.com>', `Subject: ${subject}`, `Message-ID: <${subject}@example.com>`, ...more],
        ...['MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8'],
        ...[`Content-Transfer-Encoding: ${encoding}`, '', html],
      ].join('\r\n');
    const answers = ['In-Reply-To: <question@example.com>'];
    const question = '<p>Is the store in Köln open on Sunday, or only the café?</p>';
    const gmail = (inner: string) =>
      `<div>Yes.</div><div class="gmail_quote"><div class="gmail_attr">On Monday, Ada wrote:</div><blockquote>${inner}</blockquote></div>`;
    const contentOf = async (connector: Connector, title: string) => {
      const ref = (await list(connector)).find((each) => each.title === title);
      const raw = await textOf(connector, ref!);
      const [, encoding, body = ''] = /Content-Transfer-Encoding: (\S+)\r\n\r\n([\s\S]*)$/.exec(raw) ?? [];
      return encoding === 'base64' ? Buffer.from(body, 'base64').toString() : body;
    };

    it('is read without what it quotes of a message that is read, too', async () => {
      const { mailbox } = server;
      const quoted = (html: string) => {
        const bytes = Buffer.from(html).toString('latin1');
        return bytes.replace(/[=\x80-\xff]/g, (char) => `=${char.charCodeAt(0).toString(16).toUpperCase()}`);
      };
      const outlook = `<p>Yes.</p><div id="divRplyFwdMsg">From: Ada<br>Sent: Monday 10:11</div>${question}`;
      mailbox.append('INBOX', page(gmail(question), 'reply', answers));
      mailbox.append('INBOX', page(quoted(gmail(question)), 'printable', answers, 'quoted-printable'));
      mailbox.append('INBOX', page(outlook, 'outlook', answers));
      const connector = open();
      expect(await contentOf(connector, 'reply')).toContain('Is the store');
      mailbox.append('INBOX', page(question, 'question'));
      for (const title of ['reply', 'printable', 'outlook']) {
        const content = await contentOf(connector, title);
        expect(content).toContain('Yes.');
        expect(content).not.toContain('Is the store');
      }
    });

    it('keeps its quotations if the quoted message is too large to be described', async () => {
      const { mailbox } = server;
      const to = Array.from({ length: 45_000 }, (_, n) => `p${n}@x`).join(',\r\n ');
      mailbox.append('INBOX', page(gmail(question), 'reply', answers));
      const connector = open();
      const [ref] = await list(connector);
      mailbox.append('INBOX', mail('question', { to }));
      expect(await textOf(connector, ref!)).toContain('Is the store');
    });

    it('keeps answers inside a quotation, invented quotations, and a text that is only a quotation', async () => {
      const { mailbox } = server;
      mailbox.append('INBOX', mail('question', { text: 'Is the store in Köln open on Sunday?' }));
      const invented = '<p>The store closes forever, and you owe me money.</p>';
      mailbox.append('INBOX', page(gmail(`${question}<p>No, that is wrong.</p>`), 'inside', answers));
      mailbox.append('INBOX', page(gmail(invented), 'invented', answers));
      const only = '<blockquote><p>Is the store in Köln open on Sunday?</p></blockquote>';
      mailbox.append('INBOX', page(only, 'only', answers));
      const connector = open();
      expect(await contentOf(connector, 'inside')).toContain('No, that is wrong.');
      expect(await contentOf(connector, 'invented')).toContain('you owe me money');
      expect(await contentOf(connector, 'only')).toBe(only);
    });
  });

  it('keeps its document when it moves, and when the server numbers its folder again', async () => {
    const { mailbox } = server;
    mailbox.addFolder('Archive');
    const uid = mailbox.append('INBOX', mail('a'));
    const connector = open();
    const [before] = await list(connector);
    mailbox.move('INBOX', uid, 'Archive');
    expect(await textOf(connector, before!)).toContain('The text of a.');
    const [moved] = await list(connector);
    expect(moved!.id).toBe(before!.id);
    expect(moved!.version).not.toBe(before!.version);
    mailbox.renumber('Archive');
    expect(await textOf(connector, moved!)).toContain('The text of a.');
    expect((await list(connector)).map(({ id }) => id)).toEqual([before!.id]);
  });

  it('is another document if only its Message-ID is the same', async () => {
    server.mailbox.append('INBOX', mail('a', { messageId: '<same@x>' }));
    server.mailbox.append('INBOX', mail('b', { messageId: '<same@x>' }));
    expect(await titles()).toEqual(['a', 'b']);
  });

  it('is another document with the headers of an earlier one, but another text or time of arrival', async () => {
    const forged = { text: 'Pay to another account.' };
    const later = new Date('2026-01-05T10:11:13Z');
    server.mailbox.append('INBOX', mail('invoice', forged));
    server.mailbox.addFolder('Archive');
    server.mailbox.append('Archive', mail('invoice'));
    server.mailbox.append('Archive', mail('invoice'), { date: later });
    const connector = open();
    const refs = await list(connector);
    expect(new Set(refs.map(({ id }) => id)).size).toBe(3);
    expect(await Promise.all(refs.map((ref) => textOf(connector, ref)))).toEqual([
      expect.stringContaining('Pay to another account.'),
      ...[0, 1].map(() => expect.stringContaining('The text of invoice.')),
    ]);
    for (const ref of refs) expect(await connector.resolve(call, ref.id)).toEqual(ref);
  });

  it.each(['<e>', 'e', '<e><m1@example.com>', '< e >', '<=?utf-8?q?e?=@x>', '<a b@x>'])(
    'with the Message-ID %s is found among many whose Message-ID contains it',
    async (messageId) => {
      server.mailbox.addFolder('Archive');
      for (let n = 0; n < 600; n += 1) server.mailbox.append('Archive', mail(`m${n}`));
      const connector = open();
      const cursor = await connector.cursor!(call);
      const uid = server.mailbox.append('Archive', mail('short', { messageId }));
      const [ref] = refsOf(await collect(connector.changes!(call, cursor)));
      expect(ref).toMatchObject({ title: 'short' });
      expect(await connector.resolve(call, ref!.id)).toEqual(ref);
      expect((await connector.resolve(call, ref!.id))!.title).toBe('short');
      server.mailbox.expunge('Archive', uid);
      expect(await connector.resolve(call, ref!.id)).toBeNull();
    },
  );

  it('is found among hundreds with the same Message-ID', async () => {
    for (let n = 0; n < 600; n += 1) server.mailbox.append('INBOX', mail(`m${n}`, { messageId: '<same@x>' }));
    const connector = open();
    const refs = await list(connector);
    expect(refs).toHaveLength(600);
    expect(await connector.resolve(call, refs[599]!.id)).toEqual(refs[599]);
  });

  it('with too many recipients fails alone', async () => {
    const to = Array.from({ length: 45_000 }, (_, n) => `p${n}@x`).join(',\r\n ');
    server.mailbox.append('INBOX', mail('many', { to }));
    server.mailbox.append('INBOX', mail('a'));
    const connector = open();
    const events = await collect(connector.list(call));
    expect(refsOf(events).map(({ title }) => title)).toEqual(['a']);
    expect(events).toContainEqual(
      expect.objectContaining({
        ...{ type: 'failed', id: expect.stringMatching(/\/many@example\.com~[0-9a-f]{20}$/) },
        error: expect.objectContaining({ code: 'invalid' }),
      }),
    );
    expect(events.at(-1)).toMatchObject({ authoritative: true });
    // Others with this Message-ID are found nevertheless.
    server.mailbox.append('INBOX', mail('many'));
    const [ref] = (await list(connector)).filter(({ title }) => title === 'many');
    expect(await connector.resolve(call, ref!.id)).toEqual(ref);
  });

  it('without a Message-ID is found again', async () => {
    server.mailbox.addFolder('Archive');
    const uid = server.mailbox.append('INBOX', mailOf({ subject: 'plain', text: 'No id.' }));
    const connector = open();
    const [before] = await list(connector);
    server.mailbox.move('INBOX', uid, 'Archive');
    expect((await list(connector)).map(({ id }) => id)).toEqual([before!.id]);
    expect(await connector.resolve(call, before!.id)).toMatchObject({ id: before!.id });
    expect(await textOf(connector, before!)).toContain('No id.');
  });

  it('does not change when someone reads it', async () => {
    const uid = server.mailbox.append('INBOX', mail('a'));
    const [before] = await list(open());
    server.mailbox.setFlags('INBOX', uid, ['\\Seen', '\\Answered']);
    expect((await list(open()))[0]!.version).toBe(before!.version);
    server.mailbox.setFlags('INBOX', uid, ['\\Seen', 'Urgent']);
    expect((await list(open()))[0]!.version).not.toBe(before!.version);
  });

  it('that is too large fails alone', async () => {
    await start({}, { maxItemBytes: 1_000 });
    server.mailbox.append('INBOX', mail('large', { text: 'x'.repeat(2_000) }));
    server.mailbox.append('INBOX', mail('small'));
    const connector = open();
    const [large, small] = await list(connector);
    await expect(connector.fetch(call, large!)).rejects.toMatchObject({ kind: 'too_large' });
    expect(await textOf(connector, small!)).toContain('The text of small.');
  });
});

describe('an attachment', () => {
  const attachments = [
    { name: 'report.csv', type: 'text/csv; charset=utf-8', content: 'Stadt,Zahl\nKöln,1\n' },
    { name: '../../etc/passwd', type: 'application/octet-stream', content: Buffer.from([0, 1, 2, 255]) },
    { name: 'photo.jpg', type: 'image/jpeg', content: 'jpeg' },
    { name: 'smime.p7s', type: 'application/pkcs7-signature', content: 'signature' },
  ];

  it('is an item of its own, without pictures and signatures', async () => {
    server.mailbox.append('INBOX', mail('with files', { attachments }));
    const connector = open();
    const [message, csv, binary, ...others] = await list(connector);
    expect(others).toEqual([]);
    expect(csv).toMatchObject({
      id: `${message!.id}/2`,
      title: 'report.csv',
      path: expect.stringMatching('with files'),
    });
    expect(await textOf(connector, csv!)).toBe('Stadt,Zahl\nKöln,1\n');
    expect(binary!.title).toBe('passwd');
    const content = await connector.fetch(call, binary!);
    expect(content).toMatchObject({ fileName: 'passwd', metadata: { message: 'with files', from: 'Ada' } });
    expect(Buffer.concat(await collect(content.body))).toEqual(Buffer.from([0, 1, 2, 255]));
    expect(await connector.resolve(call, csv!.id)).toEqual(csv);
    expect(await connector.resolve(call, `${message!.id}/9`)).toBeNull();
    expect(await textOf(connector, message!)).not.toContain('Stadt');
  });

  it('is ignored if the settings exclude it', async () => {
    server.mailbox.append('INBOX', mail('with files', { attachments }));
    const [message] = await list(open({ attachments: false }));
    expect(await titles({ attachments: false })).toEqual(['with files']);
    expect(await open({ attachments: false }).resolve(call, `${message!.id}/2`)).toBeNull();
  });

  it('can be the whole message, or another message', async () => {
    const header = 'From: a@x\r\nTo: b@x\r\nSubject: fax\r\nMessage-ID: <fax@x>\r\nMIME-Version: 1.0\r\n';
    const file = 'Content-Type: application/pdf; name=fax.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n';
    server.mailbox.append('INBOX', `${header}${file}`);
    const type = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n';
    server.mailbox.append('INBOX', `${header.replace('fax@x', 'fwd@x')}${type}${mail('inner')}\r\n--b--\r\n`);
    const connector = open();
    const refs = await list(connector);
    expect(refs.map(({ title }) => title)).toEqual(['fax', 'fax.pdf', 'fax', 'inner.eml']);
    expect(await textOf(connector, refs[1]!)).toBe('%PDF');
    expect(await textOf(connector, refs[3]!)).toContain('The text of inner.');
  });

  it('that is too large fails alone', async () => {
    await start({}, { maxItemBytes: 1_000 });
    const big = { name: 'big.bin', type: 'application/octet-stream', content: 'x'.repeat(1_200) };
    server.mailbox.append('INBOX', mail('a', { attachments: [big] }));
    const connector = open();
    const [message, attachment] = await list(connector);
    await expect(connector.fetch(call, attachment!)).rejects.toMatchObject({ kind: 'too_large' });
    expect(await textOf(connector, message!)).toContain('The text of a.');
  });
});

describe('the change feed', () => {
  it('reports new, moved and labeled messages, and nothing else', async () => {
    const { mailbox } = server;
    mailbox.addFolder('Archive');
    const [a, b, c] = ['a', 'b', 'c'].map((subject) => mailbox.append('INBOX', mail(subject)));
    const connector = open();
    const cursor = await connector.cursor!(call);
    mailbox.move('INBOX', a!, 'Archive');
    mailbox.copy('INBOX', b!, 'Archive');
    mailbox.setFlags('INBOX', c!, ['Urgent']);
    mailbox.append('INBOX', mail('d'));
    const refs = refsOf(await collect(connector.changes!(call, cursor)));
    const latest = new Map(refs.map((ref) => [ref.id, ref]));
    const full = await list(connector);
    for (const ref of full) if (ref.title !== 'b') expect(latest.get(ref.id)).toEqual(ref);
    // The copy in the inbox still counts.
    const other = refs.find(({ title }) => title === 'b');
    expect(other === undefined || other.version === full.find(({ title }) => title === 'b')!.version).toBe(true);
  });

  it('requires a full listing if that takes fewer commands', async () => {
    const { mailbox } = server;
    for (let n = 0; n < 50; n += 1) mailbox.addFolder(`F${n}`);
    const connector = open();
    const cursor = await connector.cursor!(call);
    mailbox.append('F49', mail('one'));
    expect(refsOf(await collect(connector.changes!(call, cursor)))).toHaveLength(1);
    for (let n = 0; n < 50; n += 1) mailbox.append('F49', mail(`m${n}`));
    const before = server.requests.length;
    const { error } = await collectUntilError(connector.changes!(call, cursor));
    expect(error).toMatchObject({ kind: 'gone' });
    expect(server.requests.length - before).toBeLessThan(200);
  });

  it.each(['a new folder', 'a renamed folder', 'a folder that was numbered again'])(
    'requires a full listing after %s',
    async (what) => {
      const { mailbox } = server;
      mailbox.addFolder('Archive');
      const connector = open();
      const cursor = await connector.cursor!(call);
      if (what === 'a new folder') mailbox.addFolder('More');
      else if (what === 'a renamed folder') mailbox.renameFolder('Archive', 'Old');
      else mailbox.renumber('Archive');
      const { error } = await collectUntilError(connector.changes!(call, cursor));
      expect(error).toMatchObject({ kind: 'gone' });
    },
  );
});

describe('a resumed listing', () => {
  it('reports each page before its checkpoint, with little data, and lists no copy twice', async () => {
    const { mailbox } = server;
    mailbox.addFolder('Empty');
    mailbox.addFolder('Work');
    for (let n = 0; n < 250; n += 1) mailbox.append('INBOX', mail(`m${n}`));
    for (let n = 0; n < 250; n += 1) mailbox.append('Work', mail(`${n < 100 ? 'm' : 'w'}${n}`));
    const connector = open();
    const all = await collect(connector.list(call));
    const positions = all.flatMap((event, at) => (event.type === 'checkpoint' ? [at] : []));
    for (const at of positions) {
      const from = all[at]!;
      if (from.type !== 'checkpoint') continue;
      const requests = server.requests.length;
      const rest = await collect(connector.list(call, from.at));
      expect(refsOf(rest)).toEqual(refsOf(all.slice(at)));
      expect(rest.at(-1)).toMatchObject({ type: 'complete', authoritative: true });
      // Every page is followed by an event.
      const fetches = server.requests.slice(requests).filter(({ command }) => command === 'UID FETCH');
      expect(rest.filter(({ type }) => type === 'checkpoint').length).toBeGreaterThanOrEqual(fetches.length);
      const described = fetches.filter((request) => JSON.stringify(request.arguments).includes('BODYSTRUCTURE'));
      const skipped = rest.filter((event) => event.type === 'checkpoint' && event.at === from.at);
      // One of the skipped folders may be empty.
      expect(fetches.length - described.length).toBeGreaterThanOrEqual(skipped.length - 1);
    }
  });
});

describe('a folder with 300,000 messages', () => {
  const COUNT = 300_000;
  const make = (uid: number) => `Message-ID: <m${uid}@x>\r\nContent-Type: text/plain\r\n\r\n${uid}`;
  const searches = () => server.requests.filter(({ command }) => command === 'UID SEARCH');

  it('is read by ranges of UIDs, which fit into a response', async () => {
    server.mailbox.generate('INBOX', COUNT, { make });
    const connector = open();
    const uids: string[] = [];
    for await (const event of connector.list(call)) {
      if (event.type === 'item') uids.push(await textOf(connector, event.ref));
      if (uids.length === 3) break;
    }
    expect(uids.map((text) => text.trim().split(/\s+/).at(-1))).toEqual(['1', '2', '3']);
    expect(searches()).toHaveLength(1);
    expect(JSON.stringify(searches()[0]!.arguments)).toContain('1:50000');
  });

  it('loses no message when others are deleted while it is read', async () => {
    const { mailbox } = server;
    const inbox = mailbox.find('INBOX');
    // Its UIDs have a gap that is larger than the folder.
    mailbox.append('INBOX', mail('first'));
    inbox.uidNext = 10_000_000;
    const isRead = (uid: number) => uid % 1_000 < 2;
    mailbox.generate('INBOX', COUNT, { make, flags: (uid) => (isRead(uid) ? [] : ['\\Deleted']) });
    const expected = inbox.messages.filter(({ uid }) => isRead(uid)).map(({ uid }) => `${uid}`);
    // The numbers of messages change between two ranges, but not their UIDs.
    server.before(({ command }) => {
      if (command === 'UID SEARCH') inbox.messages = inbox.messages.filter(({ uid }) => isRead(uid) || uid % 7 > 0);
    });
    const events = await collect(open().list(call));
    const found = refsOf(events).map(({ id }) => /m(\d+)@x/.exec(id)?.[1] ?? '1');
    expect(found).toEqual(expected);
    expect(searches()).toHaveLength(7);
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: true });
    // A listing that continues in a later range begins after its checkpoint.
    const middle = events.filter(({ type }) => type === 'checkpoint')[4]!;
    const from = middle.type === 'checkpoint' ? middle.at : '';
    const rest = await collect(open().list(call, from));
    expect(refsOf(rest)).toEqual(refsOf(events.slice(events.indexOf(middle))));
  });

  it('needs a full listing if more messages are new than a response can contain', async () => {
    const { mailbox } = server;
    mailbox.append('INBOX', mail('first'));
    const connector = open();
    const cursor = await connector.cursor!(call);
    mailbox.generate('INBOX', COUNT, { make });
    const { reported, error } = await collectUntilError(connector.changes!(call, cursor));
    expect(refsOf(reported)).toEqual([]);
    expect(error).toMatchObject({ kind: 'gone' });
  });
});

describe('a failure', () => {
  it('of the login mentions app passwords, and never the password', async () => {
    const [check] = await open({}, { password: 'hunter2' }).test(call);
    expect(check).toMatchObject({ ok: false, message: expect.stringMatching('app password') });
    expect(JSON.stringify(check)).not.toContain('hunter2');
  });

  it('because of too many connections is a rate limit', async () => {
    await start({ maxConnections: 0 });
    const { error } = await collectUntilError(open().list(call));
    expect(error).toMatchObject({ kind: 'rate', retryAt: expect.any(Date) });
  });

  it('to open a folder reports it, and deletes nothing', async () => {
    server.mailbox.append('INBOX', mail('a'));
    server.mailbox.addFolder('Secret').canBeOpened = false;
    const events = await collect(open().list(call));
    expect(refsOf(events)).toHaveLength(1);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'failed', error: expect.objectContaining({ code: 'unreadable_entry' }) }),
    );
    expect(events.at(-1)).toMatchObject({ authoritative: false });
  });

  it('to open a folder does not affect messages of the others', async () => {
    const { mailbox } = server;
    mailbox.addFolder('A secret').canBeOpened = false;
    mailbox.addFolder('Work');
    const uid = mailbox.append('INBOX', mail('a'));
    const connector = open();
    const [before] = await list(connector);
    const cursor = await connector.cursor!(call);
    mailbox.move('INBOX', uid, 'Work');
    expect(refsOf(await collect(connector.changes!(call, cursor))).map(({ id }) => id)).toEqual([before!.id]);
    expect(await textOf(connector, before!)).toContain('The text of a.');
    mailbox.find('Work').messages = [];
    // The message may be in the folder that may not be opened.
    await expect(connector.resolve(call, before!.id)).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('to open a folder, without a reason, does not affect the others', async () => {
    const { mailbox } = server;
    const uid = mailbox.append('INBOX', mail('a'));
    const connector = open();
    const [ref] = await list(connector);
    mailbox.addFolder('Broken').canBeOpened = 'no';
    mailbox.addFolder('Work');
    const events = await collect(connector.list(call));
    expect(refsOf(events)).toEqual([ref]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'failed', path: 'support@example.com/Broken' }));
    expect(events.at(-1)).toMatchObject({ authoritative: false });
    const cursor = await connector.cursor!(call);
    mailbox.move('INBOX', uid, 'Work');
    expect(refsOf(await collect(connector.changes!(call, cursor))).map(({ id }) => id)).toEqual([ref!.id]);
    expect(await connector.resolve(call, ref!.id)).toMatchObject({ id: ref!.id });
    mailbox.find('Work').messages = [];
    // The message may be in the folder that cannot be opened.
    await expect(connector.resolve(call, ref!.id)).rejects.toMatchObject({ kind: 'transient' });
    await expect(connector.fetch(call, ref!)).rejects.toMatchObject({ kind: 'transient' });
  });

  it.each(['silence', 'drip'] as const)('with %s ends when the call is cancelled', async (kind) => {
    server.mailbox.append('INBOX', mail('a'));
    server.fail(() => ({ kind }));
    const controller = new AbortController();
    const before = performance.now();
    server.before(() => void setTimeout(() => controller.abort(new Error('cancelled')), 50));
    await expect(collect(open().list({ signal: controller.signal }))).rejects.toThrow('cancelled');
    expect(performance.now() - before).toBeLessThan(timeLimit(3_000));
  });

  it('to describe only what was requested is harmless, and a flood ends the connection', async () => {
    for (let n = 0; n < 3; n += 1) server.mailbox.append('INBOX', mail(`m${n}`));
    const rowsOf = (body: string) => (body.includes('"envelope"') || body.includes('"UID"') ? JSON.parse(body) : []);
    let copies = 300;
    server.rewrite(({ body }) => {
      const rows = rowsOf(body);
      if (rows.length === 0) return { body };
      const flags = rows.map(({ UID }: { UID: number }, at: number) => ({ seq: 900 + at, UID, FLAGS: ['\\Seen'] }));
      const others = rows.map((row: object, at: number) => ({ ...row, UID: 5_000 + at }));
      return { body: JSON.stringify([...flags, ...others, ...Array(copies).fill(rows).flat()]) };
    });
    expect(await titles()).toEqual(['m0', 'm1', 'm2']);
    copies = 500;
    const events = await collect(open().list(call));
    expect(refsOf(events).length + events.filter(({ type }) => type === 'failed').length).toBe(3);
    copies = 2_000;
    const flooded = await collect(open().list(call));
    expect(flooded.filter(({ type }) => type === 'failed')).toHaveLength(3);
    expect(flooded[0]).toMatchObject({ error: { code: 'unreadable_entry' } });
    await expect(open().resolve(call, refsOf(events)[0]!.id)).rejects.toMatchObject({ kind: 'too_large' });
  });

  it('to end a list of folders closes the connection', async () => {
    const names = Array.from({ length: 200_000 }, (_, n) => ({
      flags: [],
      delimiter: '/',
      name: `${n}${'x'.repeat(90)}`,
    }));
    const body = JSON.stringify(names);
    server.rewrite(() => ({ body }));
    const { error } = await collectUntilError(open().list(call));
    expect(error).toMatchObject({ kind: 'too_large', message: expect.stringMatching('more data') });
  });

  it('with an unreadable line does not hide messages', async () => {
    server.mailbox.append('INBOX', mail('a'));
    server.fail(({ command }, number) => (command === 'UID FETCH' && number < 6 ? { kind: 'gibberish' } : undefined));
    const { reported } = await collectUntilError(open().list(call));
    expect(refsOf(reported).length + reported.filter(({ type }) => type === 'failed').length).toBe(1);
  });

  it('of a connection between two calls is repaired', async () => {
    server.mailbox.append('INBOX', mail('a'));
    const connector = open();
    const [ref] = await list(connector);
    server.disconnect();
    expect(await textOf(connector, ref!)).toContain('The text of a.');
  });
});

describe('the connection', () => {
  const authorities = getCACertificates('default');
  const trust = () => setDefaultCACertificates([...authorities, CERTIFICATE.cert]);
  afterEach(() => setDefaultCACertificates(authorities));

  for (const mode of ['tls', 'starttls'] as const) {
    it(`is encrypted with ${mode} and a verified certificate`, async () => {
      await start({ tls: { ...CERTIFICATE, mode } });
      server.mailbox.append('INBOX', mail('a'));
      const [rejected] = await open({ security: mode }).test(call);
      expect(rejected).toMatchObject({ ok: false, message: expect.stringMatching('certificate') });
      trust();
      expect(await titles({ security: mode })).toEqual(['a']);
      // The certificate names the address, not the host.
      const [wrongName] = await open({ security: mode, host: 'localhost' }).test(call);
      expect(wrongName).toMatchObject({ ok: false, message: expect.stringMatching('certificate') });
    });
  }

  it('explains which setting for encryption does not fit', async () => {
    trust();
    expect(await open({ security: 'tls' }).test(call)).toEqual([
      expect.objectContaining({ ok: false, message: expect.stringMatching(/config\.security to starttls/) }),
    ]);
    expect(await open({ security: 'starttls' }).test(call)).toEqual([
      expect.objectContaining({ ok: false, message: expect.stringMatching(/config\.security to tls/) }),
    ]);
    await start({ tls: { ...CERTIFICATE, mode: 'starttls' } });
    const [plain] = await open({ security: 'none' }).test(call);
    expect(plain).toMatchObject({ ok: false });
  });

  it('never sends a password without encryption to a public address', async () => {
    const { egress } = host;
    const asPublic: typeof egress.connect = async (to) =>
      Object.defineProperty(await egress.connect(to), 'remoteAddress', { value: '203.0.113.5' });
    host = { ...host, egress: { ...egress, connect: asPublic } };
    const [check] = await open().test(call);
    expect(check).toMatchObject({ ok: false, message: expect.stringMatching('private addresses') });
    expect(server.requests).toEqual([]);
  });

  it('is closed after the connector', async () => {
    const connector = open();
    await list(connector);
    await connector.close?.();
    const before = performance.now();
    while (server.connections > 0 && performance.now() - before < timeLimit(2_000)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(server.connections).toBe(0);
  });

  it('uses at most three sessions', async () => {
    for (let n = 0; n < 20; n += 1) server.mailbox.append('INBOX', mail(`m${n}`));
    const connector = open();
    const refs = await list(connector);
    let most = 0;
    server.before(() => {
      most = Math.max(most, server.connections);
    });
    await Promise.all(refs.map((ref) => textOf(connector, ref)));
    expect(most).toBeLessThanOrEqual(3);
  });
});

describe('settings', () => {
  const issues = (config: object, credentials: object = { user: 'a@b', password: 'p' }) => {
    try {
      imapType.checkConfig({ host: 'mail.example.com', ...config });
      imapType.checkCredentials(credentials);
      return [];
    } catch (error) {
      return (error as { details: { issues: { path: string }[] } }).details.issues.map(({ path }) => path);
    }
  };

  it.each([
    [{ host: '/var/run/imap' }, ['config.host']],
    [{ port: 0 }, ['config.port']],
    [{ security: 'ssl' }, ['config.security']],
    [{ mailboxes: ['a@b'] }, ['config.delegation']],
    [{ delegation: 'master_user' }, ['config.mailboxes']],
    [{ mailboxes: ['a*b'], delegation: 'master_user' }, ['config.mailboxes[0]']],
    [{ since: '2026-02-30' }, ['config.since']],
    [{ principals: ['ada'] }, ['config.principals[0]']],
    [{}, []],
  ])('name the invalid field: %j', (config, expected) => {
    expect(issues(config)).toEqual(expected);
  });

  it('reject passwords with line breaks', () => {
    expect(issues({}, { user: 'a@b', password: 'p\r\nA1 LOGOUT' })).toEqual(['credentials.password']);
  });
});

describe('the emulator', () => {
  it('rejects what the standard does not allow', async () => {
    server.mailbox.append('INBOX', mail('a'));
    const socket = connect(server.port, server.host);
    let received = '';
    socket.on('data', (piece) => {
      received += piece.toString();
    });
    const login = Buffer.from(`\0${server.user}\0${server.password}`).toString('base64');
    const lines = [
      'a1 UID FETCH 1 (FLAGS)',
      'a1 NOOP',
      'a2 LOGIN x y',
      `a3 AUTHENTICATE PLAIN ${login}`,
      'a4 UID FETCH 1 (FLAGS)',
      'a5 EXAMINE None',
      'a6 EXAMINE INBOX',
      'a7 UID FETCH 0 (FLAGS)',
      'a8 UID FETCH 1 (FLAGS',
      'a9 UID FETCH 1 (UNKNOWN)',
      'b1 UID SEARCH MODSEQ 1',
      'b2 STORE 1 +FLAGS (\\Seen)',
      'b3 UID SEARCH UNDELETED',
      'b4 LOGOUT',
    ];
    socket.write(`${lines.join('\r\n')}\r\n`);
    await once(socket, 'end');
    const statusOf = (tag: string) => new RegExp(`^${tag} (OK|NO|BAD)`, 'm').exec(received)?.[1];
    const statuses = lines.map((line) => [line.slice(0, 2), statusOf(line.slice(0, 2))]);
    expect(Object.fromEntries(statuses)).toEqual({
      ...{ a1: 'BAD', a2: 'BAD', a3: 'OK', a4: 'BAD', a5: 'NO', a6: 'OK', a7: 'BAD', a8: 'BAD', a9: 'BAD' },
      ...{ b1: 'BAD', b2: 'BAD', b3: 'OK', b4: 'OK' },
    });
    expect(received).toContain('* BAD A command needs a new tag');
  });
});
