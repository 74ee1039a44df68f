import { afterEach, describe, expect, it } from '@jest/globals';
import { type GraphServer, type GraphServerOptions, runCount, startGraphServer } from '@lectern/testing';
import fc from 'fast-check';
import { granteesOf, Permission } from '#microsoft-365/files/permission';
import { microsoft365Type } from '#microsoft-365/microsoft-365-type';
import { createGraphErrorReader } from '#microsoft-365/read-error';
import type { SourceEvent } from '#source';
import { openType } from './support/open-type.ts';
import { call, collect, collectUntilError, idsOf, readBody, refsOf, textOf, titlesOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

const SITE = 'https://example.sharepoint.com/sites/marketing';

const servers: GraphServer[] = [];
const hosts: TestHost[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

const credentialsOf = ({ tenantId, clientId, clientSecret }: GraphServer) => ({ tenantId, clientId, clientSecret });

/** The site in the names of groups. */
const siteOf = ({ origin, tenantId }: GraphServer) => `${new URL(origin).host}/${tenantId}`;

/** Starts a tenant with one site that has one library. */
async function start(options: GraphServerOptions = {}) {
  const server = await startGraphServer(options);
  servers.push(server);
  const { model } = server;
  const site = model.addSite('/sites/marketing');
  const library = model.addLibrary(site.id);
  const open = (config: Record<string, unknown> = { sites: [SITE] }, maxItemBytes?: number, credentials?: object) => {
    const allow = new URL(server.origin).host;
    const host = createTestHost(maxItemBytes === undefined ? { allow } : { allow, maxItemBytes });
    hosts.push(host);
    const settings = { endpoint: server.origin, ...config };
    return openType(microsoft365Type, settings, { ...credentialsOf(server), ...credentials }, host);
  };
  return { server, model, site, library, open };
}

type Started = Awaited<ReturnType<typeof start>>;

async function readersOf({ open }: Pick<Started, 'open'>, config?: Record<string, unknown>) {
  const connector = open(config);
  const refs = refsOf(await collect(connector.list(call)));
  const found = await collect(connector.permissions!(call, refs));
  const titles = new Map(refs.map(({ id, title }) => [id, title]));
  return Object.fromEntries(found.map(({ id, principals }) => [titles.get(id), principals]));
}

async function groupsOf({ open }: Pick<Started, 'open'>) {
  const groups = await collect(open().groups!(call));
  return Object.fromEntries(groups.map(({ principal, members }) => [principal, [...members].sort()]));
}

describe('the settings of Microsoft 365', () => {
  const check = (config: unknown) => () => microsoft365Type.checkConfig(config);

  it('need sites or users, and accept URLs, ids and all', () => {
    const id = 'example.sharepoint.com,bf6fb551-d508-4946-a439-b2a6154fc1d9,65a04b8b-1f44-442b-a1fc-9e5852fb946c';
    expect(check({ sites: [SITE, id, 'https://example.sharepoint.com'] })()).toMatchObject({ cloud: 'global' });
    expect(check({ sites: 'all', oneDrives: ' Ada@Example.com ' })()).toMatchObject({
      sites: ['all'],
      oneDrives: ['ada@example.com'],
    });
    for (const [config, path] of [
      [{}, 'config.sites'],
      [{ sites: [] }, 'config.sites'],
      [{ sites: ['marketing'] }, 'config.sites[0]'],
      [{ sites: ['all', SITE] }, 'config.sites'],
      [{ oneDrives: ['a/../b'] }, 'config.oneDrives[0]'],
      [{ sites: 'all', cloud: 'mars' }, 'config.cloud'],
      [{ sites: 'all', endpoint: 'https://graph.example.com/v1.0' }, 'config.endpoint'],
    ] as const) {
      expect(check(config)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
      try {
        check(config)();
      } catch (error) {
        expect(error).toMatchObject({ details: { issues: [{ path }] } });
      }
    }
  });

  it('name the credentials that are missing or not ids, without their values', () => {
    try {
      microsoft365Type.checkCredentials({ tenantId: 'my-secret-tenant', clientId: '' });
      throw new Error('The credentials were accepted.');
    } catch (error) {
      const paths = ['credentials.tenantId', 'credentials.clientId', 'credentials.clientSecret'];
      expect(error).toMatchObject({ details: { issues: paths.map((path) => ({ path })) } });
      expect(JSON.stringify(error)).not.toContain('my-secret-tenant');
    }
  });
});

describe('the sign-in to Microsoft 365', () => {
  it.each([
    ['global', 'https://login.microsoftonline.com', 'https://graph.microsoft.com'],
    ['us_government', 'https://login.microsoftonline.us', 'https://graph.microsoft.us'],
    ['us_government_dod', 'https://login.microsoftonline.us', 'https://dod-graph.microsoft.us'],
    ['china', 'https://login.chinacloudapi.cn', 'https://microsoftgraph.chinacloudapi.cn'],
  ])('uses the addresses of the cloud %s', async (cloud, login, graph) => {
    const host = createTestHost();
    hosts.push(host);
    const requests: string[] = [];
    const fetch: typeof globalThis.fetch = async (url, init) => {
      requests.push(`${url} ${new URLSearchParams(String(init?.body ?? '')).get('scope') ?? ''}`.trim());
      return Response.json(
        String(url).includes('oauth2') ? { access_token: 'token', expires_in: 3_600 } : { responses: [] },
      );
    };
    const id = '72f988bf-86f1-41af-91ab-2d7cd011db47';
    const credentials = { tenantId: id, clientId: id, clientSecret: 'secret' };
    const connector = openType(microsoft365Type, { sites: [SITE], cloud }, credentials, {
      ...host,
      egress: { ...host.egress, fetch },
    });
    await connector.test(call);
    expect(requests).toEqual([`${login}/${id}/oauth2/v2.0/token ${graph}/.default`, `${graph}/v1.0/$batch`]);
  });

  it('translates the errors of Entra ID', async () => {
    const { open } = await start();
    const other = '00000000-0000-4000-8000-000000000000';
    for (const [credentials, message] of [
      [{ clientSecret: 'wrong' }, /AADSTS7000215.*value of the secret/],
      [{ clientId: other }, /AADSTS700016.*clientId/],
      [{ tenantId: other }, /AADSTS90002.*tenantId/],
    ] as const) {
      const error = await collect(open({ sites: [SITE] }, undefined, credentials).list(call)).catch((e: unknown) => e);
      expect(error).toMatchObject({ kind: 'auth', message: expect.stringMatching(message) });
    }
  });

  it('happens once for concurrent requests, and again before the token expires and after a 401', async () => {
    const { server, model, library, open } = await start();
    for (let n = 0; n < 6; n += 1) model.add(library.id, `f${n}`, { content: `${n}` });
    const connector = open();
    const refs = refsOf(await collect(connector.list(call)));
    expect(server.signIns).toBe(1);
    server.expireTokens();
    expect((await Promise.all(refs.map((ref) => textOf(connector, ref)))).sort()).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    expect(server.signIns).toBe(2);
    // A token that lives for a fraction of a second is renewed after half of it.
    server.setLifetime(0.001);
    const shortLived = open();
    await collect(shortLived.list(call));
    expect(server.signIns).toBeGreaterThan(3);
    expect(server.requests.every(({ headers, path }) => !path.startsWith('/download/') || !headers.authorization)).toBe(
      true,
    );
  });
});

describe('files of Microsoft 365', () => {
  it('are listed without folders, notebooks, shortcuts and deleted files', async () => {
    const { model, library, open } = await start({ pageSize: 2 });
    const folder = model.add(library.id, 'Plans 100%', { kind: 'folder' });
    const deep = model.add(library.id, 'Größe', { kind: 'folder', parentId: folder.id });
    const file = model.add(library.id, 'plan.txt', { parentId: deep.id, content: 'The plan' });
    model.add(library.id, 'Notes', { kind: 'package' });
    model.add(library.id, 'Elsewhere', { kind: 'shortcut' });
    model.remove(model.add(library.id, 'old.txt').id);
    const connector = open();
    const events = await collect(connector.list(call));
    expect(refsOf(events)).toEqual([
      {
        id: `${library.id}/${file.id}`,
        path: 'Plans 100%/Größe/plan.txt',
        title: 'plan.txt',
        version: `{${file.id}},1`,
        url: `https://example.sharepoint.com/${library.id}/${file.id}`,
        author: 'Ada Lovelace',
        sizeBytes: 8,
        mimeType: 'text/plain',
        updatedAt: file.modified,
      },
    ]);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true, confirmGone: true });
    expect(await connector.resolve(call, `${library.id}/${file.id}`)).toEqual(refsOf(events)[0]);
  });

  it('come from all sites and users if the config selects them, without the sites of OneDrive', async () => {
    const { server, model, library, open } = await start({ pageSize: 1 });
    const ada = model.addUser('Ada');
    model.addUser('Bob');
    const second = model.addLibrary(model.addSite('/sites/sales').id);
    const personal = model.addLibrary(model.addSite('/personal/ada').id);
    const oneDrive = model.addOneDrive(ada.id);
    for (const [drive, name] of [
      [library, 'a'],
      [second, 'b'],
      [personal, 'c'],
      [oneDrive, 'd'],
    ] as const)
      model.add(drive.id, name);
    expect(await titlesOf(open({ sites: 'all' }))).toEqual(['a', 'b']);
    expect(await titlesOf(open({ oneDrives: 'all' }))).toEqual(['d']);
    expect(await titlesOf(open({ sites: [SITE], oneDrives: ['ada@example.com'] }))).toEqual(['a', 'd']);
    expect((await open({ sites: 'all', oneDrives: 'all' }).test(call)).every(({ ok }) => ok)).toBe(true);
    // An id from a library that the connector does not cover is unknown.
    const [ref] = refsOf(await collect(open({ oneDrives: 'all' }).list(call)));
    expect(await open({ sites: 'all' }).resolve(call, ref!.id)).toBeNull();
    expect(await open({ sites: [SITE] }).resolve(call, ref!.id)).toBeNull();
    expect(await open({ oneDrives: 'ada@example.com' }).resolve(call, ref!.id)).toEqual(ref);
    expect(server.requests.some(({ path }) => path.includes(personal.id))).toBe(false);
  });

  it('are limited by paths, also while folders are renamed', async () => {
    const { model, library, open } = await start({ pageSize: 2 });
    const plans = model.add(library.id, 'Plans', { kind: 'folder' });
    const old = model.add(library.id, 'Old', { kind: 'folder', parentId: plans.id });
    model.add(library.id, 'a.txt', { parentId: plans.id });
    model.add(library.id, 'b.txt', { parentId: old.id });
    model.add(library.id, 'c.txt');
    const config = { sites: [SITE], pathFilter: ['Plans', '!Plans/Old'] };
    expect(await titlesOf(open(config))).toEqual(['a.txt']);
    // The folder now comes after its files.
    model.rename(plans.id, 'Plans');
    model.rename(old.id, 'Current');
    expect(await titlesOf(open(config))).toEqual(['a.txt', 'b.txt']);
  });

  it('start again in a library whose links have expired', async () => {
    const { server, model, library, open } = await start({ pageSize: 2 });
    for (let n = 0; n < 9; n += 1) model.add(library.id, `f${n}`);
    const events = await collect(open().list(call));
    server.expireLinks();
    for (const event of events) {
      if (event.type !== 'checkpoint') continue;
      const before = idsOf(events.slice(0, events.indexOf(event)));
      const rest = await collect(open().list(call, event.at));
      expect(new Set([...before, ...idsOf(rest)]).size).toBe(9);
      expect(rest.at(-1)).toMatchObject({ authoritative: true });
    }
    // Links that always expire end the listing.
    server.before(({ path }) => {
      if (path.includes('delta(')) server.expireLinks();
    });
    const { reported, error } = await collectUntilError(open().list(call));
    expect(error).toMatchObject({ kind: 'transient' });
    expect(reported.some(({ type }) => type === 'complete')).toBe(false);
  });

  it('are not deleted if a site, a user or a library is unreadable', async () => {
    const { server, model, library, open } = await start();
    model.add(library.id, 'a');
    const ada = model.addUser('Ada');
    for (const config of [
      { sites: [SITE, 'https://example.sharepoint.com/sites/none'] },
      { sites: [SITE], oneDrives: ['none@example.com'] },
      { sites: [SITE], oneDrives: [ada.id] },
    ]) {
      const events = await collect(open(config).list(call));
      expect(refsOf(events).map(({ title }) => title)).toEqual(['a']);
      expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
      expect(events).toContainEqual(expect.objectContaining({ type: 'failed' }));
    }
    server.deny(/delta/);
    const events = await collect(open().list(call));
    expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: false });
  });

  it('are not reported as gone while their site, user or library is unreadable', async () => {
    const { server, model, site, library, open } = await start();
    model.addLibrary(site.id);
    const other = model.addLibrary(model.addSite('/sites/sales').id);
    const ada = model.addUser('Ada');
    model.addOneDrive(ada.id);
    const ids = [library, other].map((drive) => `${drive.id}/${model.add(drive.id, 'a').id}`);
    const SALES = 'https://example.sharepoint.com/sites/sales';
    const connector = open({ sites: [SALES, SITE], oneDrives: [ada.id] });
    const resolveAll = () =>
      Promise.all(
        ids.map((id) =>
          connector.resolve(call, id).then(
            (ref) => ref?.title ?? null,
            (error: unknown) => (error as { kind?: string }).kind,
          ),
        ),
      );
    const isSite = (url: string) => url.startsWith('/sites/') && url.includes('marketing');
    for (const status of [403, 404, 423]) {
      server.failInBatch((url) => (isSite(url) ? { status } : undefined));
      expect(await resolveAll()).toEqual(['forbidden', 'a']);
    }
    server.failInBatch();
    server.deny(new RegExp(`^sites/${site.id}/drives`));
    expect(await resolveAll()).toEqual(['forbidden', 'a']);
    server.deny(undefined);
    // A library without its id can be any library of the site.
    server.rewrite((answer, { path }) =>
      path.endsWith(`${site.id}/drives`)
        ? { ...answer, body: String(answer.body).replaceAll(`"id":"${library.id}"`, '"id":7') }
        : answer,
    );
    expect(await resolveAll()).toEqual(['forbidden', 'a']);
    server.rewrite();
    // Nothing of that was cached.
    expect(await resolveAll()).toEqual(['a', 'a']);
    model.removeDrive(library.id);
    expect(await resolveAll()).toEqual([null, 'a']);
  });

  it('are gone with their library only if the application may see all libraries', async () => {
    const { server, model, library, open } = await start();
    const id = `${library.id}/${model.add(library.id, 'a').id}`;
    const connector = open({ sites: 'all' });
    server.fail(({ path }) => (path.endsWith(library.id) ? { kind: 'status', status: 404 } : undefined));
    server.deny(/getAllSites/);
    await expect(connector.resolve(call, id)).rejects.toMatchObject({ kind: 'forbidden' });
    server.deny(undefined);
    expect(await connector.resolve(call, id)).toBeNull();
    server.fail();
    expect(await connector.resolve(call, id)).toMatchObject({ id });
    // A named user could own the library.
    const unknown = open({ sites: 'all', oneDrives: ['none@example.com'] });
    await expect(unknown.resolve(call, 'b!none/01NONE')).rejects.toMatchObject({ kind: 'forbidden' });
    model.removeSite([...model.sites.keys()][0] ?? '');
    expect(await open({ sites: 'all' }).resolve(call, id)).toBeNull();
  });

  it('fail alone if their folder is unreadable', async () => {
    const { server, model, library, open } = await start({ pageSize: 1 });
    const folder = model.add(library.id, 'Closed', { kind: 'folder' });
    const file = model.add(library.id, 'a', { parentId: folder.id });
    model.add(library.id, 'b');
    // The folder now comes after its file, so that it is requested.
    model.rename(folder.id, 'Locked');
    const isFolder = (path: string) => path.endsWith(`/items/${folder.id}`);
    const check = async () => {
      const events = await collect(open().list(call));
      expect(refsOf(events).map(({ title }) => title)).toEqual(['b']);
      expect(events).toContainEqual(expect.objectContaining({ type: 'failed', id: `${library.id}/${file.id}` }));
      expect(events.at(-1)).toMatchObject({ type: 'complete', authoritative: true });
    };
    server.deny(new RegExp(`/items/${folder.id}$`));
    await check();
    server.deny(undefined);
    server.rewrite((answer, { path }) => (isFolder(path) ? { ...answer, body: '{"id":7}' } : answer));
    await check();
    server.rewrite();
    // A deleted folder, from which the file moved before.
    let isMoved = false;
    server.before(({ path }) => {
      if (!isFolder(path) || isMoved) return;
      isMoved = true;
      model.move(file.id, library.rootId);
      model.remove(folder.id);
    });
    const connector = open();
    const state = new Map(refsOf(await collect(connector.list(call))).map(({ title, path }) => [title, path]));
    expect(state).toEqual(
      new Map([
        ['a', 'a'],
        ['b', 'b'],
      ]),
    );
  });

  it('never follow a link to another server', async () => {
    const { server, model, library, open } = await start({ pageSize: 1 });
    for (const name of ['a', 'b']) model.add(library.id, name);
    server.rewrite((answer, { path }) => {
      if (!path.includes('delta')) return answer;
      const body = String(answer.body).replaceAll(
        `${server.origin}/v1.0/drives`,
        'https://attacker.example/v1.0/drives',
      );
      return { ...answer, body };
    });
    const events = await collect(open().list(call));
    expect(events.at(-1)).toMatchObject({ authoritative: false });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'failed',
        error: expect.objectContaining({ message: expect.stringMatching(/another server/) }),
      }),
    );
  });
});

