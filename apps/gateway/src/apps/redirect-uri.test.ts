import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isRegistered, redirectTarget, withParams } from '#apps/redirect-uri';

const REGISTERED = ['https://app.example.com/callback?tenant=1', 'http://127.0.0.1:8080/callback', 'http://[::1]/cb'];

/** Parts with which attackers confuse parsers of URLs. */
const PARTS = [
  'https://',
  'http://',
  'https:',
  'javascript:',
  'data:text/html,',
  'app.example.com',
  '127.0.0.1',
  'localhost',
  '[::1]',
  'evil.example',
  '@',
  ':',
  ':8080',
  '/',
  '//',
  '\\',
  '#',
  '?',
  '%2f',
  '%00',
  '\t',
  '\n',
  ' ',
  '.',
  '..',
  'callback',
  '?tenant=1',
  '\u202e',
  'é',
];
const uris = fc.oneof(
  fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom(...REGISTERED), fc.constantFrom(...PARTS), fc.nat(45)).map(([uri, part, at]) => {
    return uri.slice(0, at) + part + uri.slice(at);
  }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
);

describe('a redirect URI', () => {
  it('is a web site with TLS, this machine, or an app, whatever it contains', () => {
    fc.assert(
      fc.property(uris, (uri) => {
        const target = redirectTarget(uri);
        if (target === undefined) return;
        const { protocol, hostname, host, hash, username } = new URL(uri);
        expect({ hash, username }).toEqual({ hash: '', username: '' });
        expect(uri).not.toMatch(/[\s\\#]/);
        if (target.kind === 'web') expect([protocol, host]).toEqual(['https:', target.name]);
        else if (target.kind === 'app') expect([protocol, protocol.includes('.')]).toEqual([`${target.name}:`, true]);
        else expect(['127.0.0.1', 'localhost', '[::1]']).toContain(hostname);
      }),
      { numRuns: 20_000 },
    );
  });

  it('matches only the registered one, with any port on this machine', () => {
    fc.assert(
      fc.property(uris, (uri) => {
        if (!isRegistered(uri, REGISTERED) || REGISTERED.includes(uri)) return;
        const { hostname, pathname, search } = new URL(uri);
        expect([
          ['127.0.0.1', '/callback', ''],
          ['[::1]', '/cb', ''],
        ]).toContainEqual([hostname, pathname, search]);
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ['https://app.example.com/callback?tenant=1', true],
    ['https://app.example.com/callback', false],
    ['https://app.example.com/callback?tenant=1&x=2', false],
    ['https://app.example.com:443/callback?tenant=1', false],
    ['https://APP.example.com/callback?tenant=1', false],
    ['https://app.example.com/a/../callback?tenant=1', false],
    ['https://app.example.com.evil.example/callback?tenant=1', false],
    ['https://app.example.com@evil.example/callback?tenant=1', false],
    ['http://127.0.0.1:1/callback', true],
    ['http://127.0.0.1/callback', true],
    ['http://127.0.0.1:1@evil.example/callback', false],
    ['http://127.0.0.1:99999/callback', false],
    ['http://127.0.0.1.evil.example/callback', false],
    ['http://localhost:8080/callback', false],
    ['http://127.0.0.1:8080/callback/', false],
    ['https://127.0.0.1:8080/callback', false],
  ])('%s: %s', (uri, isAllowed) => {
    expect(isRegistered(uri, REGISTERED)).toBe(isAllowed);
  });

  it.each([
    ['https://claude.ai/api/mcp/auth_callback', 'web'],
    ['http://localhost:33418', 'device'],
    ['cursor://anysphere.cursor-retrieval/oauth/callback', 'app'],
    ['com.example.app:/callback', 'app'],
    ['http://example.com/callback', undefined],
    ['http://2130706433/callback', undefined],
    ['javascript:alert(1)//x.y', undefined],
    ['data:text/html,x', undefined],
    ['file:///etc/passwd', undefined],
    ['unknown://callback', undefined],
    ['https://app.example.com/#x', undefined],
    ['/callback', undefined],
    ['', undefined],
  ])('%s goes to: %s', (uri, kind) => {
    expect(redirectTarget(uri)?.kind).toBe(kind);
  });

  it('keeps its own query', () => {
    const uri = withParams('https://app.example.com/callback?tenant=1', { code: 'a&b', state: undefined });
    expect(uri).toBe('https://app.example.com/callback?tenant=1&code=a%26b');
  });
});
