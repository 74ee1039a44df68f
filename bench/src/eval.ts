import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareRuns } from '#eval/compare';
import { EVAL_USAGE, readEvalOptions } from '#eval/options';
import { writeEvalReport } from '#eval/report';
import { readPreviousRun, writeRun } from '#eval/result-files';
import { runEval } from '#eval/run-eval';
import { runCommand } from '#run-command';

const RESULTS = fileURLToPath(new URL('../results/eval', import.meta.url));

await runCommand(EVAL_USAGE, async (args, print, signal) => {
  const options = readEvalOptions(args, process.env);
  if (!options) return print(EVAL_USAGE);
  const result = await runEval(options, print, signal);
  const previous = await readPreviousRun(RESULTS, result.corpus);
  const report = writeEvalReport(result, previous, previous && compareRuns(previous, result));
  const { json, markdown } = await writeRun(RESULTS, result, report, options.out);
  print(`\n${report}\nEvery query: ${relative('.', json)}; this report: ${relative('.', markdown)}`);
});
