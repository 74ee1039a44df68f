import { describe, expect, it } from '@jest/globals';
import { presentedKey } from '#keys/presented-key';

describe('the key of a request', () => {
  it('comes from either header, or from both where they agree', () => {
    expect(presentedKey({ 'x-service-key': ' k ' })).toBe('k');
    expect(presentedKey({ authorization: 'BEARER\tk' })).toBe('k');
    expect(presentedKey({ 'x-service-key': 'k', authorization: 'Bearer k' })).toBe('k');
    expect(presentedKey({ 'x-service-key': 'k', authorization: 'Basic a' })).toBe('k');
  });

  it('is missing where neither has one, and invalid where they differ', () => {
    expect(() => presentedKey({})).toThrow('API key is required');
    expect(() => presentedKey({ authorization: 'Basic a' })).toThrow('API key is required');
    expect(() => presentedKey({ 'x-service-key': 'k', authorization: 'Bearer j' })).toThrow('two different');
  });
});
