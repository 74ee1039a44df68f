import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

const TIMEOUT_MS = 30_000;

/** The longest event loop turn of each process since the last reading, in CPU milliseconds. */
export type Stalls = Readonly<Record<string, number>>;

/** Reads the probes in the processes of a system. */
export interface Probes {
  read(): Promise<Stalls>;
  close(): void;
}

interface Probe {
  readonly name: string;
  readonly socket: Socket;
  readonly lines: AsyncIterator<string>;
  readonly reader: Interface;
}

async function open(name: string, path: string): Promise<Probe> {
  const socket = connect(path);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  // The probe of an exited process returns nothing. The caller detects the exit by the process id.
  socket.on('error', () => undefined);
  const reader = createInterface({ input: socket });
  return { name, socket, reader, lines: reader[Symbol.asyncIterator]() };
}

/** Connects to the probes of the Node processes. */
export async function openProbes(dir: string, pids: Readonly<Record<string, number>>): Promise<Probes> {
  const running = Object.entries(pids).filter(([, pid]) => existsSync(join(dir, `${pid}.sock`)));
  const probes = await Promise.all(running.map(([name, pid]) => open(name, join(dir, `${pid}.sock`))));
  return {
    read: async () => {
      const values = await Promise.all(
        probes.map(async ({ name, socket, lines }) => {
          socket.write('?');
          const late = setTimeout(() => socket.destroy(), TIMEOUT_MS);
          const { value } = await lines.next();
          clearTimeout(late);
          return [name, Number(value ?? 0)] as const;
        }),
      );
      return Object.fromEntries(values);
    },
    close: () => {
      for (const { socket, reader } of probes) {
        reader.close();
        socket.destroy();
      }
    },
  };
}
