import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCount } from '@lectern/testing';
import { itIf } from '@lectern/testing/skip';
import fc from 'fast-check';
import { type SourceEvent, UNREADABLE_ENTRY } from '#source';
import { SourceError } from '#source-error';
import { call, collect, collectUntilError, idsOf, refsOf as itemsOf, textOf as read } from '../support/read-source.ts';
import { byId, idsBefore, isAuthoritative, items, lastCheckpoint, listed, sample, sorted } from './listing.ts';
import { corrupt, mutations } from './mutations.ts';
import type { Ability, SourceFault, TestSource, TestSourceType } from './test-source.ts';

const UNICODE = ['Über uns — „Äpfel“', '日本語の資料', 'ملاحظات', '🚀 launch & <plan> 100%+#1'];

/** Runs the tests that every type of connector must pass. */
export function runConformance(sourceType: TestSourceType): void {
  let source: TestSource;
  beforeEach(async () => {
    source = await sourceType.start();
  });
  afterEach(() => source.stop());

  const itWith = (...abilities: readonly Ability[]) => {
    const missing = abilities.filter((ability) => sourceType.lacks.includes(ability));
    return itIf(missing.length === 0, `${sourceType.type} has no ${missing.join(', ')}`);
  };

  describe(`${sourceType.type} conforms`, () => {
    it('lacks exactly the abilities that it declares as missing', () => {
      const connector = source.open();
      const has: Record<Ability, boolean> = {
        rename: source.rename !== undefined,
        requests: source.fail !== undefined && source.rewrite !== undefined && source.requests !== undefined,
        tokens: source.expireTokens !== undefined && source.renewals !== undefined,
        'change feed': connector.cursor !== undefined && connector.changes !== undefined,
        permissions: connector.permissions !== undefined,
        writing: connector.put !== undefined && connector.remove !== undefined,
      };
      const missing = Object.entries(has).flatMap(([ability, isThere]) => (isThere ? [] : [ability]));
      expect(missing).toEqual(sourceType.lacks);
    });

    it('lists nothing from an empty source, and reports the listing as authoritative', async () => {
      const events = await collect(source.open().list(call));
      expect(itemsOf(events)).toEqual([]);
      expect(isAuthoritative(events)).toBe(true);
    });

    it('lists and reads all items, and finds each by its id', async () => {
      const wanted = [...items(3), ...UNICODE.map((name) => ({ name, text: `in ${name}: čeština, 中文 🎉` }))];
      const ids = await source.add(wanted);
      const connector = source.open();
      const events = await collect(connector.list(call));
      expect(listed(events, sourceType)).toEqual(sorted(ids));
      expect(isAuthoritative(events)).toBe(true);
      const refs = byId(events);
      for (const [n, id] of ids.entries()) {
        const ref = refs.get(id)!;
        expect(await read(connector, ref)).toContain(wanted[n]!.text);
        if (sourceType.showsName !== false) expect(`${ref.title} ${ref.path}`).toContain(wanted[n]!.name);
        expect(ref.title).not.toBe('');
        expect(JSON.parse(JSON.stringify(ref))).toEqual({ ...ref });
        expect(await connector.resolve(call, id)).toMatchObject({ id, version: ref.version });
      }
      expect(await connector.resolve(call, `${ids[0]}-none`)).toBeNull();
    });

    itWith('requests')('reports an unreadable entry, and lists all others', async () => {
      const ids = await source.add(items(12));
      const before = source.requests!();
      await collect(source.open().list(call));
      const responses = source.requests!() - before;
      await fc.assert(
        fc.asyncProperty(mutations, async (mutation) => {
          source.rewrite?.((body, number) =>
            number === 1 + (mutation.response % responses) ? corrupt(body, mutation) : body,
          );
          const { reported, error } = await collectUntilError(source.open().list(call));
          source.rewrite?.();
          expect(error).toBeUndefined();
          const end = reported.at(-1);
          if (end?.type !== 'complete') throw new Error('A listing ends with `complete`.');
          const listedIds = new Set(idsOf(reported));
          const missing = ids.filter((id) => !listedIds.has(id));
          if (mutation.how === 'extra field') expect(missing).toEqual([]);
          const failed = reported.flatMap((event) => (event.type === 'failed' ? [event] : []));
          const canDelete = end.authoritative && !failed.some(({ error: { code } }) => code === UNREADABLE_ENTRY);
          const unnamed = canDelete ? missing.filter((id) => !failed.some((event) => event.id === id)) : [];
          // With `confirmGone`, each missing item is looked up before it is deleted.
          const lost = end.confirmGone === true ? [] : unnamed;
          // Another text can change an entry's meaning, for example turn a file into a folder.
          expect(lost.length).toBeLessThanOrEqual(mutation.how === 'other text' ? 1 : 0);
          for (const id of unnamed) expect(await source.open().resolve(call, id)).not.toBeNull();
        }),
        { numRuns: runCount({ quick: 30, full: 120 }) },
      );
    });

    itWith('requests', 'permissions')('gives no access if the readers are unknown', async () => {
      const open = source.open();
      await source.add(items(4));
      const refs = itemsOf(await collect(open.list(call)));
      const read = async () => {
        const connector = source.open();
        const readers = await collect(connector.permissions!(call, refs));
        const groups = connector.groups === undefined ? [] : await collect(connector.groups(call));
        return { readers, groups };
      };
      const before = source.requests!();
      const unmodified = await read();
      const responses = source.requests!() - before;
      const publicIds = new Set(
        unmodified.readers.flatMap(({ id, principals }) => (principals.includes('public') ? [id] : [])),
      );
      await fc.assert(
        fc.asyncProperty(mutations, async (mutation) => {
          source.rewrite?.((body, number) =>
            number === 1 + (mutation.response % responses) ? corrupt(body, mutation) : body,
          );
          const found = await read().catch((error: unknown) => {
            if (!(error instanceof SourceError)) throw error;
            expect(['invalid', 'gone', 'forbidden']).toContain(error.kind);
            return undefined;
          });
          source.rewrite?.();
          if (found === undefined) return;
          for (const { id, principals } of found.readers) {
            if (!publicIds.has(id)) expect(principals).not.toContain('public');
          }
        }),
        { numRuns: runCount({ quick: 20, full: 80 }) },
      );
    });

    it('changes the version of exactly the changed items', async () => {
      const [unchanged, changed, removed] = await source.add(items(3));
      const connector = source.open();
      const before = byId(await collect(connector.list(call)));
      await source.change(changed!, 'another text');
      await source.remove(removed!);
      const [added] = await source.add([{ name: 'late', text: 'late text' }]);
      const events = await collect(connector.list(call));
      const after = byId(events);
      expect(listed(events, sourceType)).toEqual(sorted([unchanged!, changed!, added!]));
      expect(after.get(unchanged!)!.version).toBe(before.get(unchanged!)!.version);
      expect(after.get(changed!)!.version).not.toBe(before.get(changed!)!.version);
      expect(await read(connector, after.get(changed!)!)).toContain('another text');
      expect(await connector.resolve(call, removed!)).toBeNull();
      const reading = read(connector, before.get(removed!)!);
      if (sourceType.keepsRemoved === true) expect(await reading).toContain('text of');
      else await expect(reading).rejects.toMatchObject({ kind: 'gone' });
    });

    itWith('rename')('follows a rename', async () => {
      const [first, other] = await source.add(items(2));
      const connector = source.open();
      const before = byId(await collect(connector.list(call)));
      const renamed = await source.rename!(first!, 'renamed');
      expect(renamed === first).toBe(sourceType.keepsIdOnRename === true);
      const events = await collect(connector.list(call));
      expect(listed(events, sourceType)).toEqual(sorted([renamed, other!]));
      const ref = byId(events).get(renamed)!;
      expect(`${ref.title} ${ref.path}`).toContain('renamed');
      if (renamed === first) expect(ref.version).not.toBe(before.get(first)!.version);
      expect(await read(connector, ref)).toContain('text of item 0');
    });

    it('resumes from every checkpoint with exactly the rest', async () => {
      await source.add(items(40));
      const connector = source.open();
      const events = await collect(connector.list(call));
      const allIds = listed(events, sourceType);
      for (const event of events) {
        if (event.type !== 'checkpoint') continue;
        // Another process would resume with another connector.
        const rest = await collect(source.open().list(call, event.at));
        expect(isAuthoritative(rest)).toBe(true);
        expect(sorted(new Set([...idsBefore(events, event.at), ...idsOf(rest)]))).toEqual(allIds);
        if (sourceType.repeats !== true)
          expect(idsOf(rest)).toHaveLength(allIds.length - idsBefore(events, event.at).length);
      }
    });

    const FAULTS: readonly [string, SourceFault, string[]][] = [
      ['a fault', { kind: 'status', status: 500 }, ['transient']],
      ['a truncated response', { kind: 'cut' }, ['transient']],
      ['a long rate limit', { kind: 'status', status: 429, retryAfter: '3600' }, ['rate']],
    ];
    for (const [name, fault, kinds] of FAULTS) {
      itWith('requests')(
        `resumes after ${name} at any request, and never reports an interrupted listing as complete`,
        async () => {
          await source.add(items(40));
          const before = source.requests!();
          const allIds = listed(await collect(source.open().list(call)), sourceType);
          // Retrying a fault takes a second; a long rate limit ends the listing immediately.
          for (const at of sample(source.requests!() - before, kinds.includes('rate') ? 40 : 3)) {
            source.fail!((number) => (number >= at ? fault : undefined));
            const { reported, error } = await collectUntilError(source.open().list(call));
            source.fail!();
            expect(reported.some((event) => event.type === 'complete')).toBe(false);
            expect(kinds).toContain((error as { kind?: string }).kind);
            if (fault.kind === 'status' && fault.retryAfter !== undefined) {
              const waitMs = (error as { retryAt: Date }).retryAt.getTime() - Date.now();
              expect(waitMs).toBeGreaterThan(3_500_000);
            }
            const from = lastCheckpoint(reported);
            const rest = await collect(source.open().list(call, from));
            expect(isAuthoritative(rest)).toBe(true);
            expect(sorted(new Set([...idsBefore(reported, from), ...idsOf(rest)]))).toEqual(allIds);
          }
        },
      );
    }

    itWith('requests')('retries requests that fail temporarily', async () => {
      const ids = await source.add(items(20));
      source.fail!((number) => (number % 3 === 0 ? { kind: 'status', status: 429, retryAfter: '0' } : undefined));
      expect(listed(await collect(source.open().list(call)), sourceType)).toEqual(sorted(ids));
    });

    itWith('requests')('never accepts a truncated body', async () => {
      const [id] = await source.add([{ name: 'long', text: 'long text '.repeat(2_000) }]);
      const connector = source.open();
      const ref = byId(await collect(connector.list(call))).get(id!)!;
      source.fail!(() => ({ kind: 'cut' }));
      await expect(read(connector, ref)).rejects.toMatchObject({ kind: 'transient' });
      source.fail!();
      expect(await read(connector, ref)).toContain('long text long text');
    });

    itWith('requests')('lists unchanged items while the source changes between requests', async () => {
      const ids = await source.add(items(40));
      const [early, late] = [ids[2]!, ids[37]!];
      let change: Promise<unknown> | undefined;
      source.before!((number) => {
        if (number !== 2) return;
        source.before?.();
        change = Promise.all([source.remove(early), source.remove(late), source.add(items(3, 'new'))]);
      });
      const connector = source.open();
      const { reported, error } = await collectUntilError(connector.list(call));
      await change;
      const untouched = ids.filter((id) => id !== early && id !== late);
      if (error === undefined) {
        const last = reported.at(-1);
        expect(last?.type).toBe('complete');
        const missing = untouched.filter((id) => !idsOf(reported).includes(id));
        // If a listing can miss moved items, it sets `confirmGone`, and each missing item is looked
        // up.
        if (last?.type === 'complete' && last.authoritative && last.confirmGone !== true) expect(missing).toEqual([]);
        for (const id of missing) expect(await connector.resolve(call, id)).not.toBeNull();
      }
      expect(listed(await collect(connector.list(call)), sourceType)).toHaveLength(untouched.length + 3);
    });

    it('reports invalid credentials in a test and in a listing', async () => {
      await source.add(items(1));
      const good = await source.open().test(call);
      expect(good.every((check) => check.ok)).toBe(true);
      expect(good.length).toBeGreaterThan(0);
      if (sourceType.hasCredentials === false) return;
      const connector = source.open('wrong');
      const checks = await connector.test(call);
      expect(checks.at(-1)).toMatchObject({ ok: false, message: expect.stringMatching(/\w+/) });
      const { reported, error } = await collectUntilError(connector.list(call));
      expect(reported.some((event) => event.type === 'complete')).toBe(false);
      expect(error).toMatchObject({ name: 'SourceError', kind: 'auth' });
    });

    itWith('tokens')('continues with a new token after a single refresh', async () => {
      const ids = await source.add(items(20));
      const connector = source.open();
      const events: SourceEvent[] = [];
      const renewals = source.renewals!();
      for await (const event of connector.list(call)) {
        if (events.length === 0) source.expireTokens!();
        events.push(event);
      }
      expect(listed(events, sourceType)).toEqual(sorted(ids));
      source.expireTokens!();
      const refs = itemsOf(events).slice(0, 6);
      const texts = await Promise.all(refs.map((ref) => read(connector, ref)));
      expect(texts.every((text) => text.includes('text of item'))).toBe(true);
      expect(source.renewals!() - renewals).toBeLessThanOrEqual(2);
    });

    it('stops when its signal aborts', async () => {
      await source.add(items(10));
      const controller = new AbortController();
      controller.abort(new Error('cancelled'));
      await expect(collect(source.open().list({ signal: controller.signal }))).rejects.toThrow('cancelled');
    });

    itWith('change feed')('reports the same changes in its change feed as a listing', async () => {
      const connector = source.open();
      const [unchanged, changed, removed] = await source.add(items(3));
      const cursor = await connector.cursor!(call);
      await source.change(changed!, 'another text');
      await source.remove(removed!);
      const [added] = await source.add([{ name: 'late', text: 'late text' }]);
      const events = await collect(connector.changes!(call, cursor));
      expect(idsOf(events)).toEqual(expect.arrayContaining([changed, added]));
      const gone = events.flatMap((event) => (event.type === 'gone' ? [event.id] : []));
      if (sourceType.feedReportsDeletions !== false) expect(gone).toContain(removed);
      expect(gone).not.toContain(unchanged);
      expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
      const next = lastCheckpoint(events);
      expect(next).toBeDefined();
      await source.change(unchanged!, 'changed at last');
      expect(idsOf(await collect(connector.changes!(call, next!)))).toContain(unchanged);
    });

    itWith('permissions')('returns the readers of each item exactly once', async () => {
      const connector = source.open();
      await source.add(items(5));
      const refs = itemsOf(await collect(connector.list(call)));
      const readers = await collect(connector.permissions!(call, refs));
      expect(sorted(readers.map(({ id }) => id))).toEqual(sorted(refs.map(({ id }) => id)));
    });

    itWith('writing')('writes, replaces and removes files if it is writable', async () => {
      const connector = source.open();
      const put = (text: string) =>
        connector.put!(call, {
          path: 'sub folder/ü+&.md',
          body: (async function* () {
            yield Buffer.from(text);
          })(),
          sizeBytes: Buffer.byteLength(text),
          mimeType: 'text/markdown',
          metadata: {},
        });
      const first = await put('first');
      const second = await put('the second');
      expect(second.id).toBe(first.id);
      const events = await collect(connector.list(call));
      expect(listed(events, sourceType)).toEqual([first.id]);
      expect(byId(events).get(first.id)!.version).toBe(second.version);
      expect(await read(connector, second)).toBe('the second');
      await connector.remove!(call, first.id);
      await connector.remove!(call, first.id);
      expect(await connector.resolve(call, first.id)).toBeNull();
    });

    it('emits a checkpoint at least every 1,000 items', async () => {
      const many = sourceType.many ?? 2_500;
      const ids = await source.add(items(many, 'many'));
      let sinceCheckpoint = 0;
      let longest = 0;
      const seen = new Set<string>();
      for await (const event of source.open().list(call)) {
        if (event.type === 'item') seen.add(event.ref.id);
        sinceCheckpoint = event.type === 'checkpoint' ? 0 : sinceCheckpoint + 1;
        longest = Math.max(longest, sinceCheckpoint);
      }
      expect(sorted(seen)).toEqual(sorted(ids));
      expect(longest).toBeLessThanOrEqual(1_001);
    });
  });
}
