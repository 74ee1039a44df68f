import { readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import type { Home } from '#home';
import { writePrivate } from '#write-private';

const schema = z.object({
  /** The launcher's process. */
  pid: z.number().int(),
  status: z.enum(['starting', 'ready', 'stopping']),
  baseUrl: z.string().optional(),
  /** Connects as the superuser. */
  databaseUrl: z.string().optional(),
  /** Connects as the user with full access. */
  natsUrl: z.string().optional(),
  qdrantUrl: z.string().optional(),
  qdrantApiKey: z.string().optional(),
  /** Signs the calls between services. */
  internalKeys: z.string().optional(),
  /** Each part that runs here, by name. */
  parts: z.record(z.string(), z.object({ pid: z.number().int(), address: z.string() })),
});

/** What runs in a home, for `npm run keys`, the benchmark and tests. */
export type State = z.infer<typeof schema>;

/** The state that a launcher has written; undefined where none runs. */
export async function readState(home: Home): Promise<State | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(home.state, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** The state of this launcher, written to the home at each change. */
export interface StateFile {
  update(change: Partial<Omit<State, 'pid' | 'parts'>>): Promise<void>;
  setPart(name: string, part: { readonly pid: number; readonly address: string }): Promise<void>;
  remove(): Promise<void>;
}

/** Takes the home's state over from an earlier launcher. */
export async function openStateFile(home: Home): Promise<StateFile> {
  let state: State = { pid: process.pid, status: 'starting', parts: {} };
  let written = writePrivate(home.state, state);
  await written;
  /** One write after the other, each with the newest state. */
  const write = (): Promise<void> => {
    written = written.then(() => writePrivate(home.state, state));
    // Who awaits is told; the next write must not fail for the last one's reason.
    const result = written;
    written = written.catch(() => undefined);
    return result;
  };
  return {
    update: (change) => {
      state = { ...state, ...change };
      return write();
    },
    setPart: (name, part) => {
      state = { ...state, parts: { ...state.parts, [name]: part } };
      return write();
    },
    remove: async () => {
      await written;
      await rm(home.state, { force: true });
    },
  };
}
