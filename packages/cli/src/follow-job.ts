import { type Lectern, LecternConnectionError, LecternError, type Schemas } from '@lectern/sdk';
import { CliError } from '#cli-error';
import type { Shell } from '#command';
import { EXIT } from '#exit-code';
import type { Output } from '#output/output';
import { oneLine } from '#output/plain-text';
import { plural } from '#output/plural';
import { progressBar } from '#output/progress-bar';

type Job = Schemas['SyncJob'];
type FileFailure = Schemas['FileFailure'];

const MAX_SHOWN_PATHS = 5;
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

/** The files that have no text for a search. Reading them again cannot change that. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(['unsupported_format', 'no_text']);

const hasNoText = ({ code }: FileFailure): boolean => WITHOUT_TEXT.has(code);

/** The number of failures that are not listed in `errors`. */
const unlisted = ({ progress, errors }: Job): number => Math.max(0, progress.failed - errors.length);

/** Prints files with the same message together. */
function printFailures(failures: readonly FileFailure[], output: Output): void {
  // Map.groupBy needs Node 21.
  const pathsOf = new Map<string, string[]>();
  for (const { message, path } of failures) {
    const key = oneLine(message);
    pathsOf.set(key, [...(pathsOf.get(key) ?? []), oneLine(path)]);
  }
  for (const [message, all] of pathsOf) {
    const paths = all.filter((path) => path !== '');
    const more = paths.length - MAX_SHOWN_PATHS;
    const shown = paths.slice(0, MAX_SHOWN_PATHS).join(', ');
    if (shown === '') output.note(`  ${message}`);
    else output.note(`  ${shown}${more > 0 ? ` and ${plural(more, 'more file')}` : ''}: ${message}`);
  }
}

function printResult(job: Job, { output }: Shell): void {
  const { indexed, skipped, deleted, failed } = job.progress;
  const withoutText = job.errors.filter(hasNoText);
  const counts = [
    `${indexed} indexed`,
    `${skipped + withoutText.length} skipped`,
    `${deleted} deleted`,
    `${failed - withoutText.length} failed`,
  ];
  output.draw('');
  output.line(`${jobExitCode(job) === EXIT.ok ? 'completed' : job.status.replaceAll('_', ' ')}: ${counts.join(', ')}`);
  if (withoutText.length > 0) output.note('Skipped:');
  printFailures(withoutText, output);
  if (failed > withoutText.length) output.note('Failed:');
  printFailures(
    job.errors.filter((error) => !hasNoText(error)),
    output,
  );
  if (unlisted(job) > 0) output.note(`  and ${plural(unlisted(job), 'more file')}`);
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

/** Returns the exit code for the result of a job. Files without text are no errors. */
export function jobExitCode(job: Job): number {
  if (job.status === 'completed') return EXIT.ok;
  if (job.status !== 'completed_with_errors') return EXIT.failed;
  return unlisted(job) === 0 && job.errors.every(hasNoText) ? EXIT.ok : EXIT.incomplete;
}
