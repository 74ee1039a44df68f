import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { MODES } from '#eval/modes';
import { UsageError } from '#usage-error';

/** The text of `--help`. */
export const EVAL_USAGE = `Usage: npm run eval -- --data DIR [options]

  --data DIR      a BEIR folder: corpus.jsonl, queries.jsonl, qrels.tsv
  --questions FILE
                  questions about a folder of Markdown files instead of a BEIR folder: lines of {_id, text, files}
  --split NAME    uses queries_NAME.jsonl and qrels_NAME.tsv instead
  --queries N     only the first N judged queries
  --documents N   only the first N documents, without the judgments of others: only for trials, because results are too good
  --modes LIST    search modes, separated by commas (hybrid,keyword,semantic)
  --settle SEC    seconds for which results must be stable after indexing, while the built-in embedding learns from the
                  passages; 0 does not wait (60 to 110, by the number of documents)
  --url URL       a running Lectern, instead of a temporary one
  --key KEY       its secret key (environment: LECTERN_API_KEY)
  --out FILE      the file for the results of every query; the report is next to it as .md (bench/results/eval/<corpus>/<time>.json)`;

const count = (min: number, max: number) => z.coerce.number<string>().int().min(min).max(max);
const modes = z
  .string()
  .default(MODES.join(','))
  .transform((list) => [...new Set(list.split(','))])
  .pipe(z.array(z.enum(MODES)).min(1));

const schema = z.object({
  data: z.string('a folder is required').min(1),
  questions: z.string().min(1).optional(),
  split: z
    .string()
    .regex(/^[\w-]+$/)
    .optional(),
  queries: count(1, 1_000_000).optional(),
  documents: count(1, 10_000_000).optional(),
  modes,
  settle: z.coerce.number<string>().min(0).max(3_600).optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  key: z.string().min(1).optional(),
  out: z.string().min(1).optional(),
});

type Checked = z.output<typeof schema>;

/** The options of an evaluation. */
export type EvalOptions = Omit<Checked, 'url' | 'key'> & {
  /** Undefined to start a temporary Lectern. */
  readonly server: { readonly baseUrl: string; readonly secretKey: string } | undefined;
};

/** Parses the command line. Returns undefined for `--help`. Throws `UsageError`. */
export function readEvalOptions(args: readonly string[], env: NodeJS.ProcessEnv): EvalOptions | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const checked = schema.safeParse(values);
  if (!checked.success) {
    const issues = checked.error.issues.map(({ path, message }) => `--${String(path[0])}: ${message}`);
    throw new UsageError(issues.join('\n'));
  }
  const { url, key = env.LECTERN_API_KEY, out, ...options } = checked.data;
  return { ...options, out: out === undefined ? undefined : resolve(out), server: readServer(url, key) };
}

function readServer(url: string | undefined, key: string | undefined): EvalOptions['server'] {
  if (url === undefined) return undefined;
  if (key === undefined) throw new UsageError('--key: the secret key of the Lectern at --url is required');
  return { baseUrl: url.replace(/\/+$/, ''), secretKey: key };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const names = ['data', 'questions', 'split', 'queries', 'documents', 'modes', 'settle', 'url', 'key', 'out'];
  const flags = Object.fromEntries(names.map((name) => [name, text]));
  try {
    return parseArgs({ args: [...args], options: { ...flags, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
