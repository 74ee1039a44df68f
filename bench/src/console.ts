import { parseArgs } from 'node:util';
import { z } from 'zod';
import { loadReport } from '#console/load-report';
import { measureLoads } from '#console/measure-loads';
import { runCommand } from '#run-command';
import { UsageError } from '#usage-error';

const USAGE = `Usage: npm run bench:console -- [options]

Starts Lectern and loads its console repeatedly in Chromium, each time in a fresh browser.

  --loads N   loads of each page (15)`;

const schema = z.object({ loads: z.coerce.number<string>().int().min(1).max(1_000).default(15) });

await runCommand(USAGE, async (args, print, signal) => {
  const parsed = parse(args);
  if (!parsed.success) throw new UsageError(parsed.error.issues.map(({ message }) => `--loads: ${message}`).join('\n'));
  print(loadReport(await measureLoads(parsed.data.loads, signal)));
});

function parse(args: readonly string[]) {
  try {
    return schema.safeParse(parseArgs({ args: [...args], options: { loads: { type: 'string' } } }).values);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
