import { parseArgs } from 'node:util';
import { applyMigrations, prismaOptions } from '@lectern/service-kit';
import { createKeys } from '#cli/create-keys';
import { listKeys } from '#cli/list-keys';
import { ownerLink } from '#cli/owner-link';
import { revokeKeys } from '#cli/revoke-keys';
import { rotateKeys } from '#cli/rotate-keys';
import { listTeams, newTeam } from '#cli/teams';
import { DATABASE_SCHEMA } from '#context';
import { PrismaClient } from '#gen/prisma/client';
import { MIGRATIONS_DIR } from '#server';

/** LECTERN_COMMAND is set if the launcher runs this command. */
const USAGE = `Usage: ${process.env.LECTERN_COMMAND ?? 'node src/cli/keys.ts'} COMMAND
  create --team NAME [--json]   create a key pair, and the team if it does not exist
  list [--json]                 list pairs with their teams
  rotate ID [--overlap SECONDS] [--json]
                                create new keys for a pair; the old ones stop now, or after the overlap
  revoke ID                     revoke a pair; it stops working within 5 s
  owner-link --team NAME [--if-none] [--json]
                                create a one-time link that makes an owner; with --if-none, only if the team has none
  team create NAME [--json]     create a team without keys
  team list [--json]            list teams

Uses the database at DATABASE_URL. A local Lectern uses the database in its data folder by default.`;

/** A wrong use of the command. It is printed without a stack trace. */
class UsageError extends Error {}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        team: { type: 'string' },
        overlap: { type: 'string', default: '0' },
        'if-none': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
      allowPositionals: true,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${why}\n\n${USAGE}`, { cause: error });
  }
}

async function run(db: PrismaClient, { values, positionals }: ReturnType<typeof parse>): Promise<string> {
  const [command, id, name, ...rest] = positionals;
  const { team, overlap, json } = values;
  if (rest.length > 0) throw new UsageError(USAGE);
  if (command === 'team' && id === 'create' && name !== undefined) return newTeam(db, name, json);
  if (name !== undefined) throw new UsageError(USAGE);
  if (command === 'team' && id === 'list') return listTeams(db, json);
  if (command === 'create' && id === undefined && team) return createKeys(db, team, json);
  if (command === 'owner-link' && id === undefined && team)
    return ownerLink(db, team, { json, ifNone: values['if-none'] });
  if (command === 'list' && id === undefined) return listKeys(db, json);
  if (command === 'rotate' && id !== undefined) return rotateKeys(db, id, overlap, json);
  if (command === 'revoke' && id !== undefined) return revokeKeys(db, id);
  throw new UsageError(USAGE);
}

/** Runs the command and returns its output. An error message is meant for the operator. */
export async function runKeysCommand(args: readonly string[], url: string | undefined): Promise<string> {
  const command = parse(args);
  if (command.values.help) return USAGE;
  if (!url) throw new UsageError('DATABASE_URL is not set. Set it to the PostgreSQL URL that the gateway uses.');
  await applyMigrations({ url, schema: DATABASE_SCHEMA, dir: MIGRATIONS_DIR });
  const db = new PrismaClient(prismaOptions({ url, schema: DATABASE_SCHEMA, maxConnections: 1 }));
  try {
    return await run(db, command);
  } finally {
    await db.$disconnect();
  }
}
