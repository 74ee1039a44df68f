import { createSecretKey, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** A key that wraps data keys. */
export interface MasterKey {
  readonly version: number;
  readonly key: KeyObject;
}

/**
 * The configured master keys. The current one seals new secrets; the others only open older ones.
 */
export interface MasterKeys {
  readonly current: MasterKey;
  readonly versions: readonly number[];
  find(version: number): MasterKey | undefined;
}

// Error messages never contain any part of a key.
function parseEntry(entry: string, at: number, isAlone: boolean): MasterKey {
  const [, version, text] = /^(?:(\d{1,9}):)?(.*)$/.exec(entry) ?? [];
  const where = `entry ${at + 1}`;
  if (version === undefined && !isAlone) throw new Error(`${where} must have the form version:base64`);
  if (version !== undefined && Number(version) < 1) throw new Error(`${where} has version 0; versions start at 1`);
  const bytes = text !== undefined && BASE64.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  if (bytes.length !== KEY_BYTES) {
    throw new Error(`${where} must be ${KEY_BYTES} random bytes in base64 (openssl rand -base64 ${KEY_BYTES})`);
  }
  return { version: Number(version ?? 1), key: createSecretKey(bytes) };
}

/**
 * Parses `LECTERN_MASTER_KEYS`: `2:base64,1:base64`, where the first key is the current one. A
 * single key without a version has version 1. Throws an `Error` whose message contains no part of a
 * key.
 */
export function parseMasterKeys(text: string): MasterKeys {
  const entries = text.split(',').map((entry) => entry.trim());
  const keys = entries.map((entry, at) => parseEntry(entry, at, entries.length === 1));
  const byVersion = new Map(keys.map((key) => [key.version, key]));
  const [current] = keys;
  if (current === undefined) throw new Error('must contain at least one key');
  if (byVersion.size < keys.length) throw new Error('must not contain a version twice');
  return { current, versions: [...byVersion.keys()], find: (version) => byVersion.get(version) };
}
