import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '#api/api';
import { type Job, job } from '#api/records';
import { CliError } from '#cli-error';
import type { Shell } from '#command';
import { EXIT } from '#exit-code';
import { oneLine } from '#output/plain-text';
import { progressBar } from '#output/progress-bar';

/** As long as the server streams a job. */
const STREAM_MS = 12 * 60 * 60 * 1_000;
/** Times in a row that a broken stream is taken up again. */
const TRIES = 10;
const PAUSE_MS = 1_000;
const SHOWN_ERRORS = 20;
const ACTIVE: readonly string[] = ['queued', 'running'];

/** Where a job stands, as one line. */
function lineOf({ status, queuedReason, progress }: Job): string {
  const { total, indexed, skipped, deleted, failed } = progress;
  if (status === 'queued') return `waiting${queuedReason === undefined ? '' : `: ${oneLine(queuedReason)}`}`;
  const others = [
    [skipped, 'skipped'],
    [deleted, 'deleted'],
    [failed, 'failed'],
  ] as const;
  const more = others.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : []));
  return [progressBar(indexed + skipped + deleted + failed, total), ...more].join(' · ');
}

/** Tells how a job ended, and what failed in it. */
function tellEnd(ended: Job, { output }: Shell): void {
  const { indexed, skipped, deleted, failed } = ended.progress;
  output.draw('');
  output.line(
    `${ended.status.replaceAll('_', ' ')}: ${indexed} indexed, ${skipped} skipped, ${deleted} deleted, ${failed} failed`,
  );
  for (const { path, message } of ended.errors.slice(0, SHOWN_ERRORS)) {
    output.note(`  ${path ? `${oneLine(path)}: ` : ''}${oneLine(message)}`);
  }
  const more = ended.errors.length - SHOWN_ERRORS;
  if (more > 0) output.note(`  and ${more} more`);
}

/**
 * Watches a job until it ends, with a bar on a terminal. A stream that breaks is taken up again. Throws `CliError` when that fails ten
 * times without news in between.
 */
export async function followJob(api: Api, connectorId: string, jobId: string, shell: Shell): Promise<Job> {
  const path = `/api/v1/connectors/${connectorId}/sync/${jobId}`;
  const { signal, output } = shell;
  for (let failures = 0; failures < TRIES; ) {
    try {
      for await (const { data } of api.events('GET', `${path}/events`, { timeoutMs: STREAM_MS })) {
        const now = job.parse(data);
        failures = 0;
        output.draw(lineOf(now));
        if (ACTIVE.includes(now.status)) continue;
        tellEnd(now, shell);
        return now;
      }
      failures += 1;
    } catch (error) {
      output.draw('');
      const isTemporary = error instanceof CliError && ['unavailable', 'timeout'].includes(error.code);
      if (signal.aborted || !isTemporary) throw error;
      failures += 1;
    }
    await delay(PAUSE_MS, undefined, { signal });
  }
  throw new CliError(`The job ${jobId} goes on, but cannot be watched.`, {
    exitCode: EXIT.unavailable,
    code: 'unavailable',
  });
}

/** What the end of a job means for the command. */
export function exitCodeOf({ status }: Job): number {
  if (status === 'completed') return EXIT.ok;
  return status === 'completed_with_errors' ? EXIT.incomplete : EXIT.failed;
}
