import { invalidRequest } from '@lectern/service-kit';
import { pathText } from '#http/describe-issue';

/** More than requests need, and within the limits of a protobuf Struct. */
const MAX_DEPTH = 20;

type Path = readonly (string | number)[];

function reject(path: Path, message: string): never {
  throw invalidRequest([{ path: path.length === 0 ? 'body' : pathText(path), message }]);
}

function checkText(value: string, path: Path): void {
  if (value.includes('\0')) reject(path, 'must not contain the character U+0000');
  if (!value.isWellFormed()) reject(path, 'must not contain half a surrogate pair');
}

/**
 * Rejects JSON that PostgreSQL or protobuf cannot store: U+0000, lone surrogates, numbers beyond a
 * double, more than 20 levels, and the name `__proto__`.
 */
export function checkJson(value: unknown, path: Path = []): void {
  if (path.length > MAX_DEPTH) reject(path.slice(0, 3), `must not be nested deeper than ${MAX_DEPTH} levels`);
  if (typeof value === 'string') checkText(value, path);
  else if (typeof value === 'number' && !Number.isFinite(value))
    reject(path, 'must be a number that fits into 64 bits');
  else if (Array.isArray(value)) value.forEach((item, index) => void checkJson(item, [...path, index]));
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      if (name === '__proto__') reject([...path, name], 'is not an allowed name');
      checkText(name, path);
      checkJson(item, [...path, name]);
    }
  }
}
