import { parseArgs } from 'node:util';
import { z } from 'zod';
import { measureScores } from '#console/measure-scores';
import { scoreReport } from '#console/score-report';
import { runCommand } from '#run-command';
import { UsageError } from '#usage-error';

const USAGE = `Usage: npm run bench:lighthouse -- [options]

Starts Lectern and runs Lighthouse on pages of its console and on the API reference.

  --runs N    runs of each page (3); the median counts
  --mobile    measures as a phone on a slow network instead of a desktop computer`;

const schema = z.object({
  runs: z.coerce.number<string>().int().min(1).max(100).default(3),
  mobile: z.boolean().default(false),
});

await runCommand(USAGE, async (args, print, signal) => {
  const parsed = parse(args);
  if (!parsed.success) {
    throw new UsageError(parsed.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  }
  const { runs, mobile } = parsed.data;
  print(scoreReport(await measureScores({ runs, isMobile: mobile }, signal)));
});

function parse(args: readonly string[]) {
  try {
    const options = { runs: { type: 'string' }, mobile: { type: 'boolean' } } as const;
    return schema.safeParse(parseArgs({ args: [...args], options }).values);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
