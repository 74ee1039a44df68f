import { describe, expect, it } from '@jest/globals';
import { signatureHeaders } from './sign.ts';

const KEY = `lectern_sk_${'A'.repeat(43)}2ipN78`;
const AT = 1_700_000_000_000;

describe('signatureHeaders', () => {
  it.each([
    ['{"query":"café"}', 'cb37bcacf0be6f97e3ce6534883c9b062163941c082291bc84c0f2c8f7057a9e'],
    ['', 'ec4730128af8ed60fdf05aa36d9597755aa139ee165cbe141a9121a65043aef6'],
  ])('signs %j with the signature that the API expects', async (body, signature) => {
    const expected = { 'X-Service-Timestamp': String(AT), 'X-Service-Signature': signature };
    expect(await signatureHeaders(KEY, body, AT)).toEqual(expected);
    expect(await signatureHeaders(KEY, new TextEncoder().encode(body), AT)).toEqual(expected);
  });
});
