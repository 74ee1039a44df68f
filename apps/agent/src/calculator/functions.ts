import { CalculatorError } from '#calculator/calculator-error';
import { CALCULATOR_LIMITS } from '#calculator/limits';
import { Num } from '#calculator/number';

/**
 * A function of the calculator; `cost` is in points of `CALCULATOR_LIMITS.cost`, about 20 µs each.
 */
export interface CalculatorFunction {
  readonly min: number;
  /** The maximum number of arguments. Infinite for functions of lists. */
  readonly max: number;
  readonly cost: number;
  readonly apply: (values: readonly Num[]) => Num;
}

const first = ([value]: readonly Num[]): Num => value ?? new Num(Number.NaN);
const second = ([, value]: readonly Num[], otherwise: number): Num => value ?? new Num(otherwise);

const one = (cost: number, apply: (value: Num) => Num): CalculatorFunction => ({
  min: 1,
  max: 1,
  cost,
  apply: (values) => apply(first(values)),
});
const list = (apply: (values: readonly Num[]) => Num): CalculatorFunction => ({
  min: 1,
  max: Infinity,
  cost: 1,
  apply,
});

const sum = (values: readonly Num[]): Num => values.reduce((total, value) => total.plus(value), new Num(0));
const mean = (values: readonly Num[]): Num => sum(values).div(values.length);

function median(values: readonly Num[]): Num {
  const sorted = [...values].sort((a, b) => a.cmp(b));
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? first(sorted.slice(middle)) : mean(sorted.slice(middle - 1, middle + 1));
}

/** The sample standard deviation: divides by n − 1. */
function deviation(values: readonly Num[]): Num {
  if (values.length < 2) throw new CalculatorError('stdev needs at least two values.');
  const center = mean(values);
  return sum(values.map((value) => value.minus(center).pow(2)))
    .div(values.length - 1)
    .sqrt();
}

function whole(value: Num, what: string): Num {
  if (!value.isInteger()) throw new CalculatorError(`${what} needs whole numbers.`);
  return value;
}

function greatestCommonDivisor(values: readonly Num[]): Num {
  return values.reduce((left, right) => {
    let [a, b] = [whole(left, 'gcd').abs(), whole(right, 'gcd').abs()];
    // Euclid's remainders at least halve every two steps, and 34 digits are 113 bits.
    for (let step = 0; step < 250 && !b.isZero(); step += 1) [a, b] = [b, a.mod(b)];
    return a;
  });
}

/** Rounds to −30 to 30 decimal places. */
function rounded(values: readonly Num[]): Num {
  const digits = whole(second(values, 0), 'round');
  if (digits.abs().gt(30)) throw new CalculatorError('round takes −30 to 30 digits.');
  const scale = new Num(10).pow(digits);
  // Rounds half away from zero, as people round amounts.
  return first(values).times(scale).toDecimalPlaces(0, Num.ROUND_HALF_UP).div(scale);
}

function angle(value: Num): Num {
  if (value.abs().gt(CALCULATOR_LIMITS.angle))
    throw new CalculatorError('The angle is too large. Angles are in radians.');
  return value;
}

/** Returns n! for an integer n from 0 to the limit. */
export function factorial(value: Num): Num {
  const { factorial: most } = CALCULATOR_LIMITS;
  if (!value.isInteger() || value.isNegative() || value.gt(most)) {
    throw new CalculatorError(`A factorial needs a whole number from 0 to ${most}.`);
  }
  let product = new Num(1);
  for (let n = 2; n <= value.toNumber(); n += 1) product = product.times(n);
  return product;
}

const logarithm = (values: readonly Num[]): Num => Num.log(first(values), second(values, 10));

export const CALCULATOR_FUNCTIONS: Readonly<Record<string, CalculatorFunction>> = {
  abs: one(1, (value) => value.abs()),
  sign: one(1, (value) => new Num(Num.sign(value))),
  floor: one(1, (value) => value.floor()),
  ceil: one(1, (value) => value.ceil()),
  trunc: one(1, (value) => value.trunc()),
  round: { min: 1, max: 2, cost: 4, apply: rounded },
  sqrt: one(4, (value) => value.sqrt()),
  '√': one(4, (value) => value.sqrt()),
  cbrt: one(6, (value) => value.cbrt()),
  exp: one(20, (value) => value.exp()),
  ln: one(25, (value) => value.ln()),
  log: { min: 1, max: 2, cost: 40, apply: logarithm },
  log10: one(30, (value) => value.log(10)),
  log2: one(30, (value) => value.log(2)),
  sin: one(25, (value) => angle(value).sin()),
  cos: one(25, (value) => angle(value).cos()),
  tan: one(40, (value) => angle(value).tan()),
  asin: one(40, (value) => value.asin()),
  acos: one(40, (value) => value.acos()),
  atan: one(40, (value) => value.atan()),
  degrees: one(2, (value) => value.times(180).div(Num.acos(-1))),
  radians: one(2, (value) => value.times(Num.acos(-1)).div(180)),
  pow: { min: 2, max: 2, cost: 45, apply: (values) => power(first(values), second(values, 1)) },
  mod: { min: 2, max: 2, cost: 6, apply: (values) => remainder(first(values), second(values, 1)) },
  min: list((values) => Num.min(...values)),
  max: list((values) => Num.max(...values)),
  sum: list(sum),
  mean: list(mean),
  avg: list(mean),
  average: list(mean),
  median: list(median),
  stdev: list(deviation),
  gcd: { min: 2, max: Infinity, cost: 60, apply: greatestCommonDivisor },
  factorial: one(60, factorial),
};

export const CALCULATOR_CONSTANTS: Readonly<Record<string, Num>> = {
  pi: Num.acos(-1),
  π: Num.acos(-1),
  e: Num.exp(1),
  tau: Num.acos(-1).times(2),
};

/** Returns the remainder with the sign of the divisor, as in mathematics and Python. */
export function remainder(value: Num, divisor: Num): Num {
  if (divisor.isZero()) throw new CalculatorError('Division by zero.');
  // Beyond this, the quotient has too few exact digits for a meaningful remainder.
  if (value.div(divisor).abs().gte('1e34'))
    throw new CalculatorError('The numbers differ too much in size for a remainder.');
  const rest = value.mod(divisor);
  return rest.isZero() || rest.isNegative() === divisor.isNegative() ? rest : rest.plus(divisor);
}

export function power(base: Num, exponent: Num): Num {
  if (base.isZero() && exponent.isNegative()) throw new CalculatorError('Division by zero.');
  if (base.isNegative() && !exponent.isInteger()) {
    throw new CalculatorError('A negative number cannot be raised to a fractional power.');
  }
  return base.pow(exponent);
}
