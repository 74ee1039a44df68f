import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { databaseError, isStatementError } from '#postgresql/database-error';

const thrownBy = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('databaseError', () => {
  it.each([
    ['a schema', thrownBy(() => z.string().parse(null))],
    ['JSON', thrownBy(() => JSON.parse('{'))],
    ['a buffer', thrownBy(() => Buffer.alloc(1).readInt32BE(0))],
  ])('does not report an error of %s while parsing a result as a failed connection', (_what, error) => {
    expect(databaseError(error)).toMatchObject({ kind: 'invalid', message: expect.stringContaining('cannot read') });
    // Only this table fails, not the listing.
    expect(isStatementError(error)).toBe(true);
  });

  it('reports a failed connection as transient', () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    expect(databaseError(reset)).toMatchObject({ kind: 'transient', message: expect.stringContaining('reached') });
    expect(databaseError(new Error('Connection terminated unexpectedly'))).toMatchObject({ kind: 'transient' });
    expect(isStatementError(reset)).toBe(false);
  });
});