describe('the changes of files of Microsoft 365', () => {
  it('include an edited file in a folder without a full listing', async () => {
    const { model, library, open } = await start();
    const outer = model.add(library.id, 'Outer', { kind: 'folder' });
    const inner = model.add(library.id, 'Inner', { kind: 'folder', parentId: outer.id });
    const file = model.add(library.id, 'a', { parentId: inner.id });
    const cursor = await open().cursor!(call);
    model.write(file.id, 'again');
    const added = model.add(library.id, 'b', { parentId: inner.id });
    const events = await collect(open().changes!(call, cursor));
    expect(refsOf(events).map(({ id, path }) => [id, path])).toEqual([
      [`${library.id}/${file.id}`, 'Outer/Inner/a'],
      [`${library.id}/${added.id}`, 'Outer/Inner/b'],
    ]);
  });

  it('need a full listing after each change of a folder, also above an edited file', async () => {
    const edits: ((model: GraphServer['model'], folder: string, parent: string) => void)[] = [
      (model, folder) => model.share(folder, []),
      (model, folder) => model.rename(folder, 'Other'),
      (model, folder, parent) => model.move(folder, parent),
    ];
    for (const edit of edits) {
      for (const isFileFirst of [true, false]) {
        const { model, library, open } = await start({ pageSize: 1 });
        const other = model.add(library.id, 'Archive', { kind: 'folder' });
        const outer = model.add(library.id, 'Outer', { kind: 'folder' });
        const inner = model.add(library.id, 'Inner', { kind: 'folder', parentId: outer.id });
        const file = model.add(library.id, 'a', { parentId: inner.id });
        model.add(library.id, 'b', { parentId: outer.id });
        let cursor = await open().cursor!(call);
        if (isFileFirst) model.write(file.id, 'again');
        edit(model, outer.id, other.id);
        if (!isFileFirst) model.write(file.id, 'again');
        // A job that starts again after each page does not miss the folder either.
        let error: unknown;
        for (let jobs = 0; jobs < 5 && error === undefined; jobs += 1) {
          try {
            for await (const event of open().changes!(call, cursor)) {
              if (event.type !== 'checkpoint') continue;
              cursor = event.at;
              break;
            }
          } catch (reason) {
            error = reason;
          }
        }
        expect(error).toMatchObject({ kind: 'gone', message: expect.stringMatching(/full sync/) });
      }
    }
  });

  it('need a full listing if a server does not leave out unchanged folders', async () => {
    const { server, model, library, open } = await start();
    const folder = model.add(library.id, 'Plans', { kind: 'folder' });
    const file = model.add(library.id, 'a', { parentId: folder.id });
    const cursor = await open().cursor!(call);
    model.write(file.id, 'again');
    server.before(({ headers }) => {
      delete headers.deltaexcludeparent;
    });
    await expect(collect(open().changes!(call, cursor))).rejects.toMatchObject({ kind: 'gone' });
  });

  it('fail alone if their folder is unreadable, and are gone only if they do not exist', async () => {
    const { server, model, library, open } = await start();
    const folder = model.add(library.id, 'Plans', { kind: 'folder' });
    const kept = model.add(library.id, 'kept', { parentId: folder.id });
    const other = model.add(library.id, 'other');
    let cursor = await open().cursor!(call);
    const idOf = ({ id }: { readonly id: string }) => `${library.id}/${id}`;
    const read = async () => {
      const events = await collect(open().changes!(call, cursor));
      for (const event of events) if (event.type === 'checkpoint') cursor = event.at;
      return events.flatMap((event) => {
        if (event.type === 'item') return [['item', event.ref.id, event.ref.path]];
        return 'id' in event ? [[event.type, event.id]] : [];
      });
    };
    for (const { id } of [kept, other]) model.write(id, 'again');
    server.deny(new RegExp(`/items/${folder.id}$`));
    expect(await read()).toEqual([
      ['failed', idOf(kept)],
      ['item', idOf(other), 'other'],
    ]);
    server.deny(undefined);
    // The file moves out of its folder, which is deleted, after the list of changes.
    model.write(kept.id, 'third');
    server.before(({ path }) => {
      if (!path.endsWith(`/items/${folder.id}`) || model.items.get(folder.id)?.isDeleted === true) return;
      model.move(kept.id, library.rootId);
      model.remove(folder.id);
    });
    expect(await read()).toEqual([['item', idOf(kept), 'kept']]);
    server.before();
    const next = model.add(library.id, 'Next', { kind: 'folder' });
    cursor = await open().cursor!(call);
    const lost = model.add(library.id, 'lost', { parentId: next.id });
    server.before(({ path }) => {
      if (path.endsWith(`/items/${next.id}`) && model.items.get(next.id)?.isDeleted !== true) model.remove(next.id);
    });
    expect(await read()).toEqual([['gone', idOf(lost)]]);
  });
});

