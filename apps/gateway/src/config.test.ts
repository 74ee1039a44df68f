import { describe, expect, it } from '@jest/globals';
import { readConfig } from '#config';

const read = (url: string) => readConfig({ DATABASE_URL: 'postgresql://localhost/lectern', PUBLIC_URL: url });

describe('PUBLIC_URL', () => {
  it.each([
    'https://lectern.example.com',
    'https://lectern.example.com/',
    'http://localhost:8080',
    'http://[::1]:8080',
  ])('can be %s, without the slash at the end', (url) => {
    expect(read(url).PUBLIC_URL).toBe(url.replace(/\/$/, ''));
  });

  it.each([
    ['https://example.com/lectern', 'without a path'],
    ['https://example.com/?a', 'without a path'],
    ['https://user@example.com', 'without a path'],
    ['ftp://example.com', 'http or https'],
  ])('cannot be %s', (url, reason) => {
    expect(() => read(url)).toThrow(reason);
  });
});
