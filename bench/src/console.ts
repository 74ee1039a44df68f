import { parseArgs } from 'node:util';
import { z } from 'zod';
import { listReport } from '#console/list-report';
import { loadReport } from '#console/load-report';
import { measureList } from '#console/measure-list';
import { measureLoads } from '#console/measure-loads';
import { runCommand } from '#run-command';
import { UsageError } from '#usage-error';

const USAGE = `Usage: npm run bench:console -- [options]

Starts Lectern and loads its console repeatedly in Chromium, each time in a fresh browser.
Then scrolls through a long list of documents.

  --loads N       loads of each page (15); 0 skips them
  --documents N   documents in the list (10000); 0 skips it`;

const schema = z.object({
  loads: z.coerce.number<string>().int().min(0).max(1_000).default(15),
  documents: z.coerce.number<string>().int().min(0).max(100_000).default(10_000),
});

await runCommand(USAGE, async (args, print, signal) => {
  const parsed = parse(args);
  if (!parsed.success) {
    throw new UsageError(parsed.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  }
  const { loads, documents } = parsed.data;
  if (loads > 0) print(loadReport(await measureLoads(loads, signal)));
  if (documents > 0) print(`${loads > 0 ? '\n' : ''}${listReport(await measureList(documents, signal))}`);
});

function parse(args: readonly string[]) {
  try {
    return schema.safeParse(
      parseArgs({ args: [...args], options: { loads: { type: 'string' }, documents: { type: 'string' } } }).values,
    );
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