describe('the content of files of Microsoft 365', () => {
  it('continues after an interruption, also with an expired address', async () => {
    const { server, model, library, open } = await start();
    const content = 'a long text '.repeat(20_000);
    model.add(library.id, 'long', { content });
    const connector = open();
    const [ref] = refsOf(await collect(connector.list(call)));
    let cut = 0;
    server.fail(({ path }) => {
      if (!path.startsWith('/download/') || cut >= 2) return undefined;
      cut += 1;
      return { kind: 'truncated' };
    });
    expect(await textOf(connector, ref!)).toBe(content);
    const ranges = server.requests.flatMap(({ headers }) => headers.range ?? []);
    expect(ranges).toHaveLength(2);
    const downloads = server.requests.filter(({ path }) => path.startsWith('/download/'));
    expect(new Set(downloads.map(({ headers }) => headers['accept-encoding']))).toEqual(new Set(['identity']));
    server.fail();
    const opened = await connector.fetch(call, ref!);
    server.expireDownloads();
    expect(await readBody(opened.body)).toBe(content);
  });

  it('fails alone if its address is rejected', async () => {
    const { server, model, library, open } = await start();
    model.add(library.id, 'blocked', { content: 'text' });
    const connector = open();
    const [ref] = refsOf(await collect(connector.list(call)));
    for (const status of [401, 403, 404]) {
      server.fail(({ path }) => (path.startsWith('/download/') ? { kind: 'status', status } : undefined));
      await expect(textOf(connector, ref!)).rejects.toMatchObject({ kind: 'forbidden' });
    }
  });

  it('is never mixed from two versions, and never larger than the limit', async () => {
    const { server, model, library, open } = await start();
    const { id } = model.add(library.id, 'long', { content: 'one '.repeat(50_000) });
    const connector = open();
    const [ref] = refsOf(await collect(connector.list(call)));
    server.fail(({ path }) => {
      if (!path.startsWith('/download/')) return undefined;
      model.write(id, 'two '.repeat(50_000));
      server.fail();
      return { kind: 'truncated' };
    });
    await expect(textOf(connector, ref!)).rejects.toMatchObject({ kind: 'transient' });
    await expect(open({ sites: [SITE] }, 1_000).fetch(call, ref!)).rejects.toMatchObject({ kind: 'too_large' });
    model.remove(id);
    await expect(connector.fetch(call, ref!)).rejects.toMatchObject({ kind: 'gone' });
  });
});

