import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parseMasterKeys } from '#secrets/master-keys';
import { MasterKeyMissing, rewrap, SealBroken, seal, unseal } from '#secrets/seal';

const one = randomBytes(32).toString('base64');
const two = randomBytes(32).toString('base64');
const keys = parseMasterKeys(`1:${one}`);
const both = parseMasterKeys(`2:${two},1:${one}`);
const owner = { row: 'con_1', team: 'team_1' };
const value = { accessKeyId: 'AKIA', secretAccessKey: 'marked-secret' };

describe('a sealed value', () => {
  it('opens for its row and team and does not contain the plaintext', () => {
    const sealed = seal(keys, value, owner);
    expect(unseal(keys, sealed, owner)).toEqual(value);
    expect(Buffer.from(sealed.sealed).includes('marked-secret')).toBe(false);
    expect(sealed.masterKeyVersion).toBe(1);
  });

  it('is different each time', () => {
    expect(seal(keys, value, owner).sealed).not.toEqual(seal(keys, value, owner).sealed);
  });

  it.each([
    ['another row', { ...owner, row: 'con_2' }],
    ['another team', { ...owner, team: 'team_2' }],
  ])('does not open for %s', (_, other) => {
    expect(() => unseal(keys, seal(keys, value, owner), other)).toThrow(SealBroken);
  });

  it('does not open if one bit changes', () => {
    const sealed = seal(keys, value, owner);
    for (const field of ['sealed', 'wrappedKey'] as const) {
      for (const at of [0, 20, sealed[field].length - 1]) {
        const bytes = Uint8Array.from(sealed[field], (byte, n) => (n === at ? byte ^ 1 : byte));
        expect(() => unseal(keys, { ...sealed, [field]: bytes }, owner)).toThrow(SealBroken);
      }
      expect(() => unseal(keys, { ...sealed, [field]: new Uint8Array(3) }, owner)).toThrow(SealBroken);
    }
  });

  it('opens during a rotation, and afterwards without the old key', () => {
    const sealed = seal(keys, value, owner);
    expect(unseal(both, sealed, owner)).toEqual(value);
    const moved = { ...sealed, ...rewrap(both, sealed, owner) };
    expect(moved.masterKeyVersion).toBe(2);
    expect(unseal(parseMasterKeys(`2:${two}`), moved, owner)).toEqual(value);
    expect(() => unseal(keys, moved, owner)).toThrow(MasterKeyMissing);
  });

  it('does not open with a different key of the same version', () => {
    expect(() => unseal(parseMasterKeys(`1:${two}`), seal(keys, value, owner), owner)).toThrow(SealBroken);
  });
});

describe('LECTERN_MASTER_KEYS', () => {
  it('uses the first key as the current one and accepts a single key without a version', () => {
    expect(both.current.version).toBe(2);
    expect(both.versions).toEqual([2, 1]);
    expect(parseMasterKeys(one).current.version).toBe(1);
    expect(parseMasterKeys(` 7:${one} `).current.version).toBe(7);
  });

  it.each([
    ['empty', ''],
    ['too short', '1:c2hvcnQ='],
    ['not base64', `1:${'#'.repeat(44)}`],
    ['without versions', `${one},${two}`],
    ['with a version twice', `1:${one},1:${two}`],
    ['version 0', `0:${one}`],
  ])('rejects a value that is %s without repeating a key', (_, text) => {
    const message = (() => {
      try {
        parseMasterKeys(text);
      } catch (error) {
        return String(error);
      }
      return '';
    })();
    expect(message).toMatch(/Error: /);
    expect(message).not.toContain(one.slice(0, 8));
  });
});
