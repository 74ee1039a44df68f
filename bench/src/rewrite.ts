import { parseArgs } from 'node:util';
import { z } from 'zod';
import { runCommand } from '#run-command';
import { measureRewrite, writeRewrite } from '#stages/measure-rewrite';
import { parseUsage, UsageError } from '#usage-error';

const USAGE = `Usage: npm run bench:rewrite -- [options]

  --documents N   documents of the synthetic corpus (2000)
  --clients N     clients that search all the time (4)
  --rate N        passages per second that get new vectors (500)`;

const schema = z.object({
  documents: z.coerce.number<string>().int().min(100).max(1_000_000).default(2_000),
  clients: z.coerce.number<string>().int().min(1).max(256).default(4),
  rate: z.coerce.number<string>().int().min(1).max(1_000_000).default(500),
});

await runCommand(USAGE, async (args, print, signal) => {
  const text = { type: 'string' } as const;
  const options = { documents: text, clients: text, rate: text, help: { type: 'boolean', short: 'h' } } as const;
  const { help, ...values } = parseUsage(() => parseArgs({ args: [...args], options }).values);
  if (help) return print(USAGE);
  const checked = schema.safeParse(values);
  if (!checked.success) {
    throw new UsageError(checked.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  }
  print(`\n${writeRewrite(await measureRewrite(checked.data, print, signal))}`);
});
