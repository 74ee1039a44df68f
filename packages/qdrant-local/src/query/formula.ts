import { badInput } from '../errors.ts';
import type { Condition } from '../filter/types.ts';
import { flatValuesAt, type JsonPath } from '../json/path.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/types.ts';
import { parseDatetimeMicros } from '../model/datetime.ts';
import type { Expression, Formula } from './types.ts';

/** The data of one point that a formula can use. */
export interface FormulaSubject {
  readonly payload: JsonObject;
  /** Returns the point's score in a prefetch, by the prefetch's position. */
  scoreOf(prefetch: number): number | undefined;
  /** Returns whether the point matches a condition that does not only concern its payload. */
  holds(condition: Condition): boolean;
}

const earthRadiusMeters = 6371008.8;

function nonFinite(expression: string): Error {
  return badInput(`The expression ${expression} produced a non-finite number`);
}

function finite(value: number, expression: () => string): number {
  if (!Number.isFinite(value)) throw nonFinite(`${expression()} = ${value}`);
  return value;
}

function wrongType(path: JsonPath, expected: string, description: string): Error {
  return badInput(
    `Expected ${expected} value for ${path.text} in the payload and/or in the formula defaults. Error: ${description}`,
  );
}

// The payload's value, otherwise the default. Several values are an array, which no expression
// accepts.
function variableValue(formula: Formula, subject: FormulaSubject, path: JsonPath, expected: string): JsonValue {
  const found = flatValuesAt(path, subject.payload);
  const first = found[0];
  const value = found.length > 1 ? found : (first ?? formula.payloadDefaults.get(path.text));
  if (value === undefined || value === null)
    throw wrongType(path, expected, 'No value found in a payload nor defaults');
  return value;
}

function haversine(lonA: number, latA: number, lonB: number, latB: number): number {
  const radians = Math.PI / 180;
  const a =
    Math.sin(((latB - latA) * radians) / 2) ** 2 +
    Math.cos(latA * radians) * Math.cos(latB * radians) * Math.sin(((lonB - lonA) * radians) / 2) ** 2;
  return 2 * earthRadiusMeters * Math.asin(Math.sqrt(a));
}

function geoDistance(formula: Formula, subject: FormulaSubject, of: Expression & { kind: 'geoDistance' }): number {
  const value = variableValue(formula, subject, of.path, 'geo point');
  const lon = isJsonObject(value) ? ownValue(value, 'lon') : undefined;
  const lat = isJsonObject(value) ? ownValue(value, 'lat') : undefined;
  if (typeof lon !== 'number' || typeof lat !== 'number')
    throw wrongType(of.path, 'geo point', 'Value is not a geo point');
  return haversine(of.lon, of.lat, lon, lat);
}

function datetimeSeconds(formula: Formula, subject: FormulaSubject, path: JsonPath): number {
  const value = variableValue(formula, subject, path, 'datetime');
  const micros = typeof value === 'string' ? parseDatetimeMicros(value) : undefined;
  if (micros === undefined) throw wrongType(path, 'datetime', 'Value is not a datetime');
  return micros / 1e6;
}

function unary(kind: 'neg' | 'abs' | 'sqrt' | 'exp' | 'log10' | 'ln', value: number): number {
  switch (kind) {
    case 'neg':
      return -value;
    case 'abs':
      return Math.abs(value);
    case 'sqrt':
      return finite(Math.sqrt(value), () => `√${value}`);
    case 'exp':
      return finite(Math.exp(value), () => `exp(${value})`);
    case 'log10':
      return finite(Math.log10(value), () => `log10(${value})`);
    case 'ln':
      return finite(Math.log(value), () => `ln(${value})`);
  }
}

function decay(shape: 'lin' | 'exp' | 'gauss', distance: number, lambda: number): number {
  if (shape === 'lin') return Math.max(0, 1 - lambda * Math.abs(distance));
  return Math.exp(lambda * (shape === 'exp' ? Math.abs(distance) : distance * distance));
}

function evaluate(formula: Formula, subject: FormulaSubject, of: Expression): number {
  const value = (inner: Expression): number => evaluate(formula, subject, inner);
  switch (of.kind) {
    case 'constant':
      return of.value;
    case 'score':
      return subject.scoreOf(of.prefetch) ?? formula.scoreDefaults.get(of.prefetch) ?? 0;
    case 'payload': {
      const found = variableValue(formula, subject, of.path, 'number');
      if (typeof found !== 'number') throw wrongType(of.path, 'number', 'Value is not a number');
      return found;
    }
    case 'condition':
      return subject.holds(of.condition) ? 1 : 0;
    case 'datetime':
      return datetimeSeconds(formula, subject, of.path);
    case 'geoDistance':
      return geoDistance(formula, subject, of);
    case 'sum':
      return of.terms.reduce((sum, term) => sum + value(term), 0);
    case 'mult': {
      let product = 1;
      for (const term of of.terms) {
        const factor = value(term);
        // A zero ends the product, so the values of later factors can be missing.
        if (factor === 0) return 0;
        product *= factor;
      }
      return product;
    }
    case 'div': {
      const left = value(of.left);
      if (left === 0) return 0;
      const right = value(of.right);
      if (right === 0 && of.byZeroDefault !== undefined) return of.byZeroDefault;
      return finite(left / right, () => `${left}/${right}`);
    }
    case 'pow': {
      const base = value(of.base);
      const exponent = value(of.exponent);
      return finite(base ** exponent, () => `${base}^${exponent}`);
    }
    case 'decay':
      return decay(of.shape, value(of.x) - (of.target ? value(of.target) : 0), of.lambda);
    case 'neg':
    case 'abs':
    case 'sqrt':
    case 'exp':
    case 'log10':
    case 'ln':
      return unary(of.kind, value(of.of));
  }
}

/**
 * Calculates a point's score, a 32-bit float.
 *
 * @throws QdrantError 400 for a variable that is missing or has the wrong type
 */
export function evaluateFormula(formula: Formula, subject: FormulaSubject): number {
  return Math.fround(evaluate(formula, subject, formula.expression));
}
