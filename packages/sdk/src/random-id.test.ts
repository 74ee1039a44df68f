import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { randomId } from './random-id.ts';
import { signatureHeaders } from './sign.ts';

/** Simulates a page served over plain http (https://w3c.github.io/webappsec-secure-contexts/). */
function makeInsecure() {
  const { crypto } = globalThis;
  const getRandomValues = crypto.getRandomValues.bind(crypto) as Crypto['getRandomValues'];
  jest.replaceProperty(globalThis, 'crypto', { getRandomValues } as Crypto);
}
afterEach(() => {
  jest.restoreAllMocks();
});

describe('in an insecure context', () => {
  it('creates unique ids', () => {
    makeInsecure();
    expect(randomId()).toMatch(/^[0-9a-f]{32}$/);
    expect(randomId()).not.toBe(randomId());
  });

  it('explains why it cannot sign', async () => {
    makeInsecure();
    await expect(signatureHeaders('lectern_sk_x', '')).rejects.toThrow('https');
  });
});
