import { describe, expect, it } from '@jest/globals';
import { kindOfKey, newKey } from './format.ts';

const ALPHABET = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

describe('the format of keys', () => {
  it('accepts the published example', () => {
    expect(kindOfKey(`lectern_sk_${'A'.repeat(43)}2ipN78`)).toBe('secret');
  });

  it('tells the kinds apart', () => {
    expect(kindOfKey(newKey('secret'))).toBe('secret');
    expect(kindOfKey(newKey('publishable'))).toBe('publishable');
  });

  it('makes keys of one length that are all different and valid', () => {
    const keys = Array.from({ length: 1_000 }, () => newKey('secret'));
    expect(new Set(keys).size).toBe(1_000);
    for (const key of keys) {
      expect(key).toHaveLength(60);
      expect(kindOfKey(key)).toBe('secret');
    }
  });

  it('refuses every change of a single character', () => {
    const key = newKey('publishable');
    for (let at = 0; at < key.length; at += 1) {
      for (const other of ALPHABET) {
        if (other === key[at]) continue;
        expect(kindOfKey(key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined();
      }
    }
  });

  it.each([
    '',
    'lectern_sk_',
    'x'.repeat(60),
    `${newKey('secret')} `,
    `${newKey('secret')}\n`,
    newKey('secret').slice(1),
  ])('refuses %j', (text) => {
    expect(kindOfKey(text)).toBeUndefined();
  });
});
