import { CalculatorError } from '#calculator/calculator-error';
import { CALCULATOR_CONSTANTS, CALCULATOR_FUNCTIONS, factorial, power, remainder } from '#calculator/functions';
import { CALCULATOR_LIMITS } from '#calculator/limits';
import { Num } from '#calculator/number';
import { type Token, tokenize } from '#calculator/tokenize';

/** An intermediate value. `percent` marks a percentage that is a term by itself. */
interface Value {
  readonly number: Num;
  readonly percent: boolean;
}

const plain = (number: Num): Value => ({ number, percent: false });

/**
 * Evaluates an arithmetic expression. Total: for any text, returns a finite number or throws a
 * `CalculatorError` within `CALCULATOR_LIMITS`.
 *
 *     sum      = product (('+' | '-') product)*
 *     product  = signed (('*' | '/' | 'mod' | 'of') signed)*
 *     signed   = ('+' | '-') signed | powered
 *     powered  = suffixed ('^' signed)?
 *     suffixed = primary ('%' | '!')*
 *     primary  = number | constant | function '(' sum (',' sum)* ')' | '(' sum ')'
 *
 * A percentage is a hundredth: 15% of 80 is 12. Added to or subtracted from a value, it is a share
 * of that value: 80 + 15% is 92, as on a pocket calculator. `^` is right-associative and binds more
 * tightly than a sign: -2^2 is -4. Angles are in radians.
 */
export function evaluate(expression: string): Num {
  const parser = new Parser(tokenize(expression));
  const { number } = parser.whole();
  return number;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  #cost = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Value {
    if (this.#peek().kind === 'end') throw new CalculatorError('The expression is empty.');
    const value = this.#sum();
    if (this.#peek().kind !== 'end') throw this.#unexpected();
    return value;
  }

  #peek(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new CalculatorError('The expression ends too early.');
    return token;
  }

  #unexpected(): CalculatorError {
    const { kind, text, at } = this.#peek();
    if (kind === 'end') return new CalculatorError('The expression ends too early.');
    return new CalculatorError(`"${text}" at position ${at + 1} is unexpected.`);
  }

  /** Consumes the next token if it is one of these, and returns its text. */
  #take(...texts: readonly string[]): string | undefined {
    const { kind, text } = this.#peek();
    if (kind === 'number' || kind === 'end' || !texts.includes(text)) return undefined;
    this.#at += 1;
    return text;
  }

  #expect(text: string): void {
    if (this.#take(text) === undefined) throw this.#unexpected();
  }

  #deeper<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > CALCULATOR_LIMITS.depth) throw new CalculatorError('The expression is nested too deeply.');
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #done(number: Num, cost: number): Value {
    this.#pay(cost);
    if (number.isNaN()) throw new CalculatorError('The result is not a real number.');
    if (!number.isFinite()) throw new CalculatorError('The result is too large.');
    return plain(number);
  }

  #pay(cost: number): void {
    this.#cost += cost;
    if (this.#cost > CALCULATOR_LIMITS.cost) throw new CalculatorError('The expression has too many operations.');
  }

  #sum(): Value {
    let left = this.#product();
    for (let sign = this.#take('+', '-'); sign !== undefined; sign = this.#take('+', '-')) {
      const right = this.#product();
      const amount = right.percent && !left.percent ? left.number.times(right.number) : right.number;
      const { number } = this.#done(sign === '+' ? left.number.plus(amount) : left.number.minus(amount), 1);
      left = { number, percent: left.percent && right.percent };
    }
    return left;
  }

  #product(): Value {
    let left = this.#signed();
    for (let sign = this.#take('*', '/', 'mod', 'of'); sign !== undefined; sign = this.#take('*', '/', 'mod', 'of')) {
      const right = this.#signed();
      left = this.#done(multiplied(left.number, sign, right.number), 2);
    }
    return left;
  }

  #signed(): Value {
    const sign = this.#take('+', '-');
    if (sign === undefined) return this.#powered();
    const { number, percent } = this.#deeper(() => this.#signed());
    return { number: sign === '-' ? number.neg() : number, percent };
  }

  #powered(): Value {
    const base = this.#suffixed();
    if (this.#take('^') === undefined) return base;
    const exponent = this.#deeper(() => this.#signed());
    // Charged before the operation, because it is the most expensive one.
    this.#pay(45);
    return this.#done(power(base.number, exponent.number), 0);
  }

  #suffixed(): Value {
    let value = this.#primary();
    for (let sign = this.#take('%', '!'); sign !== undefined; sign = this.#take('%', '!')) {
      if (sign === '%') value = { number: this.#done(value.number.div(100), 1).number, percent: true };
      else {
        this.#pay(60);
        value = this.#done(factorial(value.number), 0);
      }
    }
    return value;
  }

  #primary(): Value {
    const token = this.#peek();
    if (token.kind === 'number') {
      this.#at += 1;
      return this.#done(new Num(token.text), 0);
    }
    if (token.kind === 'name') return this.#named(token.text);
    this.#expect('(');
    const value = this.#deeper(() => this.#sum());
    this.#expect(')');
    return plain(value.number);
  }

  #named(name: string): Value {
    const constant = own(CALCULATOR_CONSTANTS, name);
    const called = own(CALCULATOR_FUNCTIONS, name);
    if (constant === undefined && called === undefined) {
      throw new CalculatorError(
        `"${name}" is unknown. Functions: ${Object.keys(CALCULATOR_FUNCTIONS).join(', ')}; constants: pi, e, tau.`,
      );
    }
    this.#at += 1;
    if (called === undefined) return plain(constant ?? new Num(0));
    this.#expect('(');
    const values: Num[] = [];
    do values.push(this.#deeper(() => this.#sum()).number);
    while (this.#take(',') !== undefined);
    this.#expect(')');
    if (values.length < called.min || values.length > called.max) {
      const most = called.max === called.min ? '' : called.max === Infinity ? ' or more' : ` to ${called.max}`;
      throw new CalculatorError(`${name} takes ${called.min}${most} values, not ${values.length}.`);
    }
    this.#pay(called.cost * Math.max(1, called.max === Infinity ? values.length : 1));
    return this.#done(called.apply(values), 0);
  }
}

function multiplied(left: Num, sign: string, right: Num): Num {
  if (sign === '*' || sign === 'of') return left.times(right);
  if (sign === 'mod') return remainder(left, right);
  if (right.isZero()) throw new CalculatorError('Division by zero.');
  return left.div(right);
}

/** Returns a record's own entry, so that names like `constructor` are unknown. */
function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
