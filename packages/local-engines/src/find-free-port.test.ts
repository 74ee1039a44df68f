import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { findFreePort } from '#find-free-port';

describe('findFreePort', () => {
  it('returns the preferred port if it is free, and another one otherwise', async () => {
    const port = await findFreePort();
    expect(await findFreePort(port)).toBe(port);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(await findFreePort(port)).not.toBe(port);
    await new Promise((resolve) => server.close(resolve));
  });

  it('avoids the ephemeral ports', async () => {
    for (let attempt = 0; attempt < 20; attempt += 1) expect(await findFreePort()).toBeLessThan(32_768);
  });
});
