/** Clauses that are not allowed in a condition. */
const CLAUSES =
  /\b(WHERE|LIMIT|OFFSET|HAVING|ORDER\s+BY|GROUP\s+BY|ALL\s+ROWS|FOR\s+(?:VIEW|REFERENCE|UPDATE)|WITH\s+\w+|USING\s+SCOPE)\b/i;

const STRING = /'(?:[^'\\]|\\.)*'/g;

/** Returns what is wrong with a condition for `WHERE (…)`; undefined if no problem is found. */
export function faultOfFilter(filter: string): string | undefined {
  const bare = filter.replace(STRING, "''");
  if (bare.replaceAll("''", '').includes("'"))
    return "has a string that is not closed; write \\' for an apostrophe in a string";
  let depth = 0;
  for (const character of bare) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0) return 'has unbalanced parentheses';
  // A semi-join is a subquery with its own WHERE.
  const outside = withoutInner(bare);
  const clause = CLAUSES.exec(outside)?.[1] ?? /\b(LIMIT|ORDER\s+BY)\b/i.exec(bare)?.[1];
  if (clause === undefined) return undefined;
  return `must be only a condition, for example Industry = 'Energy', without ${clause.toUpperCase().replace(/\s+/g, ' ')}`;
}

/** Returns the text without subqueries. */
function withoutInner(text: string): string {
  let rest = text;
  for (;;) {
    const shorter = rest.replace(/\(\s*SELECT\b[^()]*\)/gi, '()').replace(/\((?!\s*SELECT\b)([^()]*)\)/gi, ' $1 ');
    if (shorter === rest) return rest;
    rest = shorter;
  }
}
