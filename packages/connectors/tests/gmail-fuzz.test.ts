import { describe, expect, it } from '@jest/globals';
import { type GmailMailbox, type GmailServer, runCount, startGmailServer } from '@lectern/testing';
import fc from 'fast-check';
import type { Connector } from '#connector';
import { gmailType } from '#gmail/gmail-type';
import { publicAddresses } from '#host';
import { type SourceEvent, type SourceRef, UNREADABLE_ENTRY } from '#source';
import { SourceError } from '#source-error';
import { openType } from './support/open-type.ts';
import { call, collect, textOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

const USERS = ['100000001', '100000002', '100000003'] as const;
const SHARED = 'bob@example.com';
const READERS = ['user:helper@example.com', 'group:domain:partner.example'];

/** One step of a history. Numbers wrap around. */
interface Step {
  readonly how:
    | 'deliver'
    | 'reply'
    | 'attach'
    | 'label'
    | 'unlabel'
    | 'trash'
    | 'restore'
    | 'remove'
    | 'expire'
    | 'suspend'
    | 'activate'
    | 'leave'
    | 'rename'
    | 'alias'
    | 'off'
    | 'rename label'
    | 'delete label'
    | 'sync'
    | 'sync all';
  readonly user: number;
  readonly message: number;
  readonly label: number;
}

const steps = fc.array(
  fc.record({
    how: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<Step['how'][]>('deliver', 'reply', 'attach') },
      { weight: 7, arbitrary: fc.constantFrom<Step['how'][]>('label', 'unlabel', 'trash', 'restore', 'remove') },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Step['how'][]>('expire', 'suspend', 'activate', 'leave', 'rename', 'alias', 'off'),
      },
      { weight: 1, arbitrary: fc.constantFrom<Step['how'][]>('rename label', 'delete label') },
      { weight: 5, arbitrary: fc.constantFrom<Step['how'][]>('sync', 'sync', 'sync', 'sync all') },
    ),
    // Most steps concern one user, so that they concern the same messages.
    user: fc.constantFrom(0, 1, 1, 1, 2),
    message: fc.nat(1_000),
    // Most labels are those that select threads.
    label: fc.constantFrom(0, 0, 1, 2, 2, 2, 3, 4, 5),
  }),
  { minLength: 5, maxLength: 40 },
);

const CONFIGS = [
  {},
  { labels: ['clients'] },
  { labels: ['Clients', 'STARRED'], excludeLabels: [] },
  { excludeLabels: ['Private', 'CATEGORY_PROMOTIONS'] },
  { query: 'is:starred' },
  { query: 'from:zoe OR is:starred', labels: ['Clients'] },
  { query: 'is:starred', labels: ['Clients', 'Private'] },
] as const;

const configs = fc.oneof(
  fc.constantFrom(...CONFIGS),
  fc.constantFrom(...CONFIGS.filter((config) => 'query' in config)),
);

interface Expected {
  readonly ids: ReadonlySet<string>;
  /** The names of the labels of each thread. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
  /** The words of the messages of each thread. */
  readonly words: ReadonlyMap<string, readonly string[]>;
}

/** Lists a mailbox by brute force. */
function expectedOf(mailbox: GmailMailbox, user: string, config: (typeof CONFIGS)[number]): Expected {
  const labelOf = (name: string) =>
    [...mailbox.labels.values()].find((label) => label.name.toLowerCase() === name.toLowerCase())?.id ?? name;
  const included = 'labels' in config ? config.labels.map(labelOf) : undefined;
  const excluded = ('excludeLabels' in config ? config.excludeLabels : ['CATEGORY_PROMOTIONS', 'CATEGORY_SOCIAL']).map(
    labelOf,
  );
  const ids = new Set<string>();
  const labels = new Map<string, readonly string[]>();
  const words = new Map<string, readonly string[]>();
  for (const threadId of new Set([...mailbox.messages.values()].map((message) => message.threadId))) {
    const live = mailbox
      .thread(threadId)
      .filter(({ labelIds }) => !['SPAM', 'TRASH', 'DRAFT', 'CHAT'].some((label) => labelIds.includes(label)));
    const isWanted = ({ labelIds }: { readonly labelIds: readonly string[] }) =>
      (included === undefined || included.some((label) => labelIds.includes(label))) &&
      (!('query' in config) || labelIds.includes('STARRED'));
    if (!live.some(isWanted) || live.some(({ labelIds }) => labelIds.some((label) => excluded.includes(label))))
      continue;
    ids.add(`${user}/${threadId}`);
    words.set(
      `${user}/${threadId}`,
      live.map((message) => message.headers.Subject!),
    );
    const names = live.flatMap(({ labelIds }) => labelIds.map((id) => mailbox.labels.get(id)));
    labels.set(
      `${user}/${threadId}`,
      [...new Set(names.flatMap((label) => (label?.type === 'user' ? [label.name] : [])))].sort(),
    );
    for (const { id, body } of live) {
      if (body.mimeType === 'multipart/mixed') ids.add(`${user}/${threadId}/${id}/2`);
    }
  }
  return { ids, labels, words };
}

