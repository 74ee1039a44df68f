import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { basename, dirname, join, parse } from 'node:path';
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
    // A bundle has the name of the part, otherwise the folder of `src/main.ts` has it.
    const program = process.argv[1] ?? 'src/main';
    const name = parse(program).name;
    const part = name === 'main' ? basename(dirname(dirname(program))) : name;
    writeFileSync(join(dir, `${part}.cpuprofile`), JSON.stringify(profile));
  });
}

if (folder !== null && isMainThread) listen(folder);
