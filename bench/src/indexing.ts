import { parseArgs } from 'node:util';
import { z } from 'zod';
import { runCommand } from '#run-command';
import { measureIndexing, writeIndexingReport } from '#stages/measure-indexing';
import { parseUsage, UsageError } from '#usage-error';

const USAGE = `Usage: npm run bench:indexing -- [options]

  --passages N    approximate number of passages of the synthetic corpus (50000)
  --by WAY        how documents are sent: post (POST …/documents) or upload (Markdown files) (post)
  --rest SEC      seconds without load before memory is measured for the last time (120)
  --profiles DIR  also writes CPU profiles of the parts that index`;

const schema = z.object({
  passages: z.coerce.number<string>().int().min(10).max(10_000_000).default(50_000),
  by: z.enum(['post', 'upload']).default('post'),
  rest: z.coerce.number<string>().min(0).max(3_600).default(120),
  profiles: z.string().optional(),
});

await runCommand(USAGE, async (args, print, signal) => {
  const text = { type: 'string' } as const;
  const options = {
    passages: text,
    by: text,
    rest: text,
    profiles: text,
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { help, ...values } = parseUsage(() => parseArgs({ args: [...args], options }).values);
  if (help) return print(USAGE);
  const checked = schema.safeParse(values);
  if (!checked.success) {
    throw new UsageError(checked.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  }
  print(`\n${writeIndexingReport(await measureIndexing(checked.data, print, signal))}`);
});
