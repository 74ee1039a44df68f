import { normalizeRule, problemOfRule, type SynonymRule } from '#synonyms/synonym-rule';

/** A rule and the line that it was read from. */
export interface ParsedLine {
  readonly line: number;
  readonly rule: SynonymRule;
}

/** A line that is not a rule. */
export interface LineProblem {
  readonly line: number;
  readonly message: string;
}

const ARROW = '=>';

/**
 * Reads rules in the format of Solr and Elasticsearch, one per line: `a, b c` is two-way,
 * `a, b => c` one-way. `#` starts a comment line, a backslash takes the next character literally.
 */
export function parseSolrSynonyms(text: string): {
  readonly lines: readonly ParsedLine[];
  readonly problems: readonly LineProblem[];
} {
  const lines: ParsedLine[] = [];
  const problems: LineProblem[] = [];
  const rows = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  for (const [at, row] of rows.entries()) {
    const line = at + 1;
    const content = row.trim();
    if (content === '' || content.startsWith('#')) continue;
    const sides = splitSides(content);
    if (sides.length > 2) {
      problems.push({ line, message: 'must have at most one =>' });
      continue;
    }
    const [first = [], second] = sides;
    if (second !== undefined && first.every((term) => term.trim() === '')) {
      problems.push({ line, message: 'must have a term before =>' });
      continue;
    }
    const rule = normalizeRule(second === undefined ? { input: [], terms: first } : { input: first, terms: second });
    const problem = problemOfRule(rule);
    if (problem === undefined) lines.push({ line, rule });
    else problems.push({ line, message: problem.message });
  }
  return { lines, problems };
}

/** Splits a line at `=>`, and each side at commas. */
function splitSides(content: string): readonly (readonly string[])[] {
  const sides: string[][] = [];
  let terms: string[] = [];
  let term = '';
  for (let at = 0; at < content.length; at++) {
    const character = content.charAt(at);
    if (character === '\\' && at + 1 < content.length) term += content.charAt(++at);
    else if (character === ',') {
      terms.push(term);
      term = '';
    } else if (content.startsWith(ARROW, at)) {
      sides.push([...terms, term]);
      terms = [];
      term = '';
      at += ARROW.length - 1;
    } else term += character;
  }
  return [...sides, [...terms, term]];
}

/** Writes rules in the format that `parseSolrSynonyms` reads. */
export function formatSolrSynonyms(rules: readonly SynonymRule[]): string {
  return rules.map((rule) => `${formatSolrRule(rule)}\n`).join('');
}

/** Writes one rule as a line. */
export function formatSolrRule({ input, terms }: SynonymRule): string {
  const list = terms.map(escapeTerm).join(', ');
  const line = input.length === 0 ? list : `${input.map(escapeTerm).join(', ')} ${ARROW} ${list}`;
  return line.startsWith('#') ? `\\${line}` : line;
}

const escapeTerm = (term: string): string => term.replaceAll(/[\\,]|=>/g, (special) => `\\${special}`);
