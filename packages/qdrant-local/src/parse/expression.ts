import { badInput, formatError } from '../errors.ts';
import { parseJsonPath } from '../json/path.ts';
import { type JsonObject, type JsonValue, ownValue } from '../json/types.ts';
import { parseDatetimeMicros } from '../model/datetime.ts';
import type { Expression, Formula } from '../query/types.ts';
import { readCondition } from './filter.ts';
import { optional, readArray, readNumber, readObject, readPath, readString, required } from './reader.ts';

const maxDepth = 64;
const unaryKinds = ['neg', 'abs', 'sqrt', 'exp', 'log10', 'ln'] as const;
const decayShapes = { lin_decay: 'lin', exp_decay: 'exp', gauss_decay: 'gauss' } as const;
const scoreVariable = /^\$score(?:\[(\d+)\])?$/;

type Variable = Extract<Expression, { kind: 'score' | 'payload' }>;

function readVariable(text: string): Variable {
  if (text.startsWith('$')) {
    const match = scoreVariable.exec(text);
    if (!match) throw badInput(`Validation failed: Invalid reserved variable: ${text}`);
    return { kind: 'score', prefetch: Number(match[1] ?? 0) };
  }
  const path = parseJsonPath(text);
  if (!path) throw badInput(`Validation failed: Invalid payload variable: ${text}`);
  return { kind: 'payload', path };
}

// Returns the parameter of a decay whose score at distance `scale` is `midpoint`.
function decayLambda(shape: 'lin' | 'exp' | 'gauss', midpoint: number, scale: number): number {
  if (scale <= 0) throw badInput(`Validation failed: Decay scale should be non-zero positive, got ${scale}.`);
  if (shape === 'lin') {
    if (midpoint < 0 || midpoint > 1)
      throw badInput(`Validation failed: Linear decay midpoint should be in the range [0.0, 1.0], got ${midpoint}.`);
    return (1 - midpoint) / scale;
  }
  if (midpoint <= 0 || midpoint >= 1)
    throw badInput(`Validation failed: Decay midpoint should be in the range (0.0, 1.0), got ${midpoint}.`);
  return Math.log(midpoint) / (shape === 'exp' ? scale : scale * scale);
}

function readDecay(object: JsonObject, shape: 'lin' | 'exp' | 'gauss', depth: number): Expression {
  const target = optional(object, 'target');
  const midpoint = readNumber(optional(object, 'midpoint') ?? 0.5, 'midpoint');
  const scale = readNumber(optional(object, 'scale') ?? 1, 'scale');
  return {
    kind: 'decay',
    shape,
    x: readExpression(required(object, 'x'), depth),
    target: target === undefined ? undefined : readExpression(target, depth),
    lambda: decayLambda(shape, midpoint, scale),
  };
}

function readDatetime(value: JsonValue): Expression {
  const text = readString(value, 'datetime');
  const micros = parseDatetimeMicros(text);
  if (micros === undefined) throw formatError(`datetime: ${JSON.stringify(text)} is not an RFC 3339 date`);
  // Formulas count whole seconds, as Qdrant's decay examples do (`scale` in seconds).
  return { kind: 'constant', value: micros / 1e6 };
}

function readGeoDistance(value: JsonValue): Expression {
  const object = readObject(value, 'geo_distance');
  const origin = readObject(required(object, 'origin'), 'geo_distance.origin');
  return {
    kind: 'geoDistance',
    path: readPath(required(object, 'to'), 'geo_distance.to'),
    lon: readNumber(required(origin, 'lon'), 'geo_distance.origin.lon'),
    lat: readNumber(required(origin, 'lat'), 'geo_distance.origin.lat'),
  };
}

function readDivision(value: JsonValue, depth: number): Expression {
  const object = readObject(value, 'div');
  const byZero = optional(object, 'by_zero_default');
  return {
    kind: 'div',
    left: readExpression(required(object, 'left'), depth),
    right: readExpression(required(object, 'right'), depth),
    byZeroDefault: byZero === undefined ? undefined : readNumber(byZero, 'by_zero_default'),
  };
}

/** Parses an expression of a formula query. @throws QdrantError 400 or 422 */
function readExpression(value: JsonValue, parentDepth = 0): Expression {
  const depth = parentDepth + 1;
  if (depth > maxDepth) throw formatError(`formula: nested deeper than ${maxDepth} levels`);
  if (typeof value === 'number') return { kind: 'constant', value };
  if (typeof value === 'string') return readVariable(value);
  const object = readObject(value, 'formula');
  for (const kind of ['sum', 'mult'] as const) {
    const terms = ownValue(object, kind);
    if (terms !== undefined) return { kind, terms: readArray(terms, kind).map((term) => readExpression(term, depth)) };
  }
  for (const kind of unaryKinds) {
    const of = ownValue(object, kind);
    if (of !== undefined) return { kind, of: readExpression(of, depth) };
  }
  for (const [key, shape] of Object.entries(decayShapes)) {
    const params = ownValue(object, key);
    if (params !== undefined) return readDecay(readObject(params, key), shape, depth);
  }
  if (Object.hasOwn(object, 'div')) return readDivision(required(object, 'div'), depth);
  if (Object.hasOwn(object, 'pow')) {
    const params = readObject(required(object, 'pow'), 'pow');
    return {
      kind: 'pow',
      base: readExpression(required(params, 'base'), depth),
      exponent: readExpression(required(params, 'exponent'), depth),
    };
  }
  if (Object.hasOwn(object, 'datetime')) return readDatetime(required(object, 'datetime'));
  if (Object.hasOwn(object, 'datetime_key'))
    return { kind: 'datetime', path: readPath(required(object, 'datetime_key'), 'datetime_key') };
  if (Object.hasOwn(object, 'geo_distance')) return readGeoDistance(required(object, 'geo_distance'));
  return { kind: 'condition', condition: readCondition(object, depth) };
}

/** Parses `{formula, defaults}`. @throws QdrantError 400 or 422 */
export function readFormula(object: JsonObject): Formula {
  const scoreDefaults = new Map<number, number>();
  const payloadDefaults = new Map<string, JsonValue>();
  const defaults = optional(object, 'defaults');
  if (defaults !== undefined) {
    for (const [name, value] of Object.entries(readObject(defaults, 'defaults'))) {
      const variable = readVariable(name);
      if (variable.kind === 'payload') payloadDefaults.set(variable.path.text, value);
      else if (typeof value === 'number') scoreDefaults.set(variable.prefetch, value);
    }
  }
  return { expression: readExpression(required(object, 'formula')), scoreDefaults, payloadDefaults };
}
