import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type GoogleDriveServer, startGoogleDriveServer } from '@lectern/testing';
import type { Connector } from '#connector';
import { googleDriveType } from '#google-drive/google-drive-type';
import { publicAddresses } from '#host';
import { call, collect, refsOf, textOf, titlesOf } from './support/read-source.ts';
import { createRefreshingTokens } from './support/refreshing-tokens.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

const GOOGLE = 'application/vnd.google-apps.';

let server: GoogleDriveServer;
let host: TestHost;
let drive: Connector;

beforeEach(async () => {
  server = await startGoogleDriveServer({ pageSize: 2 });
  const provider = googleDriveType.oauth!;
  host = createTestHost({
    addresses: { ...publicAddresses, google: server.origin },
    tokens: createRefreshingTokens(server, '/token', provider, server.oauth.grant()),
  });
  drive = googleDriveType.open({ config: {}, credentials: {}, host });
});

afterEach(async () => {
  await host.close();
  await server.stop();
});

describe('Google Drive', () => {
  it('lists My Drive and each shared drive once, without folders, shortcuts and trash', async () => {
    server.model.addDrive('d1', 'Sales');
    server.model.addDrive('d2', 'Empty');
    for (const id of ['a', 'b', 'c']) server.model.put({ id, name: `${id}.txt`, content: id });
    server.model.put({ id: 's1', name: 'Größe 東京.txt', driveId: 'd1' });
    server.model.put({ id: 'f', name: 'Folder', mimeType: `${GOOGLE}folder` });
    server.model.put({ id: 'g', name: 'Link', mimeType: `${GOOGLE}shortcut` });
    server.model.put({ id: 't', name: 'Old' });
    server.model.trash('t');
    const events = await collect(drive.list(call));
    expect(refsOf(events).map((ref) => ref.title)).toEqual(['a.txt', 'b.txt', 'c.txt', 'Größe 東京.txt']);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
    expect(refsOf(events)[0]).toMatchObject({
      id: 'a',
      author: 'Ada Lovelace',
      url: `${server.origin}/file/d/a/view`,
      sizeBytes: 1,
      version: '1',
      mimeType: 'text/plain',
    });
  });

  it('resumes from each checkpoint, even if its token has expired', async () => {
    server.model.addDrive('d1', 'Sales');
    for (let n = 0; n < 9; n += 1)
      server.model.put({ id: `f${n}`, name: `f${n}`, ...(n > 4 ? { driveId: 'd1' } : {}) });
    const events = await collect(drive.list(call));
    const checkpoints = events.flatMap((event) => (event.type === 'checkpoint' ? [event] : []));
    expect(checkpoints.length).toBeGreaterThan(3);
    for (const expired of [false, true]) {
      if (expired) server.expirePageTokens();
      for (const checkpoint of checkpoints) {
        const before = refsOf(events.slice(0, events.indexOf(checkpoint)));
        const after = await collect(drive.list(call, checkpoint.at));
        expect(new Set([...before, ...refsOf(after)].map((ref) => ref.id)).size).toBe(9);
        expect(after.at(-1)).toMatchObject({ type: 'complete', authoritative: true });
      }
    }
  });

  it('does not report a listing as authoritative if the search was incomplete', async () => {
    server.model.put({ id: 'a', name: 'a' });
    server.setIncompleteSearch(true);
    expect((await collect(drive.list(call))).at(-1)).toMatchObject({ type: 'complete', authoritative: false });
  });

  it('exports Google formats, and uses a smaller format if one is too large or not offered', async () => {
    const heavy = 'x'.repeat(10 * 1024 * 1024 + 1);
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const doc = (id: string, kind: string, exports: Record<string, string>) =>
      server.model.put({ id, name: id, mimeType: `${GOOGLE}${kind}`, exports });
    doc('doc', 'document', { 'text/markdown': '# Hi', 'text/plain': 'Hi', [docx]: 'zip' });
    doc('pictures', 'document', { 'text/markdown': heavy, 'text/plain': 'only text' });
    doc('sheet', 'spreadsheet', { 'text/csv': 'a,b' });
    doc('huge', 'spreadsheet', { [xlsx]: heavy });
    server.model.put({ id: 'form', name: 'form', mimeType: `${GOOGLE}form` });
    const refs = new Map(refsOf(await collect(drive.list(call))).map((ref) => [ref.id, ref]));
    expect([...refs.keys()].sort()).toEqual(['doc', 'huge', 'pictures', 'sheet']);
    const content = await drive.fetch(call, refs.get('doc')!);
    expect(content.fileName).toBe('doc.md');
    expect(Buffer.concat(await collect(content.body)).toString()).toBe('# Hi');
    expect(await textOf(drive, refs.get('pictures')!)).toBe('only text');
    expect(await textOf(drive, refs.get('sheet')!)).toBe('a,b');
    await expect(drive.fetch(call, refs.get('huge')!)).rejects.toMatchObject({ kind: 'too_large' });
  });

  it('reports what happened to a file between listing and reading', async () => {
    for (const id of ['removed', 'trashed', 'locked', 'cut']) server.model.put({ id, name: id, content: 'content' });
    const refs = new Map(refsOf(await collect(drive.list(call))).map((ref) => [ref.id, ref]));
    server.model.remove('removed');
    server.model.trash('trashed');
    server.model.put({ id: 'locked', name: 'locked', downloadable: false });
    for (const id of ['removed', 'trashed']) {
      await expect(drive.fetch(call, refs.get(id)!)).rejects.toMatchObject({ kind: 'gone' });
      expect(await drive.resolve(call, id)).toBeNull();
    }
    await expect(drive.fetch(call, refs.get('locked')!)).rejects.toMatchObject({ kind: 'forbidden' });
    server.fail((request) => (request.query.get('alt') === 'media' ? { kind: 'truncated' } : undefined));
    await expect(textOf(drive, refs.get('cut')!)).rejects.toMatchObject({ kind: 'transient' });
  });

  it('treats a 403 for too many requests as a rate limit with a time to retry', async () => {
    server.fail(() => ({ kind: 'status', status: 403, retryAfter: '120' }));
    const before = Date.now();
    const error = await collect(drive.list(call)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'rate', retryAt: expect.any(Date) });
    expect((error as { retryAt: Date }).retryAt.getTime()).toBeGreaterThanOrEqual(before + 119_000);
  });

  it('continues with a new token after a single refresh', async () => {
    for (let n = 0; n < 6; n += 1) server.model.put({ id: `f${n}`, name: `f${n}`, content: `${n}` });
    server.before((request) => {
      if (request.query.has('pageToken') && server.oauth.refreshes === 0) server.oauth.expireAccess();
    });
    const refs = refsOf(await collect(drive.list(call)));
    expect(refs).toHaveLength(6);
    expect(server.oauth.refreshes).toBe(1);
    server.before();
    server.oauth.expireAccess();
    expect(await Promise.all(refs.map((ref) => textOf(drive, ref)))).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(server.oauth.refreshes).toBe(2);
    server.oauth.revoke();
    await expect(titlesOf(drive)).rejects.toMatchObject({ kind: 'auth' });
  });

  it('returns the readers of files in My Drive and shared drives', async () => {
    server.model.addDrive('d1', 'Sales');
    const permissions = [
      { id: '1', type: 'user', role: 'owner', emailAddress: 'Ada@Example.com' },
      { id: '2', type: 'group', role: 'reader', emailAddress: 'team@example.com' },
      { id: '3', type: 'domain', role: 'reader', domain: 'example.com' },
      { id: '4', type: 'user', role: 'reader', emailAddress: 'left@example.com', deleted: true },
      {
        id: '5',
        type: 'user',
        role: 'reader',
        emailAddress: 'late@example.com',
        expirationTime: '2020-01-01T00:00:00Z',
      },
      { id: '6', type: 'user', role: 'reader', emailAddress: 'peek@example.com', view: 'metadata' },
    ] as const;
    server.model.put({ id: 'a', name: 'a', permissions });
    server.model.put({ id: 'b', name: 'b', driveId: 'd1', permissions: [{ id: '9', type: 'anyone', role: 'reader' }] });
    const refs = refsOf(await collect(drive.list(call)));
    expect(await collect(drive.permissions!(call, refs))).toEqual([
      {
        id: 'a',
        principals: ['user:ada@example.com', 'group:google_drive:team@example.com', 'group:domain:example.com'],
      },
      { id: 'b', principals: ['public'] },
    ]);
  });

  it('tests the connection and reports problems', async () => {
    expect(await drive.test(call)).toEqual([
      { name: 'authorization', ok: true, message: expect.any(String) },
      { name: 'files', ok: true, message: expect.any(String) },
    ]);
    server.oauth.revoke();
    expect(await drive.test(call)).toEqual([
      { name: 'authorization', ok: false, message: expect.any(String), kind: 'auth' },
    ]);
  });
});

