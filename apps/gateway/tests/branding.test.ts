import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lectern/service-kit';
import fc from 'fast-check';
import { createLink } from '#identity/link-store';
import { createKeyPair } from '#keys/pair-store';
import { ensureTeam } from '#keys/team-store';
import { expectError } from './support/expect-error.ts';
import { send, startTestGateway, type TestGateway } from './support/gateway.ts';
import { signInAs } from './support/people.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const WEBP = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=', 'base64');
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="url(#a)"/></svg>';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const update = (json: object, key?: string) =>
  gateway.send('PUT', '/api/v1/branding', key === undefined ? { json } : { json, key });
const svgLogo = (text: string) => ({ logo: Buffer.from(text).toString('base64') });
const ofTeam = async (key: string | null = gateway.keys.secretKey) =>
  (await gateway.send('GET', '/api/v1/branding', { key })).json.data;
const onSignInPage = async () => (await gateway.send('GET', '/api/v1/session/branding', { key: null })).json.data;
const NOTHING = { name: null, logoUrl: null, accent: null };

async function newTeam() {
  return createKeyPair(gateway.db, await ensureTeam(gateway.db, newId('request')), 'test');
}

describe('the branding of a team', () => {
  it('is changed part by part, recorded in the audit log, and reset with null', async () => {
    const { secretKey: key } = await newTeam();
    expect(await ofTeam(key)).toEqual(NOTHING);
    const named = await update({ name: '  Acme Answers ', accent: '#0F766E' }, key);
    expect(named.json.data).toMatchObject({ name: 'Acme Answers', accent: '#0f766e', logoUrl: null });
    const withLogo = await update({ logo: PNG.toString('base64') }, key);
    expect(withLogo.json.data).toMatchObject({ name: 'Acme Answers', accent: '#0f766e' });
    expect(withLogo.json.data.logoUrl).toMatch(/^\/branding\/[\w-]{22}$/);
    const { json } = await gateway.send('GET', '/api/v1/audit?action=updateBranding', { key });
    expect(json.data.map(({ details }: { details: object }) => details)).toEqual([
      { logo: `image/png, ${PNG.length} bytes` },
      { name: 'Acme Answers', accent: '#0F766E' },
    ]);
    expect((await update({ name: null, accent: null, logo: null }, key)).json.data).toEqual(NOTHING);
  });

  it('is read by every secret key and person of the team, and changed by admins only', async () => {
    await update({ name: 'Readable' });
    const { teamId, publishableKey, secretKey } = gateway.keys;
    expect(await ofTeam(secretKey)).toMatchObject({ name: 'Readable' });
    expectError(await gateway.send('GET', '/api/v1/branding', { key: publishableKey }), 403, 'forbidden');
    for (const role of ['member', 'editor', 'admin'] as const) {
      const { headers } = await signInAs(gateway.db, teamId, role);
      const as = (method: string, json?: object) =>
        send(gateway.url, '', method, '/api/v1/branding', { key: null, headers, ...(json && { json }) });
      expect((await as('GET')).json.data).toMatchObject({ name: 'Readable' });
      const changed = await as('PUT', { name: 'Readable' });
      if (role === 'admin') expect(changed.status).toBe(200);
      else expectError(changed, 403, 'forbidden', 'role admin');
    }
  });

  it('rejects a change from another site, and one without the header that forms cannot send', async () => {
    const { headers } = await signInAs(gateway.db, gateway.keys.teamId, 'admin');
    for (const forged of [
      { ...headers, 'X-Lectern-CSRF': '' },
      { ...headers, 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      const json = { name: 'Forged' };
      const response = await send(gateway.url, '', 'PUT', '/api/v1/branding', { key: null, headers: forged, json });
      expect(response.status).toBe(403);
    }
    expect(await ofTeam()).not.toMatchObject({ name: 'Forged' });
  });

  it('never contains that of another team', async () => {
    const other = await newTeam();
    await update({ name: 'Secret project', accent: '#aa0000', logo: PNG.toString('base64') }, other.secretKey);
    expect(await ofTeam()).not.toMatchObject({ name: 'Secret project' });
    expect(await ofTeam(gateway.otherKeys.secretKey)).toEqual(NOTHING);
  });
});

describe('the branding of the sign-in page', () => {
  it('is that of Lectern in an installation with several teams, because a visitor belongs to none', async () => {
    await update({ name: 'Hidden', accent: '#0f766e', logo: PNG.toString('base64') });
    expect(await onSignInPage()).toEqual(NOTHING);
  });

  it('is that of the team in an installation with one team', async () => {
    const own = await startTestGateway();
    try {
      const { teamId } = own.otherKeys;
      await own.db.keyPair.deleteMany({ where: { teamId } });
      await own.db.team.delete({ where: { id: teamId } });
      await own.send('PUT', '/api/v1/branding', { json: { name: 'Acme' } });
      const { json } = await own.send('GET', '/api/v1/session/branding', { key: null });
      expect(json.data).toMatchObject({ name: 'Acme' });
    } finally {
      await own.stop();
    }
  });

  it('is shown to whoever has a link to an account of the team', async () => {
    const { teamId, secretKey } = await newTeam();
    await update({ name: 'Invited' }, secretKey);
    const { token } = await createLink(gateway.db, teamId, { purpose: 'owner' }, undefined);
    const { json } = await gateway.send('POST', '/api/v1/account-links/open', {
      key: null,
      json: { token },
      headers: { 'X-Lectern-CSRF': '1' },
    });
    expect(json.data.branding).toMatchObject({ name: 'Invited' });
  });
});

describe('a logo', () => {
  it.each([
    ['PNG', PNG, 'image/png'],
    ['WebP', WEBP, 'image/webp'],
    ['SVG', Buffer.from(SVG), 'image/svg+xml'],
  ])('can be a %s, and is served so that nothing of it runs', async (_name, bytes, type) => {
    const { json } = await update({ logo: bytes.toString('base64') });
    const response = await fetch(`${gateway.url}${json.data.logoUrl}`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox;/);
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  it('has another address after each change, and the earlier one stops working', async () => {
    const first = (await update({ logo: PNG.toString('base64') })).json.data.logoUrl;
    const second = (await update({ logo: PNG.toString('base64') })).json.data.logoUrl;
    expect(second).not.toBe(first);
    expect((await fetch(`${gateway.url}${first}`)).status).toBe(404);
    expect((await fetch(`${gateway.url}${second}`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${gateway.url}${second}`, { method: 'POST' })).status).toBe(405);
    for (const id of ['', 'x', '..%2f..%2fetc', `${second.slice(10)}%00`, 'A'.repeat(22)]) {
      expect((await fetch(`${gateway.url}/branding/${id}`)).status).toBe(404);
    }
  });

  const BOMB = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
  it.each([
    ['a script', SVG.replace('<rect', '<script>alert(1)</script><rect')],
    ['a script of another name space', SVG.replace('<rect', '<svg:script>alert(1)</svg:script><rect')],
    ['an event handler', SVG.replace('<rect', '<rect onload="alert(1)"')],
    ['an event handler on the next line', SVG.replace('<rect', '<rect\nOnLoad = "alert(1)"')],
    ['HTML', SVG.replace('<rect', '<foreignObject><p>x</p></foreignObject><rect')],
    ['a link', SVG.replace('<rect', '<a href="javascript:alert(1)"><rect/></a><rect')],
    ['an image of another address', SVG.replace('<rect', '<image href="https://example.com/a.png"/><rect')],
    ['an animated link', SVG.replace('<rect', '<set attributeName="href" to="x"/><rect')],
    ['entities', BOMB + SVG],
    ['a style sheet', `<?xml-stylesheet href="https://example.com/a.css"?>${SVG}`],
    ['a background of another address', SVG.replace('url(#a)', 'url(https://example.com/a)')],
  ])('cannot be an SVG with %s', async (_name, text) => {
    const response = await update(svgLogo(text));
    expectError(response, 400, 'invalid_request');
    expect(response.json.error.details.issues[0].path).toBe('logo');
  });

  it('is rejected if it is no image, too large or has too many pixels', async () => {
    const wide = Buffer.from(PNG);
    wide.writeUInt32BE(4_096, 16);
    for (const [bytes, reason] of [
      [Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00'), 'PNG, WebP or SVG'],
      [Buffer.from('<html><script>alert(1)</script></html>'), 'PNG, WebP or SVG'],
      [wide, '2048'],
      [Buffer.from(SVG.replace('0 0 32 32', '0 0 9999 32')), '2048'],
    ] as const) {
      const response = await update({ logo: bytes.toString('base64') });
      expectError(response, 400, 'invalid_request');
      expect(response.json.error.details.issues).toEqual([{ path: 'logo', message: expect.stringContaining(reason) }]);
    }
    const large = await update({ logo: Buffer.alloc(110_000, 1).toString('base64') });
    expectError(large, 400, 'invalid_request');
  });

  it('never causes an internal error, whatever the bytes are', async () => {
    const heads = [
      PNG.subarray(0, 16),
      WEBP.subarray(0, 20),
      Buffer.from('<svg '),
      Buffer.from('RIFF'),
      Buffer.alloc(0),
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 200 }), async (head, tail) => {
        const response = await update({ logo: Buffer.concat([head, tail]).toString('base64') });
        expect([200, 400]).toContain(response.status);
      }),
      { numRuns: 60 },
    );
  });
});

describe('invalid branding', () => {
  it.each([
    ['name', { name: '' }],
    ['name', { name: 'a'.repeat(61) }],
    ['name', { name: 'Acme\u202egnp.exe' }],
    ['accent', { accent: 'red' }],
    ['accent', { accent: '#0f766e;background:url(//example.com)' }],
    ['logo', { logo: 'data:image/png;base64,AAAA' }],
  ])('names the field %s: %j', async (path, json) => {
    const response = await update(json);
    expectError(response, 400, 'invalid_request');
    expect(response.json.error.details.issues[0].path).toBe(path);
  });
});
