import { createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { ConfigError } from '../config-error.ts';

/** What signs the calls between services: the first key signs, and each of them is accepted. */
export type InternalKeys = readonly [KeyObject, ...KeyObject[]];

const SETTING = 'LECTERN_INTERNAL_KEYS';
const MAX_KEYS = 5;
const MIN_CHARACTERS = 32;
const MIN_DISTINCT = 8;
const HOW = 'Make one with `openssl rand -base64 32`, and give the same to every service.';

function strengthProblem(key: string): string | undefined {
  if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(key)) return `may hold printable ASCII characters without spaces alone. ${HOW}`;
  if (key.length < MIN_CHARACTERS) return `must have at least ${MIN_CHARACTERS} characters in each key. ${HOW}`;
  if (new Set(key).size < MIN_DISTINCT) return `holds a key that is easy to guess. ${HOW}`;
  return undefined;
}

function check(text: string, context: z.RefinementCtx): InternalKeys {
  const fail = (message: string): never => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const [first, ...rest] = text.split(',').map((key) => key.trim());
  if (!first) return fail(`is not set: services sign the calls between them with it. ${HOW}`);
  if (rest.length >= MAX_KEYS) return fail(`may hold at most ${MAX_KEYS} keys, the one in use first.`);
  for (const key of [first, ...rest]) {
    const problem = strengthProblem(key);
    if (problem !== undefined) return fail(problem);
  }
  const keyObject = (key: string) => createSecretKey(key, 'utf8');
  return [keyObject(first), ...rest.map(keyObject)];
}

/**
 * The setting that holds the keys, separated by commas. It belongs to the process: where a service's settings are made by hand, as in tests, those of the
 * environment hold.
 */
export const internalKeysSetting = z
  .string()
  .prefault(() => process.env[SETTING] ?? '')
  .transform(check);

let known: { readonly text: string; readonly keys: InternalKeys } | undefined;

/** The keys of this process, from its environment. Throws `ConfigError` where there are none, or weak ones. */
export function processInternalKeys(): InternalKeys {
  const text = process.env[SETTING] ?? '';
  if (known?.text !== text) known = { text, keys: readInternalKeys(text) };
  return known.keys;
}

/** The keys in a text of the setting's form. Throws `ConfigError`. */
export function readInternalKeys(text: string): InternalKeys {
  const result = internalKeysSetting.safeParse(text);
  if (!result.success) throw new ConfigError(result.error.issues.map(({ message }) => `${SETTING}: ${message}`));
  return result.data;
}
