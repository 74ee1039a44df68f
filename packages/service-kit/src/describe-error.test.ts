import { describe, expect, it } from '@jest/globals';
import { AppError, ConfigError, createLogger } from '#index';

const MARKER = 'the-secret-salary-of-ada';

function logged(error: unknown): string {
  const lines: string[] = [];
  const log = createLogger({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
  log.warn({ err: error }, 'it failed');
  if (error instanceof Error) log.error(error, 'it failed');
  log.error({ error }, 'it failed');
  return lines.join('');
}

const failing = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('describeError', () => {
  it('omits the messages of libraries, providers, sources and databases', () => {
    const outside = Object.assign(new Error(`HTTP 400: your prompt was ${MARKER}\n    at ${MARKER} (a.ts:1:1)`), {
      status: 400,
      code: '23505',
      detail: `Key (name)=(${MARKER}) already exists.`,
      body: MARKER,
      requestId: 'req_123',
    });
    const errors = [
      outside,
      new AppError('upstream_error', 'The provider failed. Try again.', { cause: outside }),
      new AppError('invalid_request', `filters.${MARKER}: is unknown`, { details: { issues: [MARKER] } }),
      new AggregateError([outside], MARKER),
      failing(() => JSON.parse(`{"a": ${MARKER}`)),
      failing(() => new URL(MARKER)),
      Object.assign(new Error(MARKER), { name: `Error of ${MARKER}`, code: `is ${MARKER}` }),
      MARKER,
    ];
    for (const error of errors) expect(logged(error)).not.toContain(MARKER);
  });

  it('includes code, status, request id and stack', () => {
    const error = Object.assign(new TypeError(MARKER), { status: 400, code: 'invalid_prompt', requestId: 'req_123' });
    const line = logged(new AppError('upstream_error', 'The provider failed. Try again.', { cause: error }));
    for (const part of [
      'The provider failed',
      'TypeError',
      '400',
      'invalid_prompt',
      'req_123',
      'describe-error.test',
    ]) {
      expect(line).toContain(part);
    }
    expect(logged(new ConfigError(['PORT: must be a port']))).toContain('PORT: must be a port');
  });
});
