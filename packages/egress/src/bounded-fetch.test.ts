import { describe, expect, it } from '@jest/globals';
import { createBoundedFetch } from '#bounded-fetch';
import { EgressError } from '#egress-error';

describe('createBoundedFetch', () => {
  const respond = async () => new Response('x'.repeat(100 * 1_024));

  it.each([
    [64 * 1_024, '64 KiB'],
    [1_024, '1 KiB'],
  ])('reports a response of more than %d bytes with the server and the limit', async (maxBytes, limit) => {
    const fetch = createBoundedFetch(respond, { maxBytes, server: 'The token URL' });
    const error = await (await fetch('https://example.com')).text().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EgressError);
    expect(error).toMatchObject({ message: expect.stringContaining(`The token URL sent more than ${limit} `) });
  });

  it('passes a smaller response on', async () => {
    const fetch = createBoundedFetch(respond, { maxBytes: 1_024 * 1_024, server: 'The server' });
    expect(await (await fetch('https://example.com')).text()).toHaveLength(100 * 1_024);
  });
});
