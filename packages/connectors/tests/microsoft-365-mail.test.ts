import { afterEach, describe, expect, it } from '@jest/globals';
import { microsoft365Type } from '#microsoft-365/microsoft-365-type';
import { failuresOf, siteOf, startTenant, stopTenants } from './support/graph-tenant.ts';
import { call, collect, collectUntilError, idsOf, refsOf, textOf, titlesOf } from './support/read-source.ts';

afterEach(stopTenants);

const HELP = { sharedMailboxes: 'help@example.com' };

/** Starts a tenant with one shared mailbox. */
async function start(options: Parameters<typeof startTenant>[0] = {}) {
  const tenant = await startTenant(options);
  const { model } = tenant;
  const help = model.addUser('Help', { accountEnabled: false });
  model.mail.addMailbox(help.id);
  return { ...tenant, mail: model.mail, help };
}

describe('the settings of mailboxes', () => {
  const check = (config: unknown) => () => microsoft365Type.checkConfig(config);

  it('name users, groups, folders and a day, and a mailbox is shared or private', () => {
    const config = {
      sharedMailboxes: 'Help@Example.com',
      mailFolders: ['Inbox', '!Inbox/Old'],
      mailSince: '2026-01-31',
    };
    expect(check(config)()).toMatchObject({ ...config, sharedMailboxes: ['help@example.com'] });
    for (const [wrong, path] of [
      [{ sharedMailboxes: 'all' }, 'config.sharedMailboxes[0]'],
      [{ sharedMailboxes: 'help' }, 'config.sharedMailboxes[0]'],
      [{ sharedMailboxes: 'a@example.com', mailboxes: ['A@example.com'] }, 'config.mailboxes'],
      [{ mailboxes: 'a@example.com', mailSince: 'yesterday' }, 'config.mailSince'],
      [{ mailboxReaders: 'a@example.com' }, 'config.sites'],
      [{ mailboxes: 'a@example.com', mailboxReaders: 'public' }, 'config.mailboxReaders[0]'],
    ] as const) {
      try {
        check(wrong)();
        throw new Error('The settings were accepted.');
      } catch (error) {
        expect(error).toMatchObject({ details: { issues: [{ path }] } });
      }
    }
  });
});

