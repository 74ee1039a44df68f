import { type Connector, SourceError } from '@lectern/connectors';
import type { ConnectionReport } from '@lectern/contracts';
import { AppError, type Logger } from '@lectern/service-kit';

/** Opens a source and does something with it. */
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
  return failed('internal_error', 'Something went wrong on our side while the connection was tested.');
}

async function look(withSource: WithSource, signal: AbortSignal): Promise<Findings> {
  const checks = (await withSource((source) => source.test({ signal }))).map((check) => ({ ...check }));
  const wrong = checks.find(({ ok }) => !ok);
  return { checks, error: wrong && { code: 'check_failed', message: wrong.message } };
}

/**
 * Tests a connection. What is wrong with it is in the report; thrown is only that the caller left. Bounded in time whatever the source
 * does: a client that does not stop when it is told to is left behind.
 */
export async function reportConnection(
  withSource: WithSource,
  {
    signal: caller,
    log,
    timeoutMs,
  }: { readonly signal: AbortSignal; readonly log: Logger; readonly timeoutMs: number },
): Promise<ConnectionReport> {
  const began = performance.now();
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([caller, deadline]);
  const over = Promise.withResolvers<never>();
  const end = () => over.reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  let findings: Findings;
  try {
    const looking = look(withSource, signal);
    looking.catch(() => undefined);
    findings = await Promise.race([looking, over.promise]);
  } catch (error) {
    caller.throwIfAborted();
    findings = deadline.aborted
      ? failed('timeout', `The source did not answer within ${timeoutMs / 1_000} seconds.`)
      : findingsOf(error, log);
  } finally {
    signal.removeEventListener('abort', end);
  }
  return { ...findings, success: findings.error === undefined, latencyMs: Math.round(performance.now() - began) };
}
