import { startPostgres } from '#index';

// Starts PostgreSQL, prints its account and data directory, and stops it.
const [dataDir = ''] = process.argv.slice(2);
const engine = await startPostgres({ dataDir, durable: false });
process.stdout.write(`${JSON.stringify({ pid: engine.pid, uid: process.getuid?.() })}\n`);
await engine.stop();
