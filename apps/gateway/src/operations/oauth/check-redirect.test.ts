import { describe, expect, it } from '@jest/globals';
import { checkRedirect } from '#operations/oauth/check-redirect';
import { publicAddress } from '#operations/oauth/public-address';

const own = publicAddress('https://lectern.example.com/', 'ignored');
const list = ['https://app.example.com', 'https://other.example.com/done', 'https://third.example.com/in/'];

describe('a redirect after an authorization', () => {
  it.each([
    ['https://lectern.example.com/console/connectors?tab=1'],
    ['https://app.example.com/any/path'],
    ['https://other.example.com/done?x=1'],
    ['https://third.example.com/in/side'],
  ])('may lead to %s', (url) => {
    expect(checkRedirect(url, list, own)).toBe(url);
  });

  it.each([
    ['another origin', 'https://evil.example.com/'],
    ['another scheme', 'http://app.example.com/'],
    ['another port', 'https://app.example.com:8443/'],
    ['a name that begins alike', 'https://app.example.com.evil.test/'],
    ['a user before the host', 'https://app.example.com@evil.test/'],
    ['a user before a listed host', 'https://me@app.example.com/'],
    ['a path that begins alike', 'https://other.example.com/done/more'],
    ['a way out of a folder', 'https://third.example.com/in/../out'],
    ['a backslash', 'https://evil.test\\@app.example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['no scheme', '//evil.test/'],
    ['a fragment', 'https://app.example.com/#status=success'],
  ])('may not lead to %s', (_, url) => {
    expect(() => checkRedirect(url, list, own)).toThrow(/redirectUri/);
  });

  it('may lead to the host that was asked only where that is this machine', () => {
    const local = publicAddress(undefined, '127.0.0.1:8080');
    expect(checkRedirect('http://127.0.0.1:8080/console', [], local)).toBe('http://127.0.0.1:8080/console');
    const named = publicAddress(undefined, 'evil.test');
    expect(() => checkRedirect('http://evil.test/', [], named)).toThrow(/redirectUri/);
    expect(() => publicAddress(undefined, 'a b')).toThrow(/Host/);
  });
});
