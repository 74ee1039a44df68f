import { parseArgs } from 'node:util';
import { z } from 'zod';
import { profileSearches } from '#profile/profile-searches';
import { runCommand } from '#run-command';
import { parseUsage, UsageError } from '#usage-error';

const USAGE = `Usage: npm run bench:profile -- [options]

Measures the CPU time of each process per search. Linux only.

  --documents N    documents of the synthetic corpus (2000)
  --searches N     searches per version and number of clients (2000)
  --clients LIST   numbers of clients (1,16)
  --rounds N       turns that the searches are divided into (4)
  --home DIR       keeps the corpus in DIR for the next run
  --compare DIR    another checkout: measured in turns, and its responses are compared
  --profiles DIR   also writes CPU profiles of a further turn of this version`;

const count = (fallback: number) => z.coerce.number<string>().int().min(1).max(1_000_000).default(fallback);
const schema = z.object({
  documents: count(2_000),
  searches: count(2_000),
  clients: z
    .string()
    .default('1,16')
    .transform((list) => list.split(',').map(Number))
    .pipe(z.array(z.number().int().min(1).max(256)).min(1)),
  rounds: count(4),
  home: z.string().optional(),
  compare: z.string().optional(),
  profiles: z.string().optional(),
});

await runCommand(USAGE, async (args, print, signal) => {
  const text = { type: 'string' } as const;
  const options = {
    documents: text,
    searches: text,
    clients: text,
    rounds: text,
    home: text,
    compare: text,
    profiles: text,
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { help, ...values } = parseUsage(() => parseArgs({ args: [...args], options }).values);
  if (help) return print(USAGE);
  const checked = schema.safeParse(values);
  if (!checked.success) {
    throw new UsageError(checked.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  }
  await profileSearches(checked.data, print, signal);
});
