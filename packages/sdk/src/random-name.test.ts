import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { randomName } from './random-name.ts';
import { signatureHeaders } from './sign.ts';

/** As a page has it that came over plain http from elsewhere (https://w3c.github.io/webappsec-secure-contexts/). */
function makeInsecure() {
  const { crypto } = globalThis;
  const getRandomValues = crypto.getRandomValues.bind(crypto) as Crypto['getRandomValues'];
  jest.replaceProperty(globalThis, 'crypto', { getRandomValues } as Crypto);
}
afterEach(() => {
  jest.restoreAllMocks();
});

describe('where browsers keep most of WebCrypto back', () => {
  it('names are made all the same, each another', () => {
    makeInsecure();
    expect(randomName()).toMatch(/^[0-9a-f]{32}$/);
    expect(randomName()).not.toBe(randomName());
  });

  it('signing says what is missing', async () => {
    makeInsecure();
    await expect(signatureHeaders('lectern_sk_x', '')).rejects.toThrow('https addresses');
  });
});