describe('the limits of Microsoft 365', () => {
  it('end a request with the time to retry, also inside a batch', async () => {
    const { server, model, library, open } = await start();
    model.add(library.id, 'a');
    const connector = open();
    const refs = refsOf(await collect(connector.list(call)));
    const waitOf = (error: unknown) => (error as { retryAt: Date }).retryAt.getTime() - Date.now();
    for (const status of [429, 503, 504]) {
      server.fail(() => ({ kind: 'status', status, retryAfter: '600' }));
      const error = await collect(connector.list(call)).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ kind: 'rate' });
      expect(waitOf(error)).toBeGreaterThan(590_000);
    }
    server.fail();
    server.failInBatch((url) => (url.includes('permissions') ? { status: 429, retryAfter: '900' } : undefined));
    const error = await collect(connector.permissions!(call, refs)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'rate' });
    expect(waitOf(error)).toBeGreaterThan(890_000);
    // A short wait is retried.
    let failures = 0;
    server.failInBatch(() => {
      failures += 1;
      return failures > 1 ? undefined : { status: 503, retryAfter: '0' };
    });
    expect(await collect(connector.permissions!(call, refs))).toHaveLength(1);
  });
});

describe('unusual responses of Microsoft 365', () => {
  it('end a listing and its changes if their pages do not', async () => {
    const { server, model, library } = await start();
    const host = createTestHost({ allow: new URL(server.origin).host });
    hosts.push(host);
    model.add(library.id, 'a');
    let pages = 0;
    let isEndless = true;
    const fetch: typeof globalThis.fetch = async (url, init) => {
      if (!isEndless || !String(url).includes('/delta')) return host.egress.fetch(url, init);
      pages += 1;
      if (pages > 100_000) throw new Error('The pages do not end.');
      // Each link is new, so that no page repeats.
      const next = `${server.origin}/v1.0/drives/${library.id}/root/delta(token='${pages}')`;
      return Response.json({ value: [], '@odata.nextLink': next });
    };
    const connector = openType(microsoft365Type, { sites: [SITE], endpoint: server.origin }, credentialsOf(server), {
      ...host,
      egress: { ...host.egress, fetch },
    });
    let last: SourceEvent | undefined;
    let failure: SourceEvent | undefined;
    for await (const event of connector.list(call)) {
      last = event;
      if (event.type === 'failed') failure = event;
    }
    expect(failure).toMatchObject({ error: { message: expect.stringMatching(/too many pages/) } });
    expect(last).toMatchObject({ type: 'complete', authoritative: false });
    isEndless = false;
    const cursor = await connector.cursor!(call);
    isEndless = true;
    const read = async () => {
      for await (const _ of connector.changes!(call, cursor));
    };
    pages = 0;
    await expect(read()).rejects.toMatchObject({ kind: 'gone', message: expect.stringMatching(/full sync/) });
  });

  it('limit the wait, whatever the headers contain', () => {
    const longestMs = 24 * 3_600_000;
    const text = fc.oneof(
      fc.constantFrom('Infinity', '-Infinity', '1e308', '99999999999999', '-1', '', 'x'),
      fc.integer().map(String),
      fc.stringMatching(/^[ -~]*$/),
    );
    fc.assert(
      fc.property(fc.constantFrom('ratelimit-reset', 'retry-after'), text, (name, value) => {
        const now = Date.now();
        const headers = new Headers({ [name]: value });
        const error = createGraphErrorReader()({ status: 429, headers, body: undefined });
        const retryAt = error?.retryAt?.getTime();
        expect(retryAt).toBeGreaterThanOrEqual(now);
        expect(retryAt).toBeLessThanOrEqual(Date.now() + longestMs);
      }),
    );
  });

  it('in a batch are read with invalid and unusual headers', async () => {
    const { server, model, library, open } = await start();
    model.add(library.id, 'a');
    const connector = open();
    const refs = refsOf(await collect(connector.list(call)));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('ratelimit-reset', 'RateLimit-Reset', 'Retry-After'),
        fc.oneof(fc.constantFrom<unknown>('Infinity', '99999999999999'), fc.integer({ min: 60, max: 1e9 })),
        fc.dictionary(fc.string(), fc.jsonValue()),
        async (name, value, others) => {
          const wait = name === 'Retry-After' ? 600 : value;
          server.failInBatch(() => ({ status: 429, headers: { 'a b': { toString: 1 }, ...others, [name]: wait } }));
          const error = await collect(connector.permissions!(call, refs)).catch((reason: unknown) => reason);
          expect(error).toMatchObject({ name: 'SourceError', kind: 'rate' });
          expect((error as { retryAt: Date }).retryAt.getTime()).toBeGreaterThan(Date.now() + 50_000);
        },
      ),
      { numRuns: runCount({ quick: 15, full: 100 }) },
    );
    // The headers of a response without an error do not matter.
    server.failInBatch();
    server.rewrite((answer) => ({ ...answer, body: String(answer.body).replaceAll('"content-type"', '"a b"') }));
    expect(await collect(connector.permissions!(call, refs))).toHaveLength(1);
  });

  it('do not remove readers if a batch rejects the token, which is renewed once', async () => {
    const { server, model, library, open } = await start();
    const ada = model.addUser('Ada');
    model.add(library.id, 'a', { permissions: [{ roles: ['read'], grantedToV2: { user: { id: ada.id } } }] });
    for (const pattern of [/permissions/, /^\/users/]) {
      const connector = open();
      const refs = refsOf(await collect(connector.list(call)));
      let failures = 0;
      server.failInBatch((url) => {
        failures += pattern.test(url) ? 1 : 0;
        return pattern.test(url) && failures === 1 ? { status: 401 } : undefined;
      });
      const before = server.signIns;
      const [found] = await collect(connector.permissions!(call, refs));
      expect(found?.principals).toEqual(['user:ada@example.com']);
      expect(server.signIns).toBe(before + 1);
    }
    server.failInBatch(() => undefined);
    const connector = open();
    const refs = refsOf(await collect(connector.list(call)));
    for (const pattern of [/permissions/, /^\/users/]) {
      server.failInBatch((url) => (pattern.test(url) ? { status: 401 } : undefined));
      await expect(collect(connector.permissions!(call, refs))).rejects.toMatchObject({ kind: 'auth' });
    }
    model.addGroup('Team', { members: [ada.id] });
    server.failInBatch((url) => (url.startsWith('/groups') ? { status: 401 } : undefined));
    await expect(collect(connector.groups!(call))).rejects.toMatchObject({ kind: 'auth' });
  });
});

