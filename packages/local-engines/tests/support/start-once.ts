import { startPostgres } from '#index';

// Starts PostgreSQL on a folder as the account that runs this, prints the account and the folder that it runs with, and stops it.
const [dataDir = ''] = process.argv.slice(2);
const engine = await startPostgres({ dataDir, durable: false });
process.stdout.write(`${JSON.stringify({ pid: engine.pid, uid: process.getuid?.() })}\n`);
await engine.stop();
