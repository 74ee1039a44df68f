import { analyzeOperators, literally, type ParsedQuery, readOperators } from '#query/parse-query';

/** Parses and analyzes a query for texts in unknown languages. */
export function parseQuery(query: string): ParsedQuery {
  return analyzeOperators(readOperators(query));
}

/** Analyzes a query without operators for texts in unknown languages. */
export function literalQuery(query: string): ParsedQuery {
  return analyzeOperators(literally(query));
}
