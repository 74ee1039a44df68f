import { parseArgs } from 'node:util';
import { z } from 'zod';
import { runCommand } from '#run-command';
import { measureScale } from '#scale/measure-scale';
import { writeScaleReport } from '#scale/report';
import { UsageError } from '#usage-error';

const USAGE = `Usage: npm run bench:scale -- [options]

Compares the throughput of two replicas with that of one, for search (behind gRPC's round_robin) and the gateway.
Linux, as root: a control group limits each replica to a share of a core, so that a machine with two cores has
capacity for both and for the services that they call.

  --documents N   size of the synthetic corpus (700)
  --clients N     clients, each of which waits for a response before its next request (16)
  --seconds N     time for each service at each number of replicas (20)
  --cores SHARE   the share of a core for each replica (0.1)`;

const schema = z.object({
  documents: z.coerce.number<string>().int().min(10).max(1_000_000).default(700),
  clients: z.coerce.number<string>().int().min(2).max(1_000).default(16),
  seconds: z.coerce.number<string>().min(1).max(3_600).default(20),
  cores: z.coerce.number<string>().min(0.05).max(1).default(0.1),
});

await runCommand(USAGE, async (args, print, signal) => {
  const checked = schema.safeParse(parse(args));
  if (!checked.success) {
    throw new UsageError(checked.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  }
  print(`\n${writeScaleReport(await measureScale(checked.data, print, signal), checked.data)}`);
});

function parse(args: readonly string[]): unknown {
  const text = { type: 'string' } as const;
  const options = { documents: text, clients: text, seconds: text, cores: text } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
