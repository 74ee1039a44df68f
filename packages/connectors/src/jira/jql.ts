/**
 * JQL. The tokens follow Jira's own grammar: strings in single or double quotes, and a backslash
 * escapes the next character in and outside of quotes.
 * https://support.atlassian.com/jira-software-cloud/docs/jql-operators/
 */

/** Words end at white space, quotes and operators. */
const ORDER_BY = /(?:^|[\s"=<>~!(),&|])ORDER\s+BY(?:[\s"=<>~!(),&|]|$)/i;

/** Returns what is wrong with a condition for `(…)` in a query; undefined if no problem is found. */
export function faultOfJql(jql: string): string | undefined {
  let bare = '';
  let quote: string | undefined;
  let depth = 0;
  for (let at = 0; at < jql.length; at += 1) {
    const character = jql.charAt(at);
    if (character === '\\') {
      if (at + 1 === jql.length) return 'must not end with a backslash';
      at += 1;
      if (quote === undefined) bare += '_';
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
    } else if (character === '"' || character === "'") {
      quote = character;
      bare += '"';
    } else {
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
      if (depth < 0) return 'has unbalanced parentheses';
      bare += character;
    }
  }
  if (quote !== undefined) return `has a string that is not closed; write \\${quote} for a quote in a string`;
  if (depth !== 0) return 'has unbalanced parentheses';
  if (ORDER_BY.test(bare)) return 'must be only a condition, for example status = Done, without ORDER BY';
  return undefined;
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const all = (conditions: readonly (string | undefined)[]): string =>
  conditions.filter((condition) => condition !== undefined).join(' AND ');

const own = (filter: string | undefined): string | undefined => (filter === undefined ? undefined : `(${filter})`);

/** Lists a project. Creation times do not change, so new issues are added at the end. */
export const projectJql = (projectKey: string, filter: string | undefined): string =>
  `${all([`project = ${quoted(projectKey)}`, own(filter)])} ORDER BY created ASC, key ASC`;

/** Finds issues changed since a time. JQL times are in minutes. */
export function changesJql(since: Date, projects: readonly string[], filter: string | undefined): string {
  const time = since.toISOString();
  const among = projects.length === 0 ? undefined : `project in (${projects.map(quoted).join(', ')})`;
  const changed = `updated >= "${time.slice(0, 10)} ${time.slice(11, 16)}"`;
  return `${all([among, changed, own(filter)])} ORDER BY updated ASC, key ASC`;
}

/** Finds these issues if they match the filter. */
export const keysJql = (keys: readonly string[], filter?: string): string =>
  `${all([`key in (${keys.map(quoted).join(', ')})`, own(filter)])} ORDER BY key ASC`;
