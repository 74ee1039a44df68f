import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFixtures } from '#fuzz-http/fixtures';
import { openProbes } from '#fuzz-http/read-probes';
import { type FuzzOptions, type FuzzResult, runFuzz } from '#fuzz-http/run-fuzz';
import { readSpecification } from '#fuzz-http/specification';
import { startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

const PROBE = new URL('./probe.ts', import.meta.url);

/** High rate limits, so that every request is processed. */
const SETTINGS = {
  RATE_LIMIT_SECRET_PER_MINUTE: '1000000',
  RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '1000000',
  RATE_LIMIT_OAUTH_CALLBACKS_PER_MINUTE: '1000000',
};

/** Starts Lectern with probes in its processes, adds sample data and sends generated requests. */
export async function fuzzLectern(
  options: FuzzOptions & { readonly documents: number },
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<FuzzResult> {
  const home = await createTemporaryHome();
  const probeDir = join(tmpdir(), `lectern-probes-${process.pid}`);
  const probe = `${PROBE.href}?dir=${encodeURIComponent(probeDir)}`;
  try {
    const settings = { ...SETTINGS, NODE_OPTIONS: `--import=${probe}` };
    const lectern = await startLectern(home.path, signal, settings);
    try {
      print(`Lectern runs at ${lectern.baseUrl}. Creating documents…`);
      const document: unknown = await (await fetch(`${lectern.baseUrl}/openapi.json`)).json();
      const fixtures = await createFixtures(lectern, options.documents, signal);
      const probes = await openProbes(probeDir, lectern.pids);
      try {
        const target = { lectern, specification: readSpecification(document), fixtures, probes };
        return await runFuzz(target, options, print, signal);
      } finally {
        probes.close();
      }
    } finally {
      await lectern.stop();
    }
  } finally {
    await rm(probeDir, { recursive: true, force: true });
    await home.remove();
  }
}
