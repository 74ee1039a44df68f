import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, createApi, type Json } from './support/api.ts';
import { type SharedLectern, shareLectern } from './support/shared-lectern.ts';

/** A change of a group must take effect within a minute. Lectern promises 5 s. */
const LIMIT_MS = 5_000;
const POLL_MS = 100;

let lectern: SharedLectern;
let team: Api;
let collection: string;
beforeAll(async () => {
  lectern = await shareLectern();
  team = lectern.api;
  collection = (await team.ok('POST', '/api/v1/collections', { name: 'Plans' })).id;
  for (const [title, principals] of [
    ['Open plan', ['public']],
    ['Crew plan', ['group:okta/Crew%20A']],
  ] as const) {
    const document = { title, content: `The heron carries the ${title}.`, principals };
    await team.ok('POST', `/api/v1/collections/${collection}/documents`, document);
  }
  const areIndexed = (rows: Json) => rows.every(({ status }: Json) => status === 'indexed');
  await team.until(`/api/v1/collections/${collection}/documents`, areIndexed);
});

/** Creates a token of a team and returns a client for SCIM. */
async function scimOf(api: Api) {
  const { token, url } = await api.ok('POST', '/api/v1/scim-tokens', { name: 'Okta', provider: 'okta' });
  return async (method: string, path: string, body?: object): Promise<Json> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { method, headers, ...content });
    expect(response.ok).toBe(true);
    return response.status === 204 ? undefined : response.json();
  };
}

/** Signs a person in with a reset link, because SCIM creates no password. Returns the cookie. */
async function signIn(api: Api, person: string): Promise<string> {
  const { url } = await api.ok('POST', `/api/v1/people/${person}/password-reset`);
  const response = await fetch(`${lectern.baseUrl}/api/v1/account-links/use`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Lectern-CSRF': '1' },
    body: JSON.stringify({ token: url.split('#')[1], password: 'a long enough sentence' }),
  });
  expect(response.status).toBeLessThan(300);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** The titles that a person finds, or the status of an error. */
async function found(cookie: string): Promise<readonly string[] | number> {
  const response = await fetch(`${lectern.baseUrl}/api/v1/search`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Lectern-CSRF': '1', Cookie: cookie },
    body: JSON.stringify({ query: 'heron' }),
  });
  if (!response.ok) return response.status;
  const { data }: Json = await response.json();
  return data.results.map(({ title }: Json) => title).toSorted();
}

async function expectSoon(cookie: string, expected: readonly string[] | number): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  let last: unknown;
  do {
    last = await found(cookie);
    if (JSON.stringify(last) === JSON.stringify(expected)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  } while (performance.now() < deadline);
  expect(last).toEqual(expected);
}

describe('a group of an identity provider', () => {
  it('decides what its members find, until they leave it or are deactivated', async () => {
    const scim = await scimOf(team);
    const userName = `ada-${team.teamId}@example.com`;
    const { id } = await scim('POST', '/Users', { userName, displayName: 'Ada' });
    const group = await scim('POST', '/Groups', { displayName: 'Crew A' });
    const cookie = await signIn(team, id);
    expect(await found(cookie)).toEqual(['Open plan']);
    const members = [{ value: id }];
    await scim('PATCH', `/Groups/${group.id}`, { Operations: [{ op: 'add', path: 'members', value: members }] });
    await expectSoon(cookie, ['Crew plan', 'Open plan']);
    const onBehalf = await team.as(userName).call('POST', '/api/v1/search', { query: 'heron' });
    expect(onBehalf.data.results).toHaveLength(2);
    const leave = { op: 'remove', path: `members[value eq "${id}"]` };
    await scim('PATCH', `/Groups/${group.id}`, { Operations: [leave] });
    await expectSoon(cookie, ['Open plan']);
    await scim('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', value: { active: false } }] });
    await expectSoon(cookie, 401);
  });

  it('with the same name gives members of another team nothing', async () => {
    const other = createApi(await lectern.createTeam());
    const scim = await scimOf(other);
    const { id } = await scim('POST', '/Users', { userName: `eve-${other.teamId}@example.com` });
    await scim('POST', '/Groups', { displayName: 'Crew A', members: [{ value: id }] });
    expect(await found(await signIn(other, id))).toEqual([]);
  });
});
