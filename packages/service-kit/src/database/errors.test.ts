import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { databaseErrorCode } from '#database/errors';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts a server that accepts connections and then sends nothing or closes them. */
async function startSilence(hangsUp: boolean): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (hangsUp) socket.destroy();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function failureOf(port: number): Promise<unknown> {
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'x', connectionTimeoutMillis: 100 });
  const failure = await pool.query('SELECT 1').catch((error: unknown) => error);
  await pool.end();
  return failure;
}

describe('databaseErrorCode', () => {
  it('recognizes an unreachable server in all its forms', async () => {
    expect(databaseErrorCode(await failureOf(1))).toBe('unavailable');
    expect(databaseErrorCode(await failureOf(await startSilence(true)))).toBe('unavailable');
    expect(databaseErrorCode(await failureOf(await startSilence(false)))).toBe('unavailable');
  });

  it('treats a server that rejects writes during a failover as unavailable', () => {
    const cause = { originalCode: '25006', originalMessage: 'cannot execute INSERT in a read-only transaction' };
    expect(databaseErrorCode({ code: 'P2010', meta: { driverAdapterError: { cause } } })).toBe('unavailable');
    expect(databaseErrorCode({ cause })).toBe('unavailable');
  });

  it('unwraps errors of the driver', () => {
    const wrapped = { meta: { driverAdapterError: { cause: new Error('Query read timeout') } } };
    expect(databaseErrorCode(wrapped)).toBe('timeout');
    expect(databaseErrorCode(new Error('a bug'))).toBeUndefined();
  });
});
