import type { ConnectionReport } from '@lectern/contracts';

/** What a connection test found. */
export function connectionReport({ success, latencyMs, checks, error }: ConnectionReport) {
  return {
    success,
    latencyMs,
    checks: checks.map(({ name, ok, message }) => ({ name, ok, message })),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}
