import { type Lectern, LecternConnectionError, LecternError, type Schemas } from '@lectern/sdk';
import { CliError } from '#cli-error';
import type { Shell } from '#command';
import { EXIT } from '#exit-code';
import { oneLine } from '#output/plain-text';
import { plural } from '#output/plural';
import { progressBar } from '#output/progress-bar';

type Job = Schemas['SyncJob'];

const MAX_SHOWN_ERRORS = 20;
const TEMPORARY: readonly string[] = ['unavailable', 'timeout'];

function progressLine({ status, queuedReason, progress }: Job): string {
  const { total, indexed, skipped, deleted, failed } = progress;
  if (status === 'queued') return `queued${queuedReason === undefined ? '' : `: ${oneLine(queuedReason)}`}`;
  const others = [
    [skipped, 'skipped'],
    [deleted, 'deleted'],
    [failed, 'failed'],
  ] as const;
  const counts = others.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : []));
  return [progressBar(indexed + skipped + deleted + failed, total), ...counts].join(' · ');
}

function printResult(job: Job, { output }: Shell): void {
  const { indexed, skipped, deleted, failed } = job.progress;
  output.draw('');
  output.line(
    `${job.status.replaceAll('_', ' ')}: ${indexed} indexed, ${skipped} skipped, ${deleted} deleted, ${failed} failed`,
  );
  for (const { path, message } of job.errors.slice(0, MAX_SHOWN_ERRORS)) {
    output.note(`  ${path ? `${oneLine(path)}: ` : ''}${oneLine(message)}`);
  }
  const more = job.errors.length - MAX_SHOWN_ERRORS;
  if (more > 0) output.note(`  and ${plural(more, 'more error')}`);
}

const isTemporary = (error: unknown): boolean =>
  error instanceof LecternConnectionError || (error instanceof LecternError && TEMPORARY.includes(error.code));

/** Shows the progress of a job until it ends, as a bar on a terminal. Throws `CliError` if the connection is lost. */
export async function followJob(lectern: Lectern, connectorId: string, jobId: string, shell: Shell): Promise<Job> {
  const { signal, output } = shell;
  try {
    for await (const { event, data } of lectern.sync.watch(connectorId, jobId, { signal })) {
      output.draw(progressLine(data));
      if (event !== 'end') continue;
      printResult(data, shell);
      return data;
    }
  } catch (error) {
    output.draw('');
    if (signal.aborted || !isTemporary(error)) throw error;
  }
  throw new CliError(`Lost the connection to the job ${jobId}. The job continues. Check it with: lectern status`, {
    exitCode: EXIT.unavailable,
    code: 'unavailable',
  });
}

/** Returns the exit code for the result of a job. */
export function jobExitCode({ status }: Job): number {
  if (status === 'completed') return EXIT.ok;
  return status === 'completed_with_errors' ? EXIT.incomplete : EXIT.failed;
}
