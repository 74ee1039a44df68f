import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { UsageError } from '#usage-error';

/** The text of `--help`. */
export const EVAL_CHAT_USAGE = `Usage: npm run eval:chat -- --data DIR [options]

  --data DIR      a BEIR folder: corpus.jsonl, queries.jsonl, qrels.tsv; with answers.jsonl ({_id, answers}), citations are checked too
  --questions FILE  questions about a folder of Markdown files instead of a BEIR folder: lines of {_id, text, file, answers}
  --split NAME    uses queries_NAME.jsonl and qrels_NAME.tsv instead
  --model NAME    the model to evaluate (builtin-extractive); a temporary Lectern gets the settings of its provider from the environment
  --suite NAME    answers: every question with the right and with wrong sources (default); altered: with a changed detail in the right source
  --queries N     N judged queries, distributed evenly over all (150)
  --url URL       a running Lectern, instead of a temporary one
  --key KEY       its secret key (environment: LECTERN_API_KEY)
  --team ID       its team (environment: LECTERN_TEAM_ID)
  --out FILE      writes every reply to this file, as JSON lines (none)`;

const SUITES = ['answers', 'altered'] as const;

const schema = z.object({
  data: z.string('a BEIR folder is required').min(1),
  split: z
    .string()
    .regex(/^[\w-]+$/)
    .optional(),
  questions: z.string().min(1).optional(),
  queries: z.coerce.number<string>().int().min(1).max(1_000_000).default(150),
  model: z.string().min(1).default('builtin-extractive'),
  suite: z.enum(SUITES, `must be one of ${SUITES.join(', ')}`).default('answers'),
  url: z.url({ protocol: /^https?$/ }).optional(),
  key: z.string().min(1).optional(),
  team: z.string().min(1).optional(),
  out: z.string().min(1).optional(),
});

/** A running Lectern. */
export interface ChatServer {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly teamId: string;
}

/** The options of an evaluation of answers. */
export interface EvalChatOptions {
  readonly data: string;
  readonly split: string | undefined;
  readonly questions: string | undefined;
  readonly model: string;
  readonly suite: (typeof SUITES)[number];
  readonly queries: number;
  /** Undefined to start a temporary Lectern. */
  readonly server: ChatServer | undefined;
  readonly out: string | undefined;
}

/** Parses the command line. Returns undefined for `--help`. Throws `UsageError`. */
export function readEvalChatOptions(args: readonly string[], env: NodeJS.ProcessEnv): EvalChatOptions | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const checked = schema.safeParse(values);
  if (!checked.success) {
    const issues = checked.error.issues.map(({ path, message }) => `--${String(path[0])}: ${message}`);
    throw new UsageError(issues.join('\n'));
  }
  const {
    url,
    key = env.LECTERN_API_KEY,
    team = env.LECTERN_TEAM_ID,
    out,
    data,
    split,
    questions,
    model,
    suite,
    queries,
  } = checked.data;
  const server = url === undefined ? undefined : readServer(url, key, team);
  return { data, split, questions, model, suite, queries, server, out: out === undefined ? undefined : resolve(out) };
}

function readServer(url: string, secretKey: string | undefined, teamId: string | undefined): ChatServer {
  if (secretKey === undefined) throw new UsageError('--key: the secret key of the Lectern at --url is required');
  if (teamId === undefined) throw new UsageError('--team: the team of the key is required');
  return { baseUrl: url.replace(/\/+$/, ''), secretKey, teamId };
}

function parse(args: readonly string[]) {
  const names = ['data', 'split', 'questions', 'model', 'suite', 'queries', 'url', 'key', 'team', 'out'];
  const flags = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  try {
    return parseArgs({ args: [...args], options: { ...flags, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
