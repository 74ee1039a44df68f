import { mailOf, startImapServer } from '@lectern/testing';
import { imapType } from '#imap/imap-type';
import { parseItemId } from '#imap/item-id';
import { runConformance } from './conformance/run-conformance.ts';
import type { SourceFault, TestSource } from './conformance/test-source.ts';
import { openType } from './support/open-type.ts';
import { call, collect, refsOf } from './support/read-source.ts';
import { createTestHost } from './support/test-host.ts';

/** Messages of a mailbox, alternately in two folders, with a copy of each in a third. */
async function start({ condstore }: { readonly condstore: boolean }): Promise<TestSource> {
  // The suite opens a connector for each example and leaves it open; its sessions end after ten seconds.
  const server = await startImapServer({ condstore, maxConnections: 1_000 });
  const host = createTestHost({ allow: `${server.host}:${server.port}` });
  const { mailbox } = server;
  mailbox.addFolder('Archive/Old');
  mailbox.addFolder('All Mail', { specialUse: '\\All' });
  mailbox.addFolder('Trash', { specialUse: '\\Trash' });
  mailbox.addFolder('Parent', { isSelectable: false });
  mailbox.append('Trash', mailOf({ subject: 'deleted', text: 'deleted', messageId: '<trash@example.com>' }));
  let number = 0;
  // The size is a part of what identifies a message, so all have the same.
  const padded = (text: string) => text.padEnd(2_000);
  const open: TestSource['open'] = (credentials) =>
    openType(
      imapType,
      { host: server.host, port: server.port, security: 'none' },
      { user: server.user, password: credentials === 'wrong' ? 'wrong' : server.password },
      host,
    );
  const idsBySubject = new Map<string, string>();
  const findCopies = (id: string) => {
    const name = parseItemId(id);
    const search = name?.search;
    return [...mailbox.folders.values()].flatMap(({ path, messages }) =>
      messages
        .filter(({ raw }) => search?.by === 'messageId' && raw.includes(`Message-ID: <${search.messageId}>`))
        .map(({ uid, raw }) => ({ path, uid, raw })),
    );
  };
  let requests = 0;
  server.before(() => {
    requests += 1;
  });
  return {
    open,
    add: async (wanted) => {
      const start = number;
      for (const { name, text } of wanted) {
        number += 1;
        const raw = mailOf({ subject: name, text: padded(text), messageId: `<m${number}@example.com>` });
        mailbox.append(number % 2 === 0 ? 'INBOX' : 'Archive/Old', raw);
        mailbox.append('All Mail', raw);
      }
      const refs = refsOf(await collect(open().list(call)));
      for (const { id } of refs) {
        const { search } = parseItemId(id) ?? {};
        if (search?.by === 'messageId') idsBySubject.set(search.messageId, id);
      }
      return wanted.map((_item, at) => idsBySubject.get(`m${start + at + 1}@example.com`) ?? '');
    },
    change: async (id, text) => {
      for (const { path, uid, raw } of findCopies(id)) {
        const subject = /^Subject: (.*)$/m.exec(raw.toString())?.[1]?.trim() ?? '';
        const messageId = /^Message-ID: (.*)$/m.exec(raw.toString())?.[1]?.trim();
        mailbox.expunge(path, uid);
        mailbox.append(path, mailOf({ subject, text: padded(text), messageId }));
      }
    },
    remove: async (id) => {
      for (const { path, uid } of findCopies(id)) mailbox.expunge(path, uid);
    },
    fail: (plan) =>
      server.fail(
        plan &&
          ((_request, at) => {
            const fault: SourceFault | undefined = plan(at);
            return fault?.kind === 'cut' ? { kind: 'truncated' } : fault;
          }),
      ),
    before: (listener) => {
      let at = 0;
      server.before(() => {
        requests += 1;
        at += 1;
        listener?.(at);
      });
    },
    requests: () => requests,
    rewrite: (change) => {
      let at = 0;
      server.rewrite(
        change &&
          ((answer) => {
            at += 1;
            return { body: change(answer.body, at) };
          }),
      );
    },
    stop: async () => {
      await server.stop();
      await host.close();
    },
  };
}

for (const condstore of [true, false]) {
  runConformance({
    type: `imap ${condstore ? 'with' : 'without'} CONDSTORE`,
    lacks: ['rename', 'tokens', 'writing'],
    feedReportsDeletions: false,
    start: () => start({ condstore }),
  });
}