interface Entry {
  readonly version: string | undefined;
  readonly text: string;
  readonly labels: unknown;
  readonly readers: readonly string[];
}

/** Syncs like the connector service. */
class Index {
  readonly entries = new Map<string, Entry>();
  cursor: string | undefined;

  async sync(source: Connector, isFull: boolean): Promise<void> {
    if (!isFull && this.cursor !== undefined) {
      try {
        const found = new Map<string, SourceEvent>();
        let cursor = this.cursor;
        for await (const event of source.changes!(call, cursor)) {
          if (event.type === 'checkpoint') cursor = event.at;
          else if (event.type === 'item') found.set(event.ref.id, event);
          else if (event.type === 'gone') found.set(event.id, event);
        }
        for (const [id, event] of found) {
          if (event.type === 'item') await this.store(source, event.ref);
          else this.entries.delete(id);
        }
        this.cursor = cursor;
        return;
      } catch (error) {
        if (!(error instanceof SourceError) || error.kind !== 'gone') throw error;
      }
    }
    await this.list(source);
  }

  async list(source: Connector): Promise<void> {
    this.cursor = await source.cursor!(call);
    const events = await collect(source.list(call));
    const listed = events.flatMap((event) => (event.type === 'item' ? [event.ref] : []));
    for (const ref of listed) await this.store(source, ref);
    const end = events.at(-1);
    if (end?.type !== 'complete') throw new Error('A listing ends with `complete`.');
    const isWhole = !events.some((event) => event.type === 'failed' && event.error.code === UNREADABLE_ENTRY);
    const known = new Set(listed.map(({ id }) => id));
    for (const id of end.authoritative && isWhole ? [...this.entries.keys()] : []) {
      if (known.has(id)) continue;
      const ref = await source.resolve(call, id).catch((error: unknown) => {
        if (!(error instanceof SourceError) || error.kind !== 'forbidden') throw error;
        return undefined;
      });
      if (ref === null) this.entries.delete(id);
      else if (ref !== undefined) await this.store(source, ref);
    }
    const refs = [...this.entries.keys()].map((id) => ({ id, path: id, title: id }));
    for (const { id, principals } of await collect(source.permissions!(call, refs))) {
      this.entries.set(id, { ...this.entries.get(id)!, readers: principals });
    }
  }

  async store(source: Connector, ref: SourceRef): Promise<void> {
    const known = this.entries.get(ref.id);
    const isNew = known === undefined || known.version !== ref.version;
    const text = isNew ? await textOf(source, ref) : known.text;
    const labels = isNew ? (await source.fetch(call, ref)).metadata?.labels : known.labels;
    const [readers] = await collect(source.permissions!(call, [ref]));
    this.entries.set(ref.id, { version: ref.version, text, labels, readers: readers!.principals });
  }
}

class World {
  readonly server: GmailServer;
  readonly host: TestHost;
  readonly labels: ReadonlyMap<string, readonly string[]>;
  renames = 0;
  words = 0;

  constructor(server: GmailServer) {
    this.server = server;
    const { origin } = server;
    const addresses = { ...publicAddresses, gmail: origin, googleAdmin: origin, googleToken: `${origin}/token` };
    this.host = createTestHost({ addresses });
    server.directory.putUser({ id: USERS[1], primaryEmail: SHARED });
    server.directory.putUser({ id: USERS[2], primaryEmail: 'carl@example.com' });
    this.labels = new Map(
      USERS.map((user) => {
        const own = ['Clients', 'Private'].map((name) => server.mailbox(user).addLabel(name));
        return [user, [...own, 'STARRED', 'CATEGORY_PROMOTIONS', 'SPAM', 'UNREAD']] as const;
      }),
    );
  }

  word(): string {
    this.words += 1;
    return `word${this.words}end`;
  }

