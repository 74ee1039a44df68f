import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readOptions, USAGE, UsageError } from '#options';
import { writeReport } from '#report/write-report';
import { runBenchmark } from '#run-benchmark';

const say = (line: string) => void process.stdout.write(`${line}\n`);
const interruption = new AbortController();

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (!options) return say(USAGE);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second one ends this process at once; what it started ends with it.
    process.once(signal, () => interruption.abort(new Error('Interrupted; nothing was written.')));
  }
  const report = writeReport(await runBenchmark(options, say, interruption.signal));
  await mkdir(dirname(options.out), { recursive: true });
  await writeFile(options.out, report);
  say(`\n${report}`);
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  // An interruption shows in many ways, according to what it met.
  const error: unknown = interruption.signal.aborted ? interruption.signal.reason : thrown;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(error instanceof UsageError ? `${message}\n\n${USAGE}\n` : `${message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
