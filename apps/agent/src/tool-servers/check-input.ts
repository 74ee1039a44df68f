import { createCache } from '@lectern/resilience';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sizeProblem } from '#tool-servers/json-size';
import { SERVER_LIMITS } from '#tool-servers/limits';
import { isTimeout, withinCpu } from '#tool-servers/within-cpu';

type Schema = Readonly<Record<string, unknown>>;

const OPTIONS = { strict: false, validateFormats: false, logger: false } as const;
const OLDER = /draft-0[67]/;
const MAX_ERRORS = 3;

function compile(schema: Schema): ValidateFunction {
  const { $schema, $id: _id, id: _oldId, $async: _async, ...rest } = schema;
  const ajv = typeof $schema === 'string' && OLDER.test($schema) ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  return ajv.compile(rest);
}

const validators = createCache<string, ValidateFunction>({ maxEntries: 500 });

/** Compiled validators by the version of their tool. */
function validatorOf(schema: Schema, version: string): ValidateFunction {
  const known = validators.get(version);
  if (known !== undefined) return known;
  const compiled = withinCpu(() => compile(schema), SERVER_LIMITS.compileMs);
  validators.set(version, compiled);
  return compiled;
}

/**
 * Returns why a tool with this schema cannot be used, or undefined. Only for a thread: it compiles the
 * schema.
 */
export function schemaProblem(schema: Schema): string | undefined {
  if (schema.type !== 'object') return 'Its schema does not describe an object.';
  try {
    withinCpu(() => compile(schema), SERVER_LIMITS.compileMs);
    return undefined;
  } catch (error) {
    return isTimeout(error)
      ? 'Its schema takes too long to check. Simplify it, or refresh the tools to check it again.'
      : 'Its schema is not valid JSON Schema, or refers to another document.';
  }
}

/**
 * Returns why arguments do not match the schema of a tool, for the model, or undefined. Checks their
 * size first. A schema that cannot be checked in time rejects all arguments.
 */
export function inputProblem(
  input: unknown,
  { schema, version }: { readonly schema: Schema; readonly version: string },
): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'they must be one JSON object';
  const size = sizeProblem(input, { bytes: SERVER_LIMITS.inputBytes, depth: SERVER_LIMITS.inputDepth });
  if (size !== undefined) return `the object ${size}`;
  try {
    const validate = validatorOf(schema, version);
    const isValid: unknown = withinCpu(() => validate(input), SERVER_LIMITS.checkMs);
    if (isValid === true) return undefined;
    const errors = (validate.errors ?? []).slice(0, MAX_ERRORS);
    const texts = errors.map(
      ({ instancePath, message = 'is invalid' }) => `${instancePath || 'the object'} ${message}`,
    );
    return texts.join('; ') || 'they do not match the schema';
  } catch {
    return 'they cannot be checked against the schema of the tool';
  }
}
