import { readFile, rm } from 'node:fs/promises';
import { z } from 'zod';
import type { Home } from '#home';
import { writePrivate } from '#write-private';

const schema = z.object({
  /** The pid of the launcher. */
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
  /** The running processes by name. */
  parts: z.record(z.string(), z.object({ pid: z.number().int(), address: z.string() })),
});

/** The running processes of a home, for the commands, the benchmarks and tests. */
export type State = z.infer<typeof schema>;

/** Reads the state of the running launcher. Returns undefined if none is running. */
export async function readState(home: Home): Promise<State | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(home.state, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** The state of this launcher. Each change is written to the home. */
export interface StateFile {
  update(change: Partial<Omit<State, 'pid' | 'parts'>>): Promise<void>;
  setPart(name: string, part: { readonly pid: number; readonly address: string }): Promise<void>;
  remove(): Promise<void>;
}

/** Replaces the state of an earlier launcher. */
export async function openStateFile(home: Home): Promise<StateFile> {
  let state: State = { pid: process.pid, status: 'starting', parts: {} };
  let written = writePrivate(home.state, state);
  await written;
  /** Writes run one after the other, each with the newest state. */
  const write = (): Promise<void> => {
    written = written.then(() => writePrivate(home.state, state));
    // The caller gets the error. The next write must not fail because of it.
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
