import { describe, expect, it } from '@jest/globals';
import { presentedKey } from '#keys/presented-key';

describe('presentedKey', () => {
  it('returns the key of either header, or of both if they are equal', () => {
    expect(presentedKey({ 'x-service-key': ' k ' })).toBe('k');
    expect(presentedKey({ authorization: 'BEARER\tk' })).toBe('k');
    expect(presentedKey({ 'x-service-key': 'k', authorization: 'Bearer k' })).toBe('k');
    expect(presentedKey({ 'x-service-key': 'k', authorization: 'Basic a' })).toBe('k');
  });

  it('returns undefined if neither header has a key', () => {
    expect(presentedKey({})).toBeUndefined();
    expect(presentedKey({ 'x-service-key': '' })).toBeUndefined();
    expect(presentedKey({ authorization: 'Basic a' })).toBeUndefined();
  });

  it('throws if the two headers differ', () => {
    expect(() => presentedKey({ 'x-service-key': 'k', authorization: 'Bearer j' })).toThrow('two different API keys');
  });
});