describe("Google Drive's change feed", () => {
  it('lists files that were added, renamed, moved, trashed or removed since a cursor', async () => {
    server.model.addDrive('d1', 'Sales');
    for (const id of ['keep', 'rename', 'trash', 'remove', 'out']) server.model.put({ id, name: id });
    server.model.put({ id: 'in', name: 'in', driveId: 'd1' });
    const cursor = await drive.cursor!(call);
    server.model.put({ id: 'new', name: 'new' });
    server.model.rename('rename', 'renamed');
    server.model.trash('trash');
    server.model.remove('remove');
    server.model.move('out', 'd1');
    server.model.move('in', undefined);
    const events = await collect(drive.changes!(call, cursor));
    const state = new Map<string, string>();
    for (const event of events) {
      if (event.type === 'item') state.set(event.ref.id, event.ref.title);
      if (event.type === 'gone') state.set(event.id, 'gone');
    }
    expect(Object.fromEntries(state)).toEqual({
      new: 'new',
      rename: 'renamed',
      trash: 'gone',
      remove: 'gone',
      out: 'out',
      in: 'in',
    });
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: false });
    const last = events.flatMap((event) => (event.type === 'checkpoint' ? [event.at] : [])).at(-1);
    expect(refsOf(await collect(drive.changes!(call, last!)))).toEqual([]);
  });

  it('requires a full listing if a cursor has expired, or a folder or drive changed', async () => {
    server.model.put({ id: 'a', name: 'a' });
    server.model.put({ id: 'folder', name: 'folder', mimeType: `${GOOGLE}folder` });
    const cursors = [await drive.cursor!(call)];
    server.model.rename('folder', 'moved');
    await expect(collect(drive.changes!(call, cursors[0]!))).rejects.toMatchObject({ kind: 'gone' });
    const second = await drive.cursor!(call);
    server.model.addDrive('d9', 'New');
    await expect(collect(drive.changes!(call, second))).rejects.toMatchObject({ kind: 'gone' });
    const third = await drive.cursor!(call);
    server.model.rename('a', 'b');
    server.forgetChanges();
    await expect(collect(drive.changes!(call, third))).rejects.toMatchObject({ kind: 'gone' });
  });
});
