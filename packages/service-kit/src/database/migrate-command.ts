import { join } from 'node:path';
import { applyMigrations } from '#database/migrate';

// Applies an app's migrations, for jobs that run before a rollout. Services do the same when they start.
const [schema] = process.argv.slice(2);
const url = process.env.DATABASE_URL;
if (!schema || !url) {
  process.stderr.write('Usage: DATABASE_URL=… node migrate-command.ts SCHEMA, in the folder of the app\n');
  process.exit(78);
}
await applyMigrations({ url, schema, dir: join(process.cwd(), 'prisma', 'migrations') });
process.stdout.write(`The schema ${schema} is up to date\n`);
