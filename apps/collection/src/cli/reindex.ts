import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { applyMigrations, prismaOptions } from '@lectern/service-kit';
import { followRebuild, type Progress } from '#cli/follow-rebuild';
import { markDocuments } from '#cli/mark-documents';
import { DATABASE_SCHEMA } from '#context';
import { PrismaClient } from '#gen/prisma/client';

/** LECTERN_COMMAND is set if the launcher runs this command. */
const USAGE = `Usage: ${process.env.LECTERN_COMMAND ?? 'node src/cli/reindex.ts'} [--watch | --mark-only]
  Rebuilds all vectors from the texts in PostgreSQL, for example after the vector store was lost. Documents can be found as before
  while the collection service replaces their passages in the background, a few hundred documents at a time.
  --watch                       only show the progress of a running rebuild
  --mark-only                   start the rebuild without waiting for its end
  --since-transaction XID       only documents written by a later PostgreSQL transaction (used when a backup is restored)
  --stall-seconds N             stop if no document is indexed for this long (default 300)

Uses the database at DATABASE_URL. A local Lectern uses the database in its data folder by default.`;

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** An error for the operator, printed without a stack trace. */
class UsageError extends Error {}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        watch: { type: 'boolean', default: false },
        'mark-only': { type: 'boolean', default: false },
        'since-transaction': { type: 'string' },
        'stall-seconds': { type: 'string', default: '300' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const since = values['since-transaction'];
    const stallSeconds = Number(values['stall-seconds']);
    if (since !== undefined && !/^\d{1,19}$/.test(since)) throw new Error('--since-transaction must be a number');
    if (!(stallSeconds >= 1)) throw new Error('--stall-seconds must be 1 or more');
    return { ...values, since: since === undefined ? undefined : BigInt(since), stallMs: stallSeconds * 1_000 };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, { cause: error });
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function run(db: PrismaClient, command: ReturnType<typeof parse>): Promise<void> {
  if (!command.watch) {
    const marked = await markDocuments(db, {
      sinceTransaction: command.since,
      onBatch: (count) => print(`Marked ${count} documents`),
    });
    print(`${marked} documents will be indexed again`);
  }
  if (command['mark-only']) return;
  const { failed } = await followRebuild(db, {
    stallMs: command.stallMs,
    onProgress: ({ remaining }: Progress) => print(`${remaining} documents left`),
  });
  print(failed === 0 ? 'Every document is indexed' : `${failed} documents failed. Their records contain the error.`);
  if (failed > 0) process.exitCode = 1;
}

async function main(args: readonly string[], url: string | undefined): Promise<void> {
  const command = parse(args);
  if (command.help) {
    print(USAGE);
    return;
  }
  if (!url) throw new UsageError('DATABASE_URL is not set. Set it to the PostgreSQL URL that the services use.');
  await applyMigrations({ url, schema: DATABASE_SCHEMA, dir: MIGRATIONS });
  const db = new PrismaClient(prismaOptions({ url, schema: DATABASE_SCHEMA, maxConnections: 1 }));
  try {
    await run(db, command);
  } finally {
    await db.$disconnect();
  }
}

try {
  await main(process.argv.slice(2), process.env.DATABASE_URL);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
