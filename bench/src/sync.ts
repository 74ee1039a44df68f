import { parseArgs } from 'node:util';
import { z } from 'zod';
import { runCommand } from '#run-command';
import { measureSync } from '#sync/measure-sync';
import { writeSyncReport } from '#sync/sync-report';
import { parseUsage, UsageError } from '#usage-error';

const USAGE = `Usage: npm run bench:sync -- [options]

Syncs small documents from an S3 emulator: all, then without changes, then with one change.

  --documents N     number of documents (10000)
  --kill-every SEC  seconds between kills (SIGKILL) of connector, collection or nats-server during the first sync; 0 for none (0)
  --wipe-after SEC  seconds after which nats-server loses JetStream's data, once; 0 for never (0)
  --seed N          selects which processes are killed (1)`;

const seconds = z.coerce.number<string>().min(0).max(3_600).default(0);
const schema = z.object({
  documents: z.coerce.number<string>().int().min(1).max(1_000_000).default(10_000),
  'kill-every': seconds,
  'wipe-after': seconds,
  seed: z.coerce.number<string>().int().default(1),
});

await runCommand(USAGE, async (args, print, signal) => {
  const text = { type: 'string' } as const;
  const options = { documents: text, 'kill-every': text, 'wipe-after': text, seed: text } as const;
  const checked = schema.safeParse(parseUsage(() => parseArgs({ args: [...args], options }).values));
  if (!checked.success) {
    throw new UsageError(checked.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  }
  const { documents, 'kill-every': killEvery, 'wipe-after': wipeAfter, seed } = checked.data;
  const result = await measureSync({ documents, killEvery, wipeAfter, seed }, print, signal);
  print(`\n${writeSyncReport(result)}`);
});
