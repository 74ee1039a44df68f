import { createSecretKey, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** A key that data keys are wrapped with. */
export interface MasterKey {
  readonly version: number;
  readonly key: KeyObject;
}

/** The master keys at hand. New secrets are sealed with the current one; the others open what they once sealed. */
export interface MasterKeys {
  readonly current: MasterKey;
  readonly versions: readonly number[];
  find(version: number): MasterKey | undefined;
}

// What is wrong is said without repeating any of it.
function parseEntry(entry: string, at: number, isAlone: boolean): MasterKey {
  const [, version, text] = /^(?:(\d{1,9}):)?(.*)$/.exec(entry) ?? [];
  const where = `entry ${at + 1}`;
  if (version === undefined && !isAlone) throw new Error(`${where} must have the form version:base64`);
  if (version !== undefined && Number(version) < 1) throw new Error(`${where} has the version 0; begin with 1`);
  const bytes = text !== undefined && BASE64.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  if (bytes.length !== KEY_BYTES) {
    throw new Error(`${where} must be ${KEY_BYTES} random bytes in base64 (openssl rand -base64 ${KEY_BYTES})`);
  }
  return { version: Number(version ?? 1), key: createSecretKey(bytes) };
}

/**
 * Reads `LECTERN_MASTER_KEYS`: `2:base64,1:base64`, the first is the current one; a single base64 alone is version 1. Throws an `Error` that
 * says what is wrong and repeats nothing of a key.
 */
export function parseMasterKeys(text: string): MasterKeys {
  const entries = text.split(',').map((entry) => entry.trim());
  const keys = entries.map((entry, at) => parseEntry(entry, at, entries.length === 1));
  const byVersion = new Map(keys.map((key) => [key.version, key]));
  const [current] = keys;
  if (current === undefined) throw new Error('must hold at least one key');
  if (byVersion.size < keys.length) throw new Error('must not name a version twice');
  return { current, versions: [...byVersion.keys()], find: (version) => byVersion.get(version) };
}
