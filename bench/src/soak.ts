import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { runCommand } from '#run-command';
import { writeSoakReport } from '#soak/report';
import { runSoak, type SoakResult } from '#soak/run-soak';
import { UsageError } from '#usage-error';

const DEFAULT_OUT = fileURLToPath(new URL('../results/soak.md', import.meta.url));

const USAGE = `Usage: npm run bench:soak -- [options]

Puts a steady load of searches, chats, agent runs, uploads, edits, deletes and syncs on a complete system and measures
whether memory grows and latency stays stable.

  --warm-up MINUTES  duration of the warm-up, with three times the load (10)
  --minutes MINUTES  duration of the steady load (30)
  --documents N      size of the synthetic corpus (1000)
  --out FILE         the file for the report (bench/results/soak.md)`;

const minutes = z.coerce.number<string>().min(0.5).max(10_000);
const schema = z.object({
  'warm-up': minutes.default(10),
  minutes: minutes.default(30),
  documents: z.coerce.number<string>().int().min(100).max(1_000_000).default(1_000),
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
  const { 'warm-up': warmUpMinutes, minutes, documents, out } = checked.data;
  const write = async (soFar: SoakResult) => writeFile(out, writeSoakReport(soFar));
  const report = writeSoakReport(await runSoak({ warmUpMinutes, minutes, documents }, print, write, signal));
  await writeFile(out, report);
  print(`\n${report}\nWritten to ${out}`);
});

function parse(args: readonly string[]): unknown {
  const text = { type: 'string' } as const;
  const options = { 'warm-up': text, minutes: text, documents: text, out: text } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
