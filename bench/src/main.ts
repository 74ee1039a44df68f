import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readOptions, USAGE } from '#options';
import { writeReport } from '#report/write-report';
import { runBenchmark } from '#run-benchmark';
import { runCommand } from '#run-command';

await runCommand(USAGE, async (args, say, signal) => {
  const options = readOptions(args);
  if (!options) return say(USAGE);
  const report = writeReport(await runBenchmark(options, say, signal));
  await mkdir(dirname(options.out), { recursive: true });
  await writeFile(options.out, report);
  say(`\n${report}`);
});
