import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { describeStreams, measureStreams } from '#chat/measure-streams';
import { runCommand } from '#run-command';
import { UsageError } from '#usage-error';

const USAGE = `Usage: npm run bench:chat -- [options]

Measures chat streams with a local model server: time to first content compared with the model, then many
concurrent streams.

  --documents N  size of the synthetic corpus (10000)
  --replies N    sequential replies to measure (100)
  --streams N    concurrent streams (200)
  --home DIR     keeps the data in this folder, so that later runs need not index it again`;

const count = (max: number) => z.coerce.number<string>().int().min(1).max(max);
const schema = z.object({
  documents: count(1_000_000).default(10_000),
  replies: count(100_000).default(100),
  streams: count(10_000).default(200),
  home: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional(),
});

await runCommand(USAGE, async (args, print, signal) => {
  const checked = schema.safeParse(parse(args));
  if (!checked.success) {
    throw new UsageError(checked.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  }
  print(`\n${describeStreams(await measureStreams(checked.data, print, signal))}`);
});

function parse(args: readonly string[]): unknown {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], options: { documents: text, replies: text, streams: text, home: text } })
      .values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
