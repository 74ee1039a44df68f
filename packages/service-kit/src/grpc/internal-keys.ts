import { createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { ConfigError } from '#config-error';

/**
 * The keys that authenticate calls between services: the first key signs, and all keys are
 * accepted.
 */
export type InternalKeys = readonly [KeyObject, ...KeyObject[]];

const SETTING = 'LECTERN_INTERNAL_KEYS';
const MAX_KEYS = 5;
const MIN_CHARACTERS = 32;
const MIN_DISTINCT = 8;
const HOW = 'Create one with `openssl rand -base64 32` and give every service the same value.';

function strengthProblem(key: string): string | undefined {
  if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(key))
    return `must contain only printable ASCII characters without spaces. ${HOW}`;
  if (key.length < MIN_CHARACTERS) return `must have at least ${MIN_CHARACTERS} characters in each key. ${HOW}`;
  if (new Set(key).size < MIN_DISTINCT) return `contains a key that is easy to guess. ${HOW}`;
  return undefined;
}

function check(text: string, context: z.RefinementCtx): InternalKeys {
  const fail = (message: string): never => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const [first, ...rest] = text.split(',').map((key) => key.trim());
  if (!first) return fail(`is not set: services use it to sign calls to each other. ${HOW}`);
  if (rest.length >= MAX_KEYS) return fail(`must contain at most ${MAX_KEYS} keys, with the current one first.`);
  for (const key of [first, ...rest]) {
    const problem = strengthProblem(key);
    if (problem !== undefined) return fail(problem);
  }
  const keyObject = (key: string) => createSecretKey(key, 'utf8');
  return [keyObject(first), ...rest.map(keyObject)];
}

/**
 * The setting with the keys, separated by commas. It applies to the whole process: if a service's
 * settings are built by hand, for example in tests, the keys from the environment are used.
 */
export const internalKeysSetting = z
  .string()
  .prefault(() => process.env[SETTING] ?? '')
  .transform(check);

let known: { readonly text: string; readonly keys: InternalKeys } | undefined;

/**
 * Reads this process's keys from the environment. Throws `ConfigError` if there are none, or if one
 * is weak.
 */
export function processInternalKeys(): InternalKeys {
  const text = process.env[SETTING] ?? '';
  if (known?.text !== text) known = { text, keys: readInternalKeys(text) };
  return known.keys;
}

/** Parses keys from the setting's text. Throws `ConfigError`. */
export function readInternalKeys(text: string): InternalKeys {
  const result = internalKeysSetting.safeParse(text);
  if (!result.success) throw new ConfigError(result.error.issues.map(({ message }) => `${SETTING}: ${message}`));
  return result.data;
}
