import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type SalesforceServer, type SalesforceServerOptions, startSalesforceServer } from '@lectern/testing';
import { publicAddresses } from '#host';
import { salesforceType } from '#salesforce/salesforce-type';
import { call, collect, refsOf, textOf, titlesOf } from './support/read-source.ts';
import { createTestHost, type TestHost } from './support/test-host.ts';

let server: SalesforceServer;
let host: TestHost;

async function start(options: SalesforceServerOptions = {}) {
  server = await startSalesforceServer({ batchSize: 2, ...options });
  host = createTestHost({ addresses: { ...publicAddresses, salesforceLogin: server.origin } });
}

async function stop() {
  await host.close();
  await server.stop();
}

const open = (config: object = { objects: ['Account'] }, credentials?: object) => {
  const { clientId, clientSecret } = server;
  return salesforceType.open({ config, credentials: credentials ?? { clientId, clientSecret }, host });
};
const issuesOf = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return (error as { details: { issues: unknown } }).details.issues;
  }
  return undefined;
};

beforeEach(() => start());
afterEach(stop);

describe('Salesforce', () => {
  it('lists the configured objects as Object/Id, and reads a record as Markdown', async () => {
    const id = server.model.put('Account', {
      Name: 'Acme 東京',
      Industry: 'Energy',
      AnnualRevenue: 5,
      Description: 'First line\nSecond line',
      LastViewedDate: '2026-01-01T00:00:00.000+0000',
    });
    const contact = server.model.put('Contact', {
      Name: 'Grace Hopper',
      AccountId: id,
      Account: { Name: 'Acme 東京' },
    });
    server.model.put('Case', { CaseNumber: '00001001', Subject: 'Broken' });
    const salesforce = open({ objects: ['account', 'Contact', 'Case'] });
    const events = await collect(salesforce.list(call));
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true });
    const refs = refsOf(events);
    expect(refs.map((ref) => ref.title)).toEqual(['Acme 東京', 'Grace Hopper', '00001001 Broken']);
    expect(refs[0]).toEqual({
      id: `Account/${id}`,
      path: 'Account/Acme 東京',
      title: 'Acme 東京',
      url: `${server.origin}/${id}`,
      author: 'Ada Lovelace',
      version: '2026-03-01T08:00:01.000Z',
      updatedAt: '2026-03-01T08:00:01.000Z',
      mimeType: 'text/markdown',
    });
    expect(await textOf(salesforce, refs[0]!)).toBe(
      '# Acme 東京\n\n- Type: Account\n- Owner: Ada Lovelace\n- Industry: Energy\n- Annual Revenue: 5\n\n## Description\n\nFirst line\nSecond line\n',
    );
    expect(await textOf(salesforce, refs[1]!)).toContain('- Account: Acme 東京');
    expect(await salesforce.resolve(call, `Contact/${contact}`)).toMatchObject({ title: 'Grace Hopper' });
    for (const id of ['Contact/0030000000000000AA', 'Contact/x-y', 'Lead/003', "Account/' OR Id != '", 'Account']) {
      expect(await salesforce.resolve(call, id)).toBeNull();
    }
  });

  it('lists and reads the latest version of files under a stable id', async () => {
    const { documentId } = server.model.putFile({ title: 'Plan', extension: 'txt', content: 'first' });
    const { versionId } = server.model.putFile({ title: 'Plan', extension: 'txt', content: 'second', documentId });
    const salesforce = open({ objects: ['ContentVersion'] });
    const refs = refsOf(await collect(salesforce.list(call)));
    expect(refs).toMatchObject([
      { id: `ContentDocument/${documentId}`, path: 'Plan.txt', title: 'Plan', sizeBytes: 6 },
    ]);
    expect(await textOf(salesforce, refs[0]!)).toBe('second');
    expect(await salesforce.resolve(call, `ContentVersion/${versionId}`)).toEqual(refs[0]);
    server.model.remove(versionId);
    await expect(salesforce.fetch(call, refs[0]!)).rejects.toMatchObject({ kind: 'gone' });
  });

  it('reads the default objects that exist', async () => {
    server.model.put('Contact', { Name: 'Grace' });
    server.model.putFile({ title: 'Plan', extension: 'txt', content: 'x' });
    expect(await titlesOf(open({}))).toEqual(['Grace', 'Plan']);
    await expect(titlesOf(open({ objects: ['Account', 'Nope__c'] }))).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('config.objects'),
    });
  });

  it('applies the filter, and reports it if Salesforce rejects it', async () => {
    for (const industry of ['Energy', 'Retail']) server.model.put('Account', { Name: industry, Industry: industry });
    const soqlFilter = "Industry = 'Energy' OR Industry = 'Mining'";
    const salesforce = open({ objects: ['Account'], soqlFilter });
    expect(await titlesOf(salesforce)).toEqual(['Energy']);
    const outside = refsOf(await collect(open().list(call))).find((ref) => ref.title === 'Retail');
    expect(await salesforce.resolve(call, outside!.id)).toBeNull();
    const wrong = open({ objects: ['Account'], soqlFilter: 'Nothing__c = 5' });
    await expect(titlesOf(wrong)).rejects.toMatchObject({ message: expect.stringContaining('config.soqlFilter') });
    expect((await wrong.test(call)).at(-1)).toMatchObject({ name: 'records', ok: false });
    for (const soqlFilter of ['Name != null LIMIT 5', 'Name != null ORDER BY Name']) {
      expect(issuesOf(() => salesforceType.checkConfig({ soqlFilter }))).toEqual([
        { path: 'config.soqlFilter', message: expect.any(String) },
      ]);
    }
  });

  it('reads objects with many fields in several queries that fit the URL limit', async () => {
    await stop();
    await start({ extraFields: 400, maxUrlLength: 3_000 });
    const values = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`A_rather_long_name_of_a_field_${n}__c`, `value ${n}`]),
    );
    server.model.put('Account', { Name: 'Acme', ...values });
    const salesforce = open();
    const [ref] = refsOf(await collect(salesforce.list(call)));
    const text = await textOf(salesforce, ref!);
    expect(text).toContain('- Owner: Ada Lovelace');
    for (const n of [0, 199, 399]) expect(text).toContain(`- Field ${n}: value ${n}\n`);
  });

  it('continues if a query result has expired', async () => {
    for (let n = 0; n < 7; n += 1) server.model.put('Account', { Name: `Account ${n}` });
    let lost = false;
    server.before((request) => {
      if (!request.path.includes('/query/') || lost) return;
      lost = true;
      server.expireLocators();
    });
    const events = await collect(open().list(call));
    expect(lost).toBe(true);
    expect(new Set(refsOf(events).map((ref) => ref.id)).size).toBe(7);
    expect(events.at(-1)).toEqual({ type: 'complete', authoritative: true });
  });

  it('signs in again once when the session ends, but not with an access token', async () => {
    for (let n = 0; n < 6; n += 1) server.model.put('Account', { Name: `Account ${n}` });
    const salesforce = open();
    const refs = refsOf(await collect(salesforce.list(call)));
    expect(server.logins()).toBe(1);
    server.expireSessions();
    await Promise.all(refs.map((ref) => textOf(salesforce, ref)));
    expect(server.logins()).toBe(2);

    await host.close();
    host = createTestHost({ allow: '127.0.0.1' });
    const connector = open({ objects: ['Account'] }, { accessToken: server.session(), instanceUrl: server.origin });
    expect(await titlesOf(connector)).toHaveLength(6);
    server.expireSessions();
    await expect(titlesOf(connector)).rejects.toMatchObject({ kind: 'auth' });
  });

  it('treats an exhausted API limit as a rate limit', async () => {
    server.model.put('Account', { Name: 'Acme' });
    const salesforce = open();
    server.fail((request) => (request.path.includes('/query') ? { kind: 'status', status: 403 } : undefined));
    expect(await titlesOf(salesforce).catch((error: unknown) => error)).toMatchObject({ kind: 'rate' });
    server.fail((request) =>
      request.path.includes('/query') ? { kind: 'status', status: 403, retryAfter: '600' } : undefined,
    );
    const error = await titlesOf(salesforce).catch((reason: unknown) => reason);
    expect((error as { retryAt: Date }).retryAt.getTime()).toBeGreaterThan(Date.now() + 500_000);
    server.fail();
    expect(await titlesOf(salesforce)).toEqual(['Acme']);
  });

  it('does not connect to a private instance URL from a user or the login', async () => {
    const inside = open({}, { accessToken: 'x', instanceUrl: server.origin });
    await expect(titlesOf(inside)).rejects.toMatchObject({ kind: 'invalid' });
    expect(server.requests).toHaveLength(0);
    await stop();
    await start({ instanceUrl: 'http://169.254.169.254/' });
    await expect(titlesOf(open())).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('accepts two kinds of credentials, and reports a missing field', () => {
    const check = (credentials: object) => issuesOf(() => salesforceType.checkCredentials(credentials));
    expect(check({ clientId: 'a', clientSecret: 'b' })).toBeUndefined();
    expect(check({ accessToken: 'a', instanceUrl: 'https://example.my.salesforce.com' })).toBeUndefined();
    expect(check({})).toMatchObject([{ path: 'credentials.clientId' }]);
    expect(check({ clientId: 'a' })).toMatchObject([{ path: 'credentials.clientSecret' }]);
    expect(check({ accessToken: 'a' })).toMatchObject([{ path: 'credentials.instanceUrl' }]);
    expect(check({ accessToken: 'a', instanceUrl: 'ftp://x' })).toMatchObject([{ path: 'credentials.instanceUrl' }]);
    expect(check({ clientId: 'a', clientSecret: 'b', password: 'p' })).toMatchObject([
      { path: 'credentials.password' },
    ]);
  });

  it('tests the connection step by step', async () => {
    expect((await open().test(call)).map(({ name, ok }) => [name, ok])).toEqual([
      ['sign-in', true],
      ['objects', true],
      ['records', true],
    ]);
    const wrong = open({}, { clientId: server.clientId, clientSecret: 'wrong' });
    expect(await wrong.test(call)).toEqual([
      { name: 'sign-in', ok: false, kind: 'auth', message: expect.stringContaining('clientSecret') },
    ]);
  });
});
