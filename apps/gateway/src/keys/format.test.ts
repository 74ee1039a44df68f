import { describe, expect, it } from '@jest/globals';
import { kindOfKey, newKey } from '#keys/format';

const ALPHABET = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

describe('kindOfKey', () => {
  it('accepts the published example', () => {
    expect(kindOfKey(`lectern_sk_${'A'.repeat(43)}2ipN78`)).toBe('secret');
  });

  it('distinguishes the kinds', () => {
    expect(kindOfKey(newKey('secret'))).toBe('secret');
    expect(kindOfKey(newKey('publishable'))).toBe('publishable');
  });

  it('accepts 100,000 new keys, all different and of one length, and rejects each with one character changed', () => {
    const keys = new Set<string>();
    for (let n = 0; n < 100_000; n += 1) {
      const key = newKey(n % 2 === 0 ? 'secret' : 'publishable');
      const at = n % key.length;
      const other = ALPHABET[(ALPHABET.indexOf(key[at] ?? '') + 1 + (n % 61)) % 62];
      if (key.length !== 60 || kindOfKey(key) === undefined) throw new Error(`not valid: ${key}`);
      const altered = `${key.slice(0, at)}${other}${key.slice(at + 1)}`;
      if (altered === key || kindOfKey(altered) !== undefined) throw new Error(`accepted: ${altered}`);
      keys.add(key);
    }
    expect(keys.size).toBe(100_000);
  });

  it('rejects every change of a single character', () => {
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
  ])('rejects %j', (text) => {
    expect(kindOfKey(text)).toBeUndefined();
  });
});