describe('the readers of files of Microsoft 365', () => {
  it('are people, groups, the organization and everyone with an anonymous link', async () => {
    const started = await start();
    const { model, server, library } = started;
    const ada = model.addUser('Ada');
    const guest = model.addUser('Bob', {
      ...{ userType: 'Guest', mail: 'Bob@Partner.example' },
      userPrincipalName: 'bob_partner.example#EXT#@example.onmicrosoft.com',
    });
    const unmailed = model.addUser('Cleo', { mail: null });
    const unmailedGuest = model.addUser('Dan', {
      ...{ userType: 'Guest', mail: null },
      userPrincipalName: 'd#EXT#@x.example',
    });
    const disabled = model.addUser('Eve', { accountEnabled: false });
    const team = model.addGroup('Team', { isUnified: true });
    const to = (identity: object, roles = ['read']) => ({ roles, grantedToV2: identity });
    const link = (scope: string | undefined, more: object = {}, type = 'view') => ({
      ...{ roles: ['read'], link: { ...(scope === undefined ? {} : { scope }), type, webUrl: 'https://x.example' } },
      ...more,
    });
    const identities = { grantedToIdentitiesV2: [{ user: { id: ada.id } }, { siteUser: { loginName: 'x' } }] };
    const group = (kind = '') => `group:microsoft_365:${siteOf(server)}/${team.id}${kind}`;
    const organization = `group:microsoft_365:${siteOf(server)}/organization`;
    const claim = (loginName: string, more: object = {}) => to({ siteUser: { loginName }, ...more });
    const unified = `c:0o.c|federateddirectoryclaimprovider|${team.id}`;
    const cases: Record<string, readonly [readonly object[], readonly string[]]> = {
      person: [
        [to({ user: { id: ada.id }, siteUser: { loginName: 'i:0#.f|membership|ada' } })],
        ['user:ada@example.com'],
      ],
      guest: [[to({ user: { id: guest.id } })], ['user:bob@partner.example']],
      unmailed: [[to({ user: { id: unmailed.id } })], ['user:cleo@example.com']],
      unmailedGuest: [[to({ user: { id: unmailedGuest.id } })], [`user:microsoft_365:${unmailedGuest.id}`]],
      disabled: [[to({ user: { id: disabled.id } })], [`user:microsoft_365:${disabled.id}`]],
      group: [[to({ group: { id: team.id } }, ['write'])], [group()]],
      members: [[claim(unified, { group: { id: team.id } })], [group()]],
      owners: [[claim(`${unified}_o`, { group: { id: team.id } })], [group(':owners')]],
      security: [[claim(`c:0t.c|tenant|${team.id}`)], [group()]],
      staff: [
        [claim(`c:0-.f|rolemanager|spo-grid-all-users/${server.tenantId}`, { user: { displayName: 'E' } })],
        [organization],
      ],
      unknownClaim: [[claim('c:0!.s|windows', { user: { id: ada.id } })], []],
      role: [[to({ user: { id: ada.id } }, ['sp.limited access'])], []],
      noRole: [[to({ user: { id: ada.id } }, [])], []],
      siteGroup: [[to({ siteGroup: { id: '6', displayName: 'Team Members' } })], []],
      application: [[to({ application: { id: ada.id } })], []],
      expired: [[{ ...to({ user: { id: ada.id } }), expirationDateTime: '2020-01-01T00:00:00Z' }], []],
      unlimited: [
        [{ ...to({ user: { id: ada.id } }), expirationDateTime: '0001-01-01T00:00:00Z' }],
        ['user:ada@example.com'],
      ],
      later: [
        [{ ...to({ user: { id: ada.id } }), expirationDateTime: '2999-01-01T00:00:00Z' }],
        ['user:ada@example.com'],
      ],
      anonymous: [[link('anonymous')], ['public']],
      password: [[link('anonymous', { hasPassword: true })], []],
      request: [[link('anonymous', {}, 'createOnly')], []],
      company: [[link('organization', identities)], [organization]],
      people: [[link('users', identities)], ['user:ada@example.com']],
      unscoped: [[link(undefined, identities)], ['user:ada@example.com']],
      existing: [[link('existingAccess', identities)], []],
      newScope: [[link('everywhere', identities)], []],
      invited: [[{ roles: ['read'], invitation: { email: 'x@example.com' } }], []],
      malformed: [[{ roles: 'read', grantedToV2: { user: { id: ada.id } } }], []],
      unknownUser: [
        [to({ user: { id: '00000000-0000-4000-8000-000000000000' } })],
        ['user:microsoft_365:00000000-0000-4000-8000-000000000000'],
      ],
      nothing: [[], []],
    };
    for (const [name, [permissions]] of Object.entries(cases)) model.add(library.id, name, { permissions });
    const expected = Object.fromEntries(Object.entries(cases).map(([name, [, principals]]) => [name, principals]));
    server.forget();
    expect(await readersOf(started)).toEqual(expected);
    // Two batches of permissions, each with one of people, instead of a request per file.
    expect(server.requests.filter(({ path }) => path.endsWith('$batch')).length).toBeLessThanOrEqual(5);
    expect(server.requests.filter(({ path }) => path.endsWith('/permissions'))).toEqual([]);
  });

  it('are inherited, and read from every page of the permissions', async () => {
    const started = await start({ pageSize: 2 });
    const { model, library } = started;
    const users = ['Ada', 'Bea', 'Cid', 'Dot', 'Eli'].map((name) => model.addUser(name));
    const to = ({ id }: { readonly id: string }) => ({ roles: ['read'], grantedToV2: { user: { id } } });
    model.share(library.rootId, users.map(to));
    const folder = model.add(library.id, 'Closed', { kind: 'folder', permissions: [to(users[0]!)] });
    model.add(library.id, 'open');
    model.add(library.id, 'closed', { parentId: folder.id });
    expect(await readersOf(started)).toEqual({
      open: users.map(({ mail }) => `user:${mail}`),
      closed: ['user:ada@example.com'],
    });
  });

  it('are the people of the Microsoft 365 group in the site of a group', async () => {
    const server = await startGraphServer();
    servers.push(server);
    const { model } = server;
    const host = createTestHost({ allow: new URL(server.origin).host });
    hosts.push(host);
    const team = model.addGroup('Team', { isUnified: true });
    const library = model.addLibrary(model.addSite('/sites/team', { groupId: team.id }).id);
    for (const name of ['Team Members', 'Team Owners', 'Team Visitors', 'Members', 'Other Members']) {
      model.add(library.id, name, {
        permissions: [{ roles: ['write'], grantedToV2: { siteGroup: { id: '5', displayName: name } } }],
      });
    }
    const open = () =>
      openType(
        microsoft365Type,
        { sites: ['https://example.sharepoint.com/sites/team'], endpoint: server.origin },
        credentialsOf(server),
        host,
      );
    expect(await readersOf({ open })).toEqual({
      'Team Members': [`group:microsoft_365:${siteOf(server)}/${team.id}`],
      'Team Owners': [`group:microsoft_365:${siteOf(server)}/${team.id}:owners`],
      'Team Visitors': [],
      Members: [],
      'Other Members': [],
    });
    server.deny(/^groups/);
    expect(Object.values(await readersOf({ open })).flat()).toEqual([]);
  });

  it('are the groups of another server only on that server, and of a cloud only in that cloud', async () => {
    const { server, model, library, open } = await start();
    const team = model.addGroup('Team', { members: [model.addUser('Ada').id] });
    model.add(library.id, 'a', { permissions: [{ roles: ['read'], grantedToV2: { group: { id: team.id } } }] });
    const file = (await readersOf({ open })).a ?? [];
    expect(file).toEqual([`group:microsoft_365:${new URL(server.origin).host}/${server.tenantId}/${team.id}`]);
    expect(Object.keys(await groupsOf({ open }))).toEqual(expect.arrayContaining([...file]));

    const host = createTestHost();
    hosts.push(host);
    // The emulator in the place of Microsoft.
    const fetch: typeof globalThis.fetch = (url, init) => {
      const { pathname, search } = new URL(String(url));
      const form = new URLSearchParams(String(init?.body ?? ''));
      if (form.has('scope')) form.set('scope', 'https://graph.microsoft.com/.default');
      const body = form.has('scope') ? form.toString() : init?.body;
      return globalThis.fetch(`${server.origin}${pathname}${search}`, {
        ...init,
        ...(body == null ? {} : { body }),
      });
    };
    const sites: Record<string, string> = {};
    for (const cloud of ['global', 'us_government', 'us_government_dod', 'china']) {
      const connector = openType(microsoft365Type, { sites: [SITE], cloud }, credentialsOf(server), {
        ...host,
        egress: { ...host.egress, fetch },
      });
      const groups = await collect(connector.groups!(call));
      const principal = groups.map((group) => group.principal).find((name) => name.endsWith(team.id)) ?? '';
      sites[cloud] = principal.slice('group:microsoft_365:'.length, -team.id.length - 1);
    }
    expect(sites).toEqual({
      global: server.tenantId,
      us_government: `graph.microsoft.us/${server.tenantId}`,
      us_government_dod: `dod-graph.microsoft.us/${server.tenantId}`,
      china: `microsoftgraph.chinacloudapi.cn/${server.tenantId}`,
    });
  });

  it('are read from a server without batches, with the deprecated names of fields', async () => {
    const { server, model, library, open } = await start();
    const [ada, bob] = [model.addUser('Ada'), model.addUser('Bob')];
    const file = model.add(library.id, 'a.txt', { content: 'a' });
    model.share(file.id, [
      { roles: ['read'], grantedToV2: { user: { id: ada.id } } },
      { roles: ['read'], link: { scope: 'users' }, grantedToIdentitiesV2: [{ user: { id: bob.id } }] },
    ]);
    server.rewrite((answer, { path }) =>
      path.endsWith('/$batch')
        ? { status: 404, headers: {}, body: '{}' }
        : { ...answer, body: String(answer.body).replace(/"(grantedTo\w*)V2"/g, '"$1"') },
    );
    const connector = open();
    const refs = refsOf(await collect(connector.list(call)));
    const [readers] = await collect(connector.permissions!(call, refs));
    expect(readers!.principals).toEqual([`user:${ada.mail}`, `user:${bob.mail}`]);
    expect(server.requests.filter(({ path }) => path.endsWith('/$batch'))).toHaveLength(1);
  });

  it('are no numbers of SharePoint, and have ids in any form', () => {
    const grant = (user: object) => granteesOf(Permission.parse({ roles: ['read'], grantedToV2: { user } }), 0);
    expect(grant({ id: '14' })).toEqual([]);
    expect(grant({ id: '' })).toEqual([]);
    expect(grant({ id: 'ABCDEF00-0000-0000-0000-000000000001' })).toEqual([
      { kind: 'user', id: 'abcdef00-0000-0000-0000-000000000001' },
    ]);
    expect(grant({ id: 'Ada' })).toEqual([{ kind: 'user', id: 'Ada' }]);
  });

  it('are no one if permissions are unreadable', async () => {
    const started = await start();
    const { server, model, library } = started;
    for (const name of ['a', 'b']) {
      model.add(library.id, name, { permissions: [{ roles: ['read'], link: { scope: 'anonymous', type: 'view' } }] });
    }
    expect(await readersOf(started)).toEqual({ a: ['public'], b: ['public'] });
    server.deny(/permissions$/);
    expect(await readersOf(started)).toEqual({ a: [], b: [] });
    server.deny(undefined);
    server.failInBatch((url) => (url.includes('/permissions') ? { status: 404 } : undefined));
    expect(await readersOf(started)).toEqual({ a: [], b: [] });
  });

  it('have no access by fields that a server leaves out, except by the type of an old account', async () => {
    const started = await start();
    const { server, model } = started;
    const [ada, bea] = ['Ada', 'Bea'].map((name) => model.addUser(name));
    model.addUser('Guest', {
      userPrincipalName: 'guest_partner.example#EXT#@example.com',
      mail: 'guest@partner.example',
    });
    const group = model.addGroup('Group', { members: [ada!.id] });
    const without = (...fields: readonly string[]) =>
      server.rewrite((answer) => ({
        ...answer,
        body: JSON.stringify(
          JSON.parse(String(answer.body), (key, value) => (fields.includes(key) ? undefined : value)),
        ),
      }));
    const site = `group:microsoft_365:${siteOf(server)}`;
    const organization = [ada, bea].map((user) => `user:${user!.mail}`);
    without('userType');
    expect((await groupsOf(started))[`${site}/organization`]).toEqual(organization);
    for (const fields of [['accountEnabled'], ['userType', 'userPrincipalName']]) {
      without(...fields);
      expect((await groupsOf(started))[`${site}/organization`]).toEqual([]);
    }
    without('securityEnabled');
    expect(Object.keys(await groupsOf(started))).not.toContain(`${site}/${group.id}`);
  });

  it('lose access with their membership, also in nested groups', async () => {
    const started = await start({ pageSize: 2 });
    const { server, model } = started;
    const [ada, bea, cid] = ['Ada', 'Bea', 'Cid'].map((name) => model.addUser(name).id);
    model.addUser('Guest', { userType: 'Guest', mail: 'guest@partner.example' });
    model.addUser('Left', { accountEnabled: false });
    const inner = model.addGroup('Inner', { members: [bea!, cid!] });
    const outer = model.addGroup('Outer', {
      isUnified: true,
      securityEnabled: false,
      members: [ada!, inner.id],
      owners: [ada!],
    });
    model.editGroup(inner.id, { members: [bea!, cid!, outer.id] });
    model.addGroup('Newsletter', { securityEnabled: false, members: [ada!] });
    const name = (id: string, kind = '') => `group:microsoft_365:${siteOf(server)}/${id}${kind}`;
    const everyone = ['user:ada@example.com', 'user:bea@example.com', 'user:cid@example.com'];
    expect(await groupsOf(started)).toEqual({
      [name('organization')]: everyone,
      [name(inner.id)]: everyone,
      [name(outer.id)]: everyone,
      [name(outer.id, ':owners')]: ['user:ada@example.com'],
    });
    model.editGroup(inner.id, { members: [bea!, outer.id] });
    model.removeUser(ada!);
    expect(await groupsOf(started)).toEqual({
      [name('organization')]: everyone.slice(1),
      [name(inner.id)]: ['user:bea@example.com'],
      [name(outer.id)]: ['user:bea@example.com'],
      [name(outer.id, ':owners')]: [],
    });
    server.deny(/^groups/);
    expect(await groupsOf(started)).toEqual({ [name('organization')]: everyone.slice(1) });
    expect((await started.open().test(call)).at(-1)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/admin consent/),
    });
  });
});
