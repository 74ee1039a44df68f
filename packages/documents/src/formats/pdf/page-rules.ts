import { joinRules, noRules, type PageRules, type Rule } from '#layout/rules';

// Operations of PDF.js. Paths have one operation with their points and what to do with them.
const save = 10;
const restore = 11;
const transform = 12;
const formBegin = 74;
const formEnd = 75;
const constructPath = 91;
/** stroke, closeStroke, fill, eoFill, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke; not endPath. */
const paints = (operation: unknown): boolean => typeof operation === 'number' && operation >= 20 && operation <= 27;

const moveTo = 0;
const lineTo = 1;
const curveTo = 2;
const quadraticCurveTo = 3;

/** Shorter lines are parts of letters and symbols. */
const minLength = 8;
/** The largest distance between the ends of a horizontal or vertical line in the other direction. */
const maxSlope = 0.75;
/** A page with more lines is a drawing. */
const maxRules = 20_000;

type Matrix = readonly [number, number, number, number, number, number];

const identity: Matrix = [1, 0, 0, 1, 0, 0];

const asNumber = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/** Not `instanceof`: the arrays of PDF.js can belong to another realm. */
const isNumbers = (value: unknown): value is ArrayLike<number> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);

const asMatrix = (value: unknown): Matrix => {
  const [a, b, c, d, e, f] = isNumbers(value) ? Array.from(value).map(asNumber) : [];
  const matrix: Matrix = [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0];
  return matrix.every(Number.isFinite) ? matrix : identity;
};

const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
];

const apply = (m: Matrix, x: number, y: number): [number, number] => [
  m[0] * x + m[2] * y + m[4],
  m[1] * x + m[3] * y + m[5],
];

interface OpenRules {
  readonly horizontal: Rule[];
  readonly vertical: Rule[];
}

const addLine = (rules: OpenRules, [x1, y1]: [number, number], [x2, y2]: [number, number]): void => {
  const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
  if (height <= maxSlope && width >= minLength) {
    rules.horizontal.push({ at: (y1 + y2) / 2, from: Math.min(x1, x2), to: Math.max(x1, x2) });
  } else if (width <= maxSlope && height >= minLength) {
    rules.vertical.push({ at: (x1 + x2) / 2, from: Math.min(y1, y2), to: Math.max(y1, y2) });
  }
};

const addPath = (rules: OpenRules, path: ArrayLike<number>, matrix: Matrix): void => {
  let start: [number, number] = [0, 0];
  let at = start;
  const point = (index: number) => apply(matrix, asNumber(path[index]), asNumber(path[index + 1]));
  for (let index = 0; index < path.length; ) {
    const step = path[index++];
    if (step === moveTo) {
      start = at = point(index);
      index += 2;
    } else if (step === lineTo) {
      const end = point(index);
      addLine(rules, at, end);
      at = end;
      index += 2;
    } else if (step === curveTo || step === quadraticCurveTo) {
      index += step === curveTo ? 6 : 4;
      at = point(index - 2);
    } else {
      addLine(rules, at, start);
      at = start;
    }
  }
};

interface OperatorList {
  readonly fnArray: ArrayLike<number>;
  readonly argsArray: ArrayLike<unknown>;
}

const listOf = (args: unknown): readonly unknown[] => (Array.isArray(args) ? args : []);

/** Returns the horizontal and vertical lines that the operations of a page draw. */
export const rulesOfOperations = ({ fnArray, argsArray }: OperatorList): PageRules => {
  const rules: OpenRules = { horizontal: [], vertical: [] };
  const stack: Matrix[] = [];
  let matrix = identity;
  for (let index = 0; index < fnArray.length; index++) {
    const operation = fnArray[index];
    const args = listOf(argsArray[index]);
    if (operation === save) stack.push(matrix);
    else if (operation === restore || operation === formEnd) matrix = stack.pop() ?? identity;
    else if (operation === transform) matrix = multiply(matrix, asMatrix(args));
    else if (operation === formBegin) {
      stack.push(matrix);
      matrix = multiply(matrix, asMatrix(args[0]));
    } else if (operation === constructPath && paints(args[0])) {
      const [path] = listOf(args[1]);
      if (isNumbers(path)) addPath(rules, path, matrix);
      if (rules.horizontal.length + rules.vertical.length > maxRules) return noRules;
    }
  }
  return { horizontal: joinRules(rules.horizontal), vertical: joinRules(rules.vertical) };
};

/** Reads the lines drawn on a page; none if its operations are malformed. */
export const readRules = async (page: { getOperatorList(): Promise<OperatorList> }): Promise<PageRules> => {
  try {
    return rulesOfOperations(await page.getOperatorList());
  } catch {
    return noRules;
  }
};
