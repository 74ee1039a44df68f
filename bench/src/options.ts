import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { PEERS } from '#targets/peers';
import { UsageError } from '#usage-error';

/** The text of `--help`. */
export const USAGE = `Usage: npm run bench -- [options]

  --documents N   size of the synthetic corpus (2000)
  --queries N     distinct queries (200)
  --data DIR      a BEIR folder (corpus.jsonl, queries.jsonl, qrels.tsv) instead of the synthetic corpus;
                  --documents and --queries then select its first ones
  --clients LIST  numbers of concurrent clients, separated by commas (1,16)
  --seconds N     time for each system at each number of clients (10)
  --chats N       chat messages to measure, 0 for none (20)
  --peers LIST    other engines to compare with, or none (chroma,postgres,minisearch,orama)
  --settle SEC    seconds for which results must be stable after indexing before the load starts, while the built-in
                  embedding learns from the passages; 0 does not wait (60 to 110, by the number of documents)
  --out FILE      the file for the report (bench/results/latest.md)`;

const count = (min: number, max: number) => z.coerce.number<string>().int().min(min).max(max);

const schema = z.object({
  documents: count(10, 1_000_000).optional(),
  queries: count(1, 100_000).default(200),
  data: z.string().min(1).optional(),
  clients: z
    .string()
    .default('1,16')
    .transform((list) => list.split(','))
    .pipe(z.array(count(1, 1_000)).min(1)),
  seconds: z.coerce.number().min(0.2).max(3_600).default(10),
  chats: count(0, 1_000).default(20),
  peers: z
    .string()
    .default(PEERS.join(','))
    .transform((list) => (list === 'none' ? [] : [...new Set(list.split(','))]))
    .pipe(z.array(z.enum(PEERS))),
  settle: z.coerce.number<string>().min(0).max(3_600).optional(),
  out: z.string().min(1).optional(),
});

/** The options of a run. */
export type Options = Omit<z.output<typeof schema>, 'out'> & {
  /** An absolute path. */
  readonly out: string;
};

const DEFAULT_OUT = fileURLToPath(new URL('../results/latest.md', import.meta.url));

/** Parses the command line. Returns undefined for `--help`. Throws `UsageError`. */
export function readOptions(args: readonly string[]): Options | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const checked = schema.safeParse(values);
  if (!checked.success) {
    const issues = checked.error.issues.map(({ path, message }) => `--${String(path[0])}: ${message}`);
    throw new UsageError(issues.join('\n'));
  }
  const { out, ...options } = checked.data;
  return { ...options, out: out === undefined ? DEFAULT_OUT : resolve(out) };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const names = ['documents', 'queries', 'data', 'clients', 'seconds', 'chats', 'peers', 'settle', 'out'];
  const flags = Object.fromEntries(names.map((name) => [name, text]));
  try {
    return parseArgs({ args: [...args], options: { ...flags, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