  apply({ how, user, message, label }: Step): void {
    const { directory } = this.server;
    const id = USERS[user]!;
    const mailbox = this.server.mailbox(id);
    const all = [...mailbox.messages.values()];
    const target = all[message % Math.max(all.length, 1)];
    const wanted = this.labels.get(id)![label]!;
    const chosen = mailbox.labels.has(wanted) ? wanted : 'STARRED';
    const person = directory.users.get(id);
    const subject = this.word();
    // Not every message has an id that a search can name.
    const messageId = ['<a (b) {c}@else.example>', null, '<"d" e@else.example>'][message % 9];
    const unnamed = messageId === undefined ? {} : { messageId };
    if (how === 'deliver')
      mailbox.deliver({ subject, text: subject, labelIds: label < 3 ? ['INBOX', chosen] : ['INBOX'], ...unnamed });
    else if (how === 'rename label' && mailbox.labels.get(chosen)?.type === 'user') {
      const { name } = mailbox.labels.get(chosen)!;
      mailbox.renameLabel(chosen, name.endsWith(' (old)') ? name.slice(0, -6) : `${name} (old)`);
    } else if (how === 'delete label' && mailbox.labels.get(chosen)?.type === 'user') mailbox.removeLabel(chosen);
    else if (how === 'attach') {
      const attachments = [
        { mimeType: 'image/png', filename: 'logo.png', content: 'x' },
        { mimeType: 'text/plain', filename: 'note.txt', content: subject },
      ];
      mailbox.deliver({
        subject,
        text: subject,
        attachments,
        ...(target && label > 2 ? { threadId: target.threadId } : {}),
      });
    } else if (how === 'expire') mailbox.expireHistory();
    else if (how === 'off') mailbox.turnOff(!mailbox.isOff);
    else if (how === 'activate')
      directory.putUser({ id, primaryEmail: person?.primaryEmail ?? `new${user}@example.com`, suspended: false });
    else if (target !== undefined && how === 'reply')
      mailbox.deliver({
        ...{ subject, text: `${subject}\n> ${target.headers.Subject}`, threadId: target.threadId },
        ...unnamed,
      });
    else if (target !== undefined && how === 'label') mailbox.label(target.id, { add: [chosen] });
    else if (target !== undefined && how === 'unlabel') mailbox.label(target.id, { remove: [chosen] });
    else if (target !== undefined && how === 'trash') mailbox.trash(target.id);
    else if (target !== undefined && how === 'restore') mailbox.label(target.id, { remove: ['TRASH', 'SPAM'] });
    else if (target !== undefined && how === 'remove') mailbox.remove(target.id);
    // The administrator stays.
    else if (user === 0 || person === undefined) return;
    else if (how === 'suspend') directory.putUser({ id, primaryEmail: person.primaryEmail, suspended: true });
    else if (how === 'leave') directory.removeUser(id);
    else if (how === 'alias')
      directory.putUser({ id, primaryEmail: person.primaryEmail, aliases: [`alias${label}@example.com`] });
    else if (how === 'rename') {
      // Another user can get the address later.
      this.renames += 1;
      const free = ['bob', 'carl', 'dora', 'emil'].map((name) => `${name}@example.com`);
      const next = free[(label + this.renames) % free.length]!;
      const isTaken = [...directory.users.values()].some(({ primaryEmail }) => primaryEmail === next);
      if (!isTaken) directory.putUser({ id, primaryEmail: next });
    }
  }
}

describe('the index of mailboxes', () => {
  it('equals a listing by brute force after each sync, and shows a document only to its owner and configured readers', async () => {
    await fc.assert(
      fc.asyncProperty(steps, configs, fc.boolean(), async (history, config, isShared) => {
        const world = new World(await startGmailServer({ pageSize: 3 }));
        const { server, host } = world;
        const settings = { ...config, ...(isShared ? { sharedMailboxes: `${SHARED}: ${READERS.join(', ')}` } : {}) };
        const open = () =>
          openType(
            gmailType,
            settings,
            { serviceAccountKey: server.delegation.keyFile(), adminEmail: 'ada@example.com' },
            host,
          );
        const index = new Index();
        try {
          for (const step of [...history, { how: 'sync', user: 0, message: 0, label: 0 } as const]) {
            world.apply(step);
            if (step.how !== 'sync' && step.how !== 'sync all') continue;
            const before = new Set(index.entries.keys());
            await index.sync(open(), step.how === 'sync all');
            for (const user of USERS) {
              const person = server.directory.users.get(user);
              const mine = [...index.entries].filter(([id]) => id.startsWith(`${user}/`));
              const ids = mine.map(([id]) => id).sort();
              if (person === undefined) {
                expect(ids).toEqual([]);
                continue;
              }
              const owner = `user:${person.primaryEmail}`;
              const readers = isShared && person.primaryEmail === SHARED ? [owner, ...READERS] : [owner];
              for (const [id, entry] of mine) expect([id, entry.readers]).toEqual([id, readers]);
              const mailbox = server.mailbox(user);
              if (person.suspended || mailbox.isOff) {
                expect(ids).toEqual([...before].filter((id) => id.startsWith(`${user}/`)).sort());
                continue;
              }
              const { ids: expected, labels, words } = expectedOf(mailbox, user, config);
              expect(ids).toEqual([...expected].sort());
              for (const [id, { text, labels: shown }] of mine) {
                const wanted = words.get(id);
                if (wanted === undefined) continue;
                expect([id, shown ?? []]).toEqual([id, labels.get(id)]);
                expect(new Set(text.match(/word\d+end/g))).toEqual(
                  new Set([...wanted, ...new Set(text.match(/(?<=&gt; )word\d+end/g))]),
                );
              }
            }
          }
        } finally {
          await host.close();
          await server.stop();
        }
      }),
      { numRuns: runCount({ quick: 30, full: 300 }) },
    );
  });
});
