import { parseArgs } from 'node:util';
import { z } from 'zod';
import { measureCosts } from '#capacity/measure-costs';
import { runCommand } from '#run-command';
import { UsageError } from '#usage-error';

const USAGE = `Usage: npm run bench:capacity -- [options]

Measures the CPU time of each process per query and per document at several sizes, for docs/capacity.md. Linux only.

  --sizes LIST   numbers of documents of the synthetic corpus, ascending (700,3200)
  --queries N    queries per measurement (1000)`;

const schema = z.object({
  sizes: z
    .string()
    .default('700,3200')
    .transform((list) => list.split(',').map(Number))
    .pipe(z.array(z.number().int().min(10).max(1_000_000)).min(1))
    .refine((sizes) => sizes.every((size, at) => at === 0 || size > (sizes[at - 1] ?? 0)), 'must grow'),
  queries: z.coerce.number<string>().int().min(100).max(1_000_000).default(1_000),
});

await runCommand(USAGE, async (args, print, signal) => {
  const checked = schema.safeParse(parse(args));
  if (!checked.success) {
    throw new UsageError(checked.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  }
  await measureCosts(checked.data, print, signal);
});

function parse(args: readonly string[]): unknown {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], options: { sizes: text, queries: text } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