describe('the messages of a mailbox', () => {
  it('are documents with sender, recipients and text, without quotes and hidden recipients', async () => {
    const { mail, help, open } = await start();
    const archive = mail.wellKnown(help.id, 'archive').id;
    mail.deliver(help.id, 'RE: Invoice / May', { received: '2026-02-01T08:00:00Z', folderId: archive });
    const { id, received } = mail.deliver(help.id, 'Invoice / May', {
      body: '<p>Paid.</p><blockquote>On Monday you wrote: where is it?</blockquote>',
      uniqueBody: '<html><head><style>p{}</style></head><body><p>Paid.</p></body></html>',
    });
    const connector = open(HELP);
    const ref = refsOf(await collect(connector.list(call))).find(({ title }) => title === 'Invoice / May');
    expect(ref).toMatchObject({
      ...{ id: `mail/${help.id}/${id}`, path: 'help@example.com/Inbox/Invoice _ May', title: 'Invoice / May' },
      ...{
        author: 'Grace Hopper',
        mimeType: 'text/html',
        updatedAt: received,
        url: expect.stringContaining('https://'),
      },
    });
    const content = await connector.fetch(call, ref!);
    expect(content).toMatchObject({
      ...{ version: ref!.version, fileName: 'message.html' },
      metadata: {
        ...{ mailbox: 'help@example.com', folder: 'Inbox', from: 'grace@partner.example', to: ['help@example.com'] },
        ...{ sentAt: received, conversationId: 'conversation-Invoice / May' },
      },
    });
    const html = await textOf(connector, ref!);
    expect(html).toContain('<h1>Invoice / May</h1>');
    expect(html).toContain('From: Grace Hopper &lt;grace@partner.example&gt;');
    expect(html).toContain('<p>Paid.</p>');
    expect(html).not.toMatch(/On Monday|secret@example|p\{\}/);
    expect(await connector.resolve(call, ref!.id)).toEqual(ref);
  });

  it('have all their text if they only quote others, or are plain text', async () => {
    const { mail, help, open } = await start();
    mail.deliver(help.id, 'Forwarded', { body: '<p>The <i>original</i></p>', uniqueBody: '<div>&nbsp;</div>' });
    mail.deliver(help.id, '', { body: 'One <two>\r\n\r\nThree', contentType: 'text' });
    const connector = open(HELP);
    const refs = refsOf(await collect(connector.list(call)));
    const texts = await Promise.all(refs.map((ref) => textOf(connector, ref)));
    expect(texts.some((text) => text.includes('<p>The <i>original</i></p>'))).toBe(true);
    expect(texts.some((text) => text.includes('<p>One &lt;two&gt;</p><p>Three</p>'))).toBe(true);
    expect(refs.map(({ title }) => title).sort()).toEqual(['(no subject)', 'Forwarded']);
  });

  it('have the text that they forward, and quotes that no other document has', async () => {
    const { server, mail, help, open } = await start();
    const quote = {
      body: '<p>Please look.</p><blockquote>The original text.</blockquote>',
      uniqueBody: '<p>Please look.</p>',
    };
    const connector = open({ ...HELP, mailSince: '2026-01-01' });
    const deliver = (subject: string) => `mail/${help.id}/${mail.deliver(help.id, subject, quote).id}`;
    const hasQuote = async (id: string) => {
      const ref = (await connector.resolve(call, id))!;
      const html = await textOf(connector, ref);
      expect(html).toContain('<p>Please look.</p>');
      return html.includes('The original text.');
    };
    const original = mail.deliver(help.id, "It's here");
    for (const subject of ["FW: It's here", 'Fwd: x', 'WG: x', 'TR : x', '转发：x']) {
      expect(await hasQuote(deliver(subject))).toBe(true);
    }
    const answer = deliver("RE: It's here");
    expect(await hasQuote(answer)).toBe(false);
    // Other messages of the conversation do not count if they are later, old, deleted or unreadable.
    const alone = deliver('RE: Alone');
    mail.deliver(help.id, 'RE: Alone');
    mail.deliver(help.id, 'Alone', { received: '2020-01-01T00:00:00Z' });
    mail.deliver(help.id, 'Alone', {
      received: '2026-02-01T00:00:00Z',
      folderId: mail.wellKnown(help.id, 'deleteditems').id,
    });
    expect(await hasQuote(alone)).toBe(true);
    server.deny(/\/messages$/);
    expect(await hasQuote(answer)).toBe(true);
    server.deny(undefined);
    mail.remove(original.id);
    mail.deliver(help.id, "It's here", { received: '2026-02-01T00:00:00Z' });
    expect(await hasQuote(answer)).toBe(false);
  });

  it('of which only the read state changed are requested, and fail alone', async () => {
    const { server, mail, help, open } = await start();
    const [first, second] = [mail.deliver(help.id, 'First'), mail.deliver(help.id, 'Second')];
    const connector = open(HELP);
    const cursor = await connector.cursor!(call);
    for (const { id } of [first, second]) mail.toggleRead(id);
    const changes = await collect(connector.changes!(call, cursor));
    expect(failuresOf(changes)).toEqual([]);
    expect(idsOf(changes)).toEqual([first, second].map(({ id }) => `mail/${help.id}/${id}`));
    server.rewrite((answer, { path }) =>
      path.endsWith(`/messages/${first.id}`) ? { ...answer, body: '{"id": 1}' } : answer,
    );
    const events = await collect(connector.changes!(call, cursor));
    expect(failuresOf(events).map(({ id }) => id)).toEqual([`mail/${help.id}/${first.id}`]);
    expect(idsOf(events)).toEqual([`mail/${help.id}/${second.id}`]);
  });

  it('that are deleted do not request all folders again', async () => {
    const { server, mail, help, open } = await start();
    const deleted = mail.wellKnown(help.id, 'deleteditems').id;
    const inner = mail.addFolder(help.id, 'Project', deleted).id;
    const messages = Array.from({ length: 12 }, (_, n) => mail.deliver(help.id, `m${n}`));
    const connector = open(HELP);
    const cursor = await connector.cursor!(call);
    for (const [n, { id }] of messages.entries()) mail.move(id, n % 2 === 0 ? deleted : inner);
    const before = server.requests.length;
    const events = await collect(connector.changes!(call, cursor));
    expect(events.filter(({ type }) => type === 'gone')).toHaveLength(12);
    const loads = server.requests.slice(before).filter(({ path }) => path.endsWith(`/${help.id}/mailFolders`));
    // At the beginning, and once for the folder in Deleted Items.
    expect(loads).toHaveLength(2);
    // A new folder is found.
    const [message] = messages;
    mail.move(message!.id, mail.addFolder(help.id, 'New').id);
    expect(await connector.resolve(call, `mail/${help.id}/${message!.id}`)).not.toBeNull();
  });

  it('are in folders with English names in any language, and deleted ones need a pattern of their own', async () => {
    const { model, mail, open } = await start();
    const user = model.addUser('Hilfe');
    const names = ['Posteingang', 'Entwürfe', 'Gesendet', 'Gelöschte Elemente', 'Spam', 'Postausgang', 'Archiv'];
    mail.addMailbox(user.id, names);
    const idOf = (name: Parameters<typeof mail.wellKnown>[1]) => mail.wellKnown(user.id, name).id;
    const secret = mail.addFolder(user.id, 'Geheim', idOf('inbox')).id;
    const old = mail.addFolder(user.id, 'Alt', idOf('deleteditems')).id;
    for (const [subject, folderId] of [
      ['inbox', idOf('inbox')],
      ['secret', secret],
      ['sent', idOf('sentitems')],
      ['deleted', idOf('deleteditems')],
      ['old', old],
      ['junk', idOf('junkemail')],
      ['draft', idOf('drafts')],
    ] as const) {
      mail.deliver(user.id, subject, { folderId });
    }
    for (const [mailFolders, expected] of [
      [[], ['inbox', 'secret', 'sent']],
      [['**'], ['inbox', 'secret', 'sent']],
      [['*'], ['inbox', 'secret', 'sent']],
      [['**/Alt'], []],
      [['{Inbox,Deleted Items}'], ['inbox']],
      [['Inbox'], ['inbox', 'secret']],
      [['Posteingang'], ['inbox', 'secret']],
      [['!Inbox/Geheim'], ['inbox', 'sent']],
      [['!Posteingang/Geheim'], ['inbox', 'sent']],
      [['Inbox', '!Posteingang/Geheim'], ['inbox']],
      [['Deleted Items'], ['deleted', 'old']],
      [['Gelöschte Elemente/Alt'], ['old']],
      [['/Deleted Items/**', '!Deleted Items/Alt'], ['deleted']],
      [
        ['**', 'Junk Email'],
        ['inbox', 'junk', 'secret', 'sent'],
      ],
    ] as const) {
      const connector = open({ sharedMailboxes: 'hilfe@example.com', mailFolders });
      expect([mailFolders, await titlesOf(connector)]).toEqual([mailFolders, expected]);
    }
  });

  it('keep their id in another folder, and are gone in a folder that is left out', async () => {
    const { mail, help, open } = await start();
    const { id } = mail.deliver(help.id, 'Hello');
    const connector = open(HELP);
    const before = refsOf(await collect(connector.list(call)));
    mail.move(id, mail.addFolder(help.id, 'Done').id);
    const [after] = refsOf(await collect(connector.list(call)));
    expect(after).toMatchObject({ id: before[0]!.id, path: 'help@example.com/Done/Hello' });
    expect(after!.version).not.toBe(before[0]!.version);
    for (const name of ['deleteditems', 'junkemail', 'drafts'] as const) {
      mail.move(id, mail.wellKnown(help.id, name).id);
      expect(await titlesOf(connector)).toEqual([]);
      expect(await connector.resolve(call, after!.id)).toBeNull();
      await expect(connector.fetch(call, after!)).rejects.toMatchObject({ kind: 'gone' });
    }
  });

  it('are limited by folders and by a day', async () => {
    const { mail, help, open } = await start();
    const inbox = mail.wellKnown(help.id, 'inbox').id;
    const team = mail.addFolder(help.id, 'Team', inbox);
    const old = mail.addFolder(help.id, 'Old', team.id);
    mail.addFolder(help.id, 'Found', undefined, true);
    for (const [subject, folderId] of [
      ['inbox', inbox],
      ['team', team.id],
      ['old', old.id],
      ['junk', mail.wellKnown(help.id, 'junkemail').id],
    ] as const) {
      mail.deliver(help.id, subject, { folderId });
    }
    expect(await titlesOf(open(HELP))).toEqual(['inbox', 'old', 'team']);
    expect(await titlesOf(open({ ...HELP, mailFolders: 'Inbox/Team' }))).toEqual(['old', 'team']);
    expect(await titlesOf(open({ ...HELP, mailFolders: ['!Inbox/Team/Old'] }))).toEqual(['inbox', 'team']);
    expect(await titlesOf(open({ ...HELP, mailFolders: 'Junk Email' }))).toEqual(['junk']);
    const early = mail.deliver(help.id, 'early', { received: '2020-01-31T10:00:00Z' });
    expect(await titlesOf(open({ ...HELP, mailSince: '2020-02-01' }))).toEqual(['inbox', 'old', 'team']);
    expect(await titlesOf(open({ ...HELP, mailSince: '2020-01-31' }))).toEqual(['early', 'inbox', 'old', 'team']);
    const id = `mail/${help.id}/${early.id}`;
    expect(await open({ ...HELP, mailSince: '2020-02-01' }).resolve(call, id)).toBeNull();
  });

  it('request immutable ids with every request', async () => {
    const { server, mail, help, open } = await start({ pageSize: 2 });
    for (let n = 0; n < 5; n += 1) mail.deliver(help.id, `m${n}`, { attachments: [{ name: 'a.txt' }] });
    const connector = open(HELP);
    const refs = refsOf(await collect(connector.list(call)));
    for (const ref of refs) await textOf(connector, ref);
    const requests = server.requests.filter(({ path }) => /\/messages/.test(path));
    expect(requests.length).toBeGreaterThan(10);
    for (const { headers } of requests) expect(headers.prefer).toContain('IdType="ImmutableId"');
    const batches = server.requests.filter(({ path }) => path.endsWith('$batch'));
    for (const { body } of batches) {
      for (const { url, headers } of JSON.parse(body).requests) {
        if (url.includes('/attachments')) expect(headers.prefer).toContain('IdType="ImmutableId"');
      }
    }
  });
});

