import { join } from 'node:path';
import { startNats, startPostgres, startProcess } from '#index';

/** The launcher of launcher-killed.test.ts: starts engines and a program, and prints their pids. */
const [folder = '', binary = '', port = '0'] = process.argv.slice(2);
const postgres = await startPostgres({ dataDir: join(folder, 'pg'), port: Number(port), durable: false });
const nats = await startNats({ binary, storeDir: join(folder, 'nats') });
const program = await startProcess({
  name: 'program',
  command: process.execPath,
  args: ['-e', `process.on('SIGUSR2', () => process.exit(0)); console.log('up'); setInterval(() => {}, 1000)`],
  readiness: /^up$/,
  stopSignal: 'SIGUSR2',
  pidFile: join(folder, 'program.pid.json'),
});
const started = {
  postgres: { pid: postgres.pid, url: postgres.url, port: postgres.port },
  nats: { pid: nats.pid },
  program: { pid: program.pid },
};
process.stdout.write(`${JSON.stringify(started)}\n`);
