import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Identifies a process beyond its pid, which can be reused: its start time and, on Linux, the boot id.
 * Returns undefined if the process is not running or is a zombie.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxIdentity(pid) : psIdentity(pid);
}

function linuxIdentity(pid: number): string | undefined {
  const stat = readOptional(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // proc(5): the command name can contain spaces, so fields are counted after it. Field 22 is the start time.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  return `${fields[18]}@${readOptional('/proc/sys/kernel/random/boot_id')?.trim()}`;
}

function psIdentity(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 }).trim();
  } catch {
    return undefined;
  }
}

/** Returns the command line of a process, separated by spaces. Undefined if it is not readable. */
export function commandLine(pid: number): string | undefined {
  if (process.platform === 'linux') return readOptional(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim();
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 }).trim();
  } catch {
    return undefined;
  }
}

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
