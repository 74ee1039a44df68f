import { describe, expect, it } from '@jest/globals';
import { checkSignature } from '#signatures/check-signature';
import { readSignatureHead } from '#signatures/signature-head';

const KEY = `lectern_sk_${'A'.repeat(43)}2ipN78`;
const AT = 1_700_000_000_000;

const bodyOf = (text: string) => ({
  open: () => {
    throw new Error('checkSignature must not open the body');
  },
  buffer: async (_origin: unknown, onBytes: (bytes: Buffer) => void = () => undefined) => onBytes(Buffer.from(text)),
  reject: async () => undefined,
  dispose: async () => undefined,
});

async function check(body: string, signature: string): Promise<void> {
  const headers = { 'x-service-timestamp': String(AT), 'x-service-signature': signature };
  const head = readSignatureHead(headers, { kind: 'secret', requireSignature: false }, AT);
  await checkSignature(head!, KEY, bodyOf(body), { pairId: 'key_1', network: '192.0.2.1' });
}

describe('a signature', () => {
  it.each([
    ['{"query":"café"}', 'cb37bcacf0be6f97e3ce6534883c9b062163941c082291bc84c0f2c8f7057a9e'],
    ['', 'ec4730128af8ed60fdf05aa36d9597755aa139ee165cbe141a9121a65043aef6'],
  ])('over %j matches the documented example, in upper and lower case', async (body, signature) => {
    await check(body, signature);
    await check(body, signature.toUpperCase());
    await expect(check(`${body} `, signature)).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  it.each([
    [300_000, true],
    [-300_000, true],
    [300_001, false],
    [-300_001, false],
  ])('%d ms from the time of the server is accepted: %s', (distance, isAccepted) => {
    const headers = { 'x-service-timestamp': String(AT + distance), 'x-service-signature': 'a'.repeat(64) };
    const read = () => readSignatureHead(headers, { kind: 'secret', requireSignature: false }, AT);
    if (isAccepted) expect(read()).toBeDefined();
    else expect(read).toThrow(expect.objectContaining({ code: 'invalid_signature' }));
  });
});