describe('the attachments of messages', () => {
  it('are items of their own, without pictures in the text, signatures and links', async () => {
    const { mail, help, open } = await start();
    const { id, attachments } = mail.deliver(help.id, 'Files', {
      attachments: [
        { name: 'report.txt', content: 'The report' },
        { name: 'logo.png', contentType: 'image/png', isInline: true },
        { name: 'photo.jpg', contentType: 'image/jpeg' },
        { name: 'image001.PNG', contentType: 'application/octet-stream', isInline: true },
        { name: 'invoice.pdf', contentType: 'application/pdf', isInline: true, content: 'An invoice' },
        { name: 'smime.p7s', contentType: 'application/pkcs7-signature' },
        { name: 'Shared.docx', kind: 'reference' },
        { name: 'Fwd: Hello', kind: 'item', contentType: null, content: 'Subject: Hello\r\n\r\nAn attached message' },
        { name: 'Meeting', kind: 'item', contentType: null, content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' },
        { name: 'Ada', kind: 'item', contentType: null, content: 'BEGIN:VCARD\r\nEND:VCARD' },
        { name: 'a/../b.txt', content: 'odd' },
      ],
    });
    const connector = open(HELP);
    const refs = refsOf(await collect(connector.list(call)));
    expect(refs.map(({ title }) => title)).toEqual([
      ...['Files', 'report.txt', 'invoice.pdf', 'Fwd: Hello', 'Meeting', 'Ada', 'a_.._b.txt'],
    ]);
    const [message, report, , attached, meeting, card] = refs;
    expect(report).toMatchObject({
      id: `mail/${help.id}/${id}/${attachments[0]!.id}`,
      path: 'help@example.com/Inbox/Files/report.txt',
      ...{ mimeType: 'text/plain', author: 'Grace Hopper' },
    });
    expect(await textOf(connector, report!)).toBe('The report');
    const names = await Promise.all(
      [attached, meeting, card].map(async (ref) => {
        const { fileName, body } = await connector.fetch(call, ref!);
        return [fileName, Buffer.concat(await collect(body)).toString()];
      }),
    );
    expect(names).toEqual([
      ['Fwd: Hello.eml', 'Subject: Hello\r\n\r\nAn attached message'],
      ['Meeting.ics', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR'],
      ['Ada.vcf', 'BEGIN:VCARD\r\nEND:VCARD'],
    ]);
    const html = await textOf(connector, message!);
    for (const name of ['report.txt', 'invoice.pdf', 'Shared.docx', 'Fwd: Hello'])
      expect(html).toContain(`Attachment: ${name}`);
    expect(html).not.toMatch(/logo\.png|image001/);
    expect(await connector.resolve(call, report!.id)).toEqual(report);
    expect(await connector.resolve(call, `mail/${help.id}/${id}/${attachments[1]!.id}`)).toBeNull();
    await expect(open(HELP, 20).fetch(call, report!)).rejects.toMatchObject({ kind: 'too_large' });
    expect((await collect(connector.permissions!(call, refs))).map(({ id: each }) => each)).toEqual(
      idsOf(refs.map((ref) => ({ type: 'item', ref }))),
    );
  });

  it('are read if all are marked as inline, as by Apple Mail, but not pictures in the text', async () => {
    const { mail, help, open } = await start();
    const logo = { name: 'logo.png', contentType: 'image/png', isInline: true };
    const contract = { name: 'contract.pdf', contentType: 'application/pdf', isInline: true, content: 'A contract' };
    const { id } = mail.deliver(help.id, 'Contract', { attachments: [logo, contract] });
    mail.deliver(help.id, 'Hello', { attachments: [logo] });
    const connector = open(HELP);
    const refs = refsOf(await collect(connector.list(call)));
    expect(refs.map(({ title }) => title).sort()).toEqual(['Contract', 'Hello', 'contract.pdf']);
    const byTitle = (title: string) => refs.find((ref) => ref.title === title)!;
    expect(await textOf(connector, byTitle('contract.pdf'))).toBe('A contract');
    expect(await textOf(connector, byTitle('Contract'))).toContain('Attachment: contract.pdf');
    const cursor = await connector.cursor!(call);
    mail.remove(id);
    const gone = (await collect(connector.changes!(call, cursor))).flatMap((event) =>
      event.type === 'gone' ? [event.id] : [],
    );
    expect(gone).toEqual(expect.arrayContaining([byTitle('Contract').id, byTitle('contract.pdf').id]));
  });

  it('are all read if their list has several pages', async () => {
    const { mail, help, open } = await start({ pageSize: 2 });
    const names = Array.from({ length: 7 }, (_, n) => `file${n}.txt`);
    mail.deliver(help.id, 'Files', { attachments: names.map((name) => ({ name })) });
    const connector = open(HELP);
    expect(await titlesOf(connector)).toEqual(['Files', ...names]);
    const refs = refsOf(await collect(connector.list(call)));
    const html = await textOf(connector, refs.find(({ title }) => title === 'Files')!);
    for (const name of names) expect(html).toContain(`Attachment: ${name}`);
  });

  it('are gone with their message, also in the change feed', async () => {
    const { mail, help, open } = await start();
    const { id, attachments } = mail.deliver(help.id, 'Files', { attachments: [{ name: 'a.txt' }, { name: 'b.txt' }] });
    const connector = open(HELP);
    const cursor = await connector.cursor!(call);
    const message = `mail/${help.id}/${id}`;
    mail.remove(id);
    const gone = (await collect(connector.changes!(call, cursor))).flatMap((event) =>
      event.type === 'gone' ? [event.id] : [],
    );
    expect(gone.sort()).toEqual([message, ...attachments.map((each) => `${message}/${each.id}`)].sort());
    // Of a message that no longer exists, they are unknown.
    const other = mail.deliver(help.id, 'Other');
    const last = await connector.cursor!(call);
    mail.purge(other.id);
    await expect(collect(connector.changes!(call, last))).rejects.toMatchObject({ kind: 'gone' });
  });

  it('fail alone if they are unreadable', async () => {
    const { server, mail, help, open } = await start();
    const { id } = mail.deliver(help.id, 'Files', { attachments: [{ name: 'a.txt' }] });
    mail.deliver(help.id, 'Others', { attachments: [{ name: 'b.txt' }] });
    server.deny(new RegExp(`${id}/attachments$`));
    const events = await collect(open(HELP).list(call));
    expect(
      refsOf(events)
        .map(({ title }) => title)
        .sort(),
    ).toEqual(['Files', 'Others', 'b.txt']);
    expect(failuresOf(events)).toEqual([
      { id: `mail/${help.id}/${id}/attachments`, message: expect.stringContaining('Mail.Read') },
    ]);
  });
});

describe('the mailboxes of a connector', () => {
  it('name the missing permission, and keep what is indexed', async () => {
    const { server, model, mail, open } = await start();
    const users = Array.from({ length: 6 }, (_, n) => model.addUser(`User${n}`));
    for (const { id } of users) mail.addMailbox(id);
    const config = { mailboxes: users.map(({ userPrincipalName }) => userPrincipalName) };
    for (const paths of [/mailFolders/, /messages/]) {
      server.deny(paths);
      const { reported, error } = await collectUntilError(open(config).list(call));
      expect(error).toMatchObject({ kind: 'forbidden', message: expect.stringContaining('Mail.Read') });
      expect(reported.some(({ type }) => type === 'complete')).toBe(false);
    }
    // One mailbox that the policy of the application leaves out.
    server.deny(new RegExp(`${users[0]!.id}/mailFolders`));
    for (const { id } of users) mail.deliver(id, `of ${id}`);
    const events = await collect(open(config).list(call));
    expect(refsOf(events)).toHaveLength(5);
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
  });

  it('are not deleted if the list of members of a group has an unreadable entry', async () => {
    const { server, model, mail, open } = await start();
    const [ada, bob] = [model.addUser('Ada'), model.addUser('Bob')];
    for (const { id } of [ada, bob]) {
      mail.addMailbox(id);
      mail.deliver(id, 'Hello');
    }
    const group = model.addGroup('Staff', { members: [ada.id, bob.id] });
    const connector = open({ mailboxGroups: group.id });
    const refs = refsOf(await collect(connector.list(call)));
    const cursor = await connector.cursor!(call);
    expect(refs).toHaveLength(2);
    server.rewrite((answer, { path }) =>
      path.endsWith('$batch')
        ? { ...answer, body: String(answer.body).replaceAll('"displayName":"Bob"', '"displayName":7') }
        : answer,
    );
    const events = await collect(connector.list(call));
    expect(refsOf(events)).toHaveLength(1);
    expect(failuresOf(events)).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
    await expect(connector.resolve(call, refs.find(({ id }) => id.includes(bob.id))!.id)).rejects.toMatchObject({
      kind: 'forbidden',
    });
    await expect(collect(connector.changes!(call, cursor))).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('are read if many others are denied', async () => {
    const { server, model, mail, open } = await start();
    const users = Array.from({ length: 6 }, (_, n) => model.addUser(`User${n}`));
    for (const { id } of users) {
      mail.addMailbox(id);
      mail.deliver(id, 'Hello');
    }
    const config = { mailboxes: users.map(({ userPrincipalName }) => userPrincipalName) };
    const last = users
      .map(({ id }) => id)
      .sort()
      .at(-1);
    server.deny(new RegExp(`(${users.flatMap(({ id }) => (id === last ? [] : [id])).join('|')})/mailFolders`));
    const events = await collect(open(config).list(call));
    expect(idsOf(events)).toEqual([expect.stringContaining(`mail/${last}/`)]);
    expect(failuresOf(events)).toHaveLength(5);
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
  });

  it('include those of the members of groups that have one', async () => {
    const { model, mail, open } = await start();
    const [ada, bob] = [model.addUser('Ada'), model.addUser('Bob')];
    mail.addMailbox(ada.id);
    mail.deliver(ada.id, 'To Ada');
    const group = model.addGroup('Staff', { members: [ada.id, bob.id] });
    const events = await collect(open({ mailboxGroups: group.id }).list(call));
    expect(refsOf(events).map(({ title }) => title)).toEqual(['To Ada']);
    expect(events.at(-1)).toMatchObject({ authoritative: true });
    const named = await collect(open({ mailboxes: 'bob@example.com' }).list(call));
    expect(named.at(-1)).toMatchObject({ authoritative: false });
  });

  it('of their users are private, and shared ones have the configured readers', async () => {
    const { server, model, mail, help, open } = await start();
    const ada = model.addUser('Ada');
    mail.addMailbox(ada.id);
    for (const { id } of [help, ada]) mail.deliver(id, 'Hello');
    const readers = model.addGroup('Support');
    const config = { ...HELP, mailboxes: 'ada@example.com', mailboxReaders: ['Bob@example.com', readers.id] };
    const read = async (settings: Record<string, unknown>) => {
      const connector = open(settings);
      const refs = refsOf(await collect(connector.list(call)));
      const found = await collect(connector.permissions!(call, refs));
      return new Map(found.map(({ id, principals }) => [id.split('/')[1], principals]));
    };
    const support = `group:microsoft_365:${siteOf(server)}/${readers.id}`;
    const own = `user:microsoft_365:${help.id}`;
    expect(await read(config)).toEqual(
      new Map([
        [ada.id, ['user:ada@example.com']],
        [help.id, [support, 'user:bob@example.com', own].sort()],
      ]),
    );
    expect((await read(HELP)).get(help.id)).toEqual([own]);
    expect((await open(config).test(call)).every(({ ok }) => ok)).toBe(true);
    const checks = await open({ ...HELP, mailboxReaders: ada.id }).test(call);
    expect(checks.at(-1)).toMatchObject({ ok: false, message: expect.stringContaining('mailboxReaders') });
    // A mailbox that the settings no longer name has no readers.
    const [ref] = refsOf(await collect(open({ mailboxes: 'ada@example.com' }).list(call)));
    expect(await collect(open(HELP).permissions!(call, [ref!]))).toEqual([{ id: ref!.id, principals: [] }]);
  });

  it('have no change feed with too many messages', async () => {
    const { server, open } = await start();
    server.rewrite((answer, { path }) =>
      path.endsWith('/mailFolders')
        ? { ...answer, body: String(answer.body).replaceAll('"totalItemCount":0', '"totalItemCount":99999') }
        : answer,
    );
    await expect(open(HELP).cursor!(call)).rejects.toMatchObject({ kind: 'invalid', message: /100000 messages/ });
  });
});
