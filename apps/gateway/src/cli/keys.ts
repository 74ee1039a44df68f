import { runKeysCommand } from '#cli/run-keys-command';

try {
  process.stdout.write(`${await runKeysCommand(process.argv.slice(2), process.env.DATABASE_URL)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
