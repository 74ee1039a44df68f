import { describe, expect, it } from '@jest/globals';
import { readOptions } from '#options';
import { UsageError } from '#usage-error';

describe('readOptions', () => {
  it('has a default for everything', () => {
    expect(readOptions([])).toMatchObject({ queries: 200, clients: [1, 16], seconds: 10, chats: 20 });
    expect(readOptions([])?.out).toMatch(/bench\/results\/latest\.md$/);
  });

  it('reads lists and numbers', () => {
    const options = readOptions(['--clients', '1,4,64', '--documents', '500', '--seconds=2.5']);
    expect(options).toMatchObject({ clients: [1, 4, 64], documents: 500, seconds: 2.5 });
  });

  it('names the invalid option', () => {
    expect(() => readOptions(['--clients', '1,none'])).toThrow(UsageError);
    expect(() => readOptions(['--clients', '1,none'])).toThrow('--clients');
    expect(() => readOptions(['--speed', '9'])).toThrow("'--speed'");
  });

  it('returns undefined for --help', () => {
    expect(readOptions(['--help'])).toBeUndefined();
  });
});
