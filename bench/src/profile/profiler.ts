import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { basename, dirname, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into every process of the system (`--import profiler.ts?dir=…`). SIGUSR2 starts a CPU
 * profile; the next one writes it to `dir`, named after the part, for Chrome's developer tools.
 */
const folder = new URL(import.meta.url).searchParams.get('dir');
const SAMPLE_EVERY_US = 500;

function listen(dir: string): void {
  let session: Session | undefined;
  process.on('SIGUSR2', async () => {
    if (session === undefined) {
      session = new Session();
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
      await session.post('Profiler.start');
      return;
    }
    const running = session;
    session = undefined;
    const { profile } = await running.post('Profiler.stop');
    running.disconnect();
    mkdirSync(dir, { recursive: true });
    // The folder of `src/main.ts` has the name of the part.
    const part = basename(dirname(dirname(process.argv[1] ?? 'src/node')));
    writeFileSync(join(dir, `${part}.cpuprofile`), JSON.stringify(profile));
  });
}

if (folder !== null && isMainThread) listen(folder);
