/** What may not stand in a condition: clauses after it, and those that SOQL knows around it. */
const CLAUSES =
  /\b(WHERE|LIMIT|OFFSET|HAVING|ORDER\s+BY|GROUP\s+BY|ALL\s+ROWS|FOR\s+(?:VIEW|REFERENCE|UPDATE)|WITH\s+\w+|USING\s+SCOPE)\b/i;

const STRING = /'(?:[^'\\]|\\.)*'/g;

/** What is wrong with a condition that is to stand within `WHERE (…)`; undefined where nothing is seen to be. */
export function faultOfFilter(filter: string): string | undefined {
  const bare = filter.replace(STRING, "''");
  if (bare.replaceAll("''", '').includes("'")) return "has a text that does not end; write \\' for an apostrophe in it";
  let depth = 0;
  for (const character of bare) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0) return 'has parentheses that do not match';
  // A semi-join is a query of its own in parentheses, with a WHERE of its own.
  const outside = withoutInner(bare);
  const clause = CLAUSES.exec(outside)?.[1] ?? /\b(LIMIT|ORDER\s+BY)\b/i.exec(bare)?.[1];
  if (clause === undefined) return undefined;
  return `must be a condition alone, such as Industry = 'Energy', without ${clause.toUpperCase().replace(/\s+/g, ' ')}`;
}

/** The text without inner queries. */
function withoutInner(text: string): string {
  let rest = text;
  for (;;) {
    const shorter = rest.replace(/\(\s*SELECT\b[^()]*\)/gi, '()').replace(/\((?!\s*SELECT\b)([^()]*)\)/gi, ' $1 ');
    if (shorter === rest) return rest;
    rest = shorter;
  }
}
