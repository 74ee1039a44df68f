import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readOptions, USAGE } from '#options';
import { writeReport } from '#report/write-report';
import { runBenchmark } from '#run-benchmark';
import { runCommand } from '#run-command';

await runCommand(USAGE, async (args, print, signal) => {
  const options = readOptions(args);
  if (!options) return print(USAGE);
  const report = writeReport(await runBenchmark(options, print, signal));
  await mkdir(dirname(options.out), { recursive: true });
  await writeFile(options.out, report);
  print(`\n${report}`);
});
