import { describe, expect, it } from '@jest/globals';
import { cleanPath } from '#uploads/file-path';

describe('cleanPath', () => {
  it('normalizes relative paths', () => {
    expect(cleanPath('handbook/README.md')).toBe('handbook/README.md');
    expect(cleanPath('handbook\\README.md')).toBe('handbook/README.md');
    expect(cleanPath('cafe\u0301.txt')).toBe('caf\u00e9.txt');
    expect(cleanPath('..hidden/a..b')).toBe('..hidden/a..b');
  });

  it.each([
    '',
    '/etc/passwd',
    '\\\\host\\share',
    'C:\\a.txt',
    '../a',
    'a/../b',
    'a\\..\\b',
    'a/./b',
    'a//b',
    ' ',
    'a/ /b',
    'a/',
    'a\u0000b',
    'a\nb',
    '\ud800',
  ])('rejects %j', (path) => {
    expect(() => cleanPath(path)).toThrow(/^must /);
  });

  it('counts the length in bytes', () => {
    expect(cleanPath('é'.repeat(512))).toHaveLength(512);
    expect(() => cleanPath('é'.repeat(513))).toThrow('1024 bytes');
  });
});
