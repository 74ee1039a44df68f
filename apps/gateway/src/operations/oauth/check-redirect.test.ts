import { describe, expect, it } from '@jest/globals';
import { publicUrl } from '#http/public-url';
import { checkRedirect } from '#operations/oauth/check-redirect';

const installation = publicUrl('https://lectern.example.com', 'ignored');
const list = ['https://app.example.com', 'https://other.example.com/done', 'https://third.example.com/in/'];

describe('checkRedirect', () => {
  it.each([
    ['https://lectern.example.com/console/connectors?tab=1'],
    ['https://app.example.com/any/path'],
    ['https://other.example.com/done?x=1'],
    ['https://third.example.com/in/side'],
  ])('allows %s', (url) => {
    expect(checkRedirect(url, list, installation)).toBe(url);
  });

  it.each([
    ['another origin', 'https://evil.example.com/'],
    ['another scheme', 'http://app.example.com/'],
    ['another port', 'https://app.example.com:8443/'],
    ['a host that begins the same', 'https://app.example.com.evil.test/'],
    ['a user before the host', 'https://app.example.com@evil.test/'],
    ['a user before a listed host', 'https://me@app.example.com/'],
    ['a path that begins the same', 'https://other.example.com/done/more'],
    ['a path that leaves the folder', 'https://third.example.com/in/../out'],
    ['a backslash', 'https://evil.test\\@app.example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['no scheme', '//evil.test/'],
    ['a fragment', 'https://app.example.com/#status=success'],
  ])('rejects %s', (_, url) => {
    expect(() => checkRedirect(url, list, installation)).toThrow(/redirectUri/);
  });

  it('allows the host of the request only if it is local', () => {
    const local = publicUrl(undefined, '127.0.0.1:8080');
    expect(checkRedirect('http://127.0.0.1:8080/console', [], local)).toBe('http://127.0.0.1:8080/console');
    const named = publicUrl(undefined, 'evil.test');
    expect(() => checkRedirect('http://evil.test/', [], named)).toThrow(/redirectUri/);
    expect(() => publicUrl(undefined, 'a b')).toThrow(/Host/);
  });
});
