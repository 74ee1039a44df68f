/** Asynchronous code and its synchronous equivalent, in the order in which they are replaced. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\bAsyncGenerator\[([^\]]+), None\]/g, 'Generator[$1, None, None]'],
  [/\bAwaitable\[((?:\w|\[\w+\])+)\]/g, '$1'],
  [/ Awaitable,/g, ''],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\basync (?=def|with|for)/g, ''],
  [/`async with`/g, '`with`'],
  [/\bawait /g, ''],
  [/\b__a(?=(?:enter|exit|iter|next)__)/g, '__'],
  [/\bStopAsyncIteration\b/g, 'StopIteration'],
  [/\ba(?=close\b|iter_bytes\b)/g, ''],
];

/** Converts a module with asynchronous code to the same module with synchronous code. */
export const unasync = (module: string): string =>
  REPLACEMENTS.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), module);
