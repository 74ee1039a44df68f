import { type Connector, SourceError } from '@lectern/connectors';
import type { ConnectionReport } from '@lectern/contracts';
import { orAborted } from '@lectern/resilience';
import { AppError, type Logger } from '@lectern/service-kit';

/** Opens a source and passes it to `work`. */
type WithSource = <T>(work: (source: Connector) => Promise<T>) => Promise<T>;

type Findings = Pick<ConnectionReport, 'checks' | 'error'>;

const failed = (code: string, message: string): Findings => ({
  checks: [{ name: 'connection', ok: false, message }],
  error: { code, message },
});

function findingsOf(error: unknown, log: Logger): Findings {
  if (error instanceof SourceError) return failed(error.kind, error.message);
  if (error instanceof AppError && error.code === 'invalid_request') return failed('invalid', error.message);
  log.warn({ err: error }, 'connection test failed');
  return failed(
    'internal_error',
    'An internal error occurred while the connection was tested. Check the log of the connector service.',
  );
}

async function runChecks(withSource: WithSource, signal: AbortSignal): Promise<Findings> {
  const results = await withSource((source) => source.test({ signal }));
  const failure = results.find(({ ok }) => !ok);
  return {
    checks: results.map(({ name, ok, message }) => ({ name, ok, message })),
    error: failure && { code: failure.kind ?? 'check_failed', message: failure.message },
  };
}

/**
 * Tests a connection and reports what is wrong. Throws only if the caller aborts. Ends after
 * `timeoutMs` even if the source ignores its signal.
 */
export async function testConnection(
  withSource: WithSource,
  {
    signal: caller,
    log,
    timeoutMs,
  }: { readonly signal: AbortSignal; readonly log: Logger; readonly timeoutMs: number },
): Promise<ConnectionReport> {
  caller.throwIfAborted();
  const startedAt = performance.now();
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([caller, deadline]);
  let findings: Findings;
  try {
    findings = await orAborted(runChecks(withSource, signal), signal);
  } catch (error) {
    caller.throwIfAborted();
    findings = deadline.aborted
      ? failed(
          'timeout',
          `The source did not respond within ${timeoutMs / 1_000} seconds. Check its address and the network.`,
        )
      : findingsOf(error, log);
  }
  const latencyMs = Math.round(performance.now() - startedAt);
  return { ...findings, success: findings.error === undefined, latencyMs };
}
