import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { fuzzLectern } from '#fuzz-http/fuzz-lectern';
import { writeFuzzReport } from '#fuzz-http/report';
import { runCommand } from '#run-command';
import { UsageError } from '#usage-error';

const DEFAULT_OUT = fileURLToPath(new URL('../results/http-fuzz.md', import.meta.url));

const USAGE = `Usage: npm run fuzz:http -- [options]

Sends generated requests to every operation of a complete system, with publishable and secret keys: valid ones and
mutated ones. Fails if one causes a 5xx response, a broken connection, the end of a process or an event loop stall.

  --requests N     number of requests (20000)
  --seed N         the same seed sends the same requests (1)
  --only INDEX     sends only this request, to replay a finding
  --stall-ms MS    the maximum event loop turn that a request can cause (50)
  --documents N    size of the synthetic corpus (300)
  --out FILE       the file for the report (bench/results/http-fuzz.md)`;

const whole = (min: number, max: number) => z.coerce.number<string>().int().min(min).max(max);
const schema = z.object({
  requests: whole(1, 10_000_000).default(20_000),
  seed: whole(0, 1_000_000).default(1),
  only: whole(0, 10_000_000).optional(),
  'stall-ms': whole(1, 600_000).default(50),
  documents: whole(10, 100_000).default(300),
  out: z
    .string()
    .min(1)
    .default(DEFAULT_OUT)
    .transform((file) => resolve(file)),
});

await runCommand(USAGE, async (args, print, signal) => {
  const checked = schema.safeParse(parse(args));
  if (!checked.success) {
    throw new UsageError(checked.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'));
  }
  const { 'stall-ms': stallMs, out, only, ...rest } = checked.data;
  const result = await fuzzLectern({ ...rest, stallMs, only }, print, signal);
  const report = writeFuzzReport(result);
  await writeFile(out, report);
  print(`\n${report}\nWritten to ${out}`);
  if (result.findings.length > 0) throw new Error(`${result.findings.length} findings.`);
});

function parse(args: readonly string[]): unknown {
  const text = { type: 'string' } as const;
  const options = { requests: text, seed: text, only: text, 'stall-ms': text, documents: text, out: text } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
