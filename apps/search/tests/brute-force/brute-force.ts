import type { TestDocument } from './corpus.ts';

type Json = unknown;
const asList = (value: Json): Json[] => (Array.isArray(value) ? value : [value]).filter((one) => one != null);

/** Returns the values of a field, named as in the contract. */
function valuesOf(document: TestDocument, field: string): Json[] {
  const { metadata } = document;
  switch (field) {
    case 'collection':
      return [document.collection.id];
    case 'updatedAt':
    case 'createdAt':
      return [document.day];
    case 'author':
      return asList(metadata.author);
    case 'source':
    case 'type':
    case 'connector':
      return asList(document[field]);
    case 'metadata.owner.team':
      return asList(metadata.owner?.team);
    case 'metadata.owner.cost.center':
      return asList(metadata.owner?.['cost.center']);
    default:
      return asList(Reflect.get(metadata, field.replace('metadata.', '')));
  }
}

const equals = (values: Json[], value: Json) => (value === null ? values.length === 0 : values.includes(value));

function compare(value: Json, operand: Json, accepts: (difference: number) => boolean): boolean {
  if (typeof operand === 'number') return typeof value === 'number' && accepts(value - operand);
  if (typeof value !== 'string' || !/^\d{4}-/.test(value)) return false;
  return accepts(Date.parse(value) - Date.parse(String(operand)));
}

function matchesOperator(document: TestDocument, field: string, operator: string, operand: Json): boolean {
  const values = valuesOf(document, field);
  // Built-in dates have a time of day.
  const exact = field.endsWith('At') ? values.map((day) => `${day}T08:00:00.000Z`) : values;
  switch (operator) {
    case '$eq':
      return equals(values, operand);
    case '$ne':
      return !equals(values, operand);
    case '$in':
      return asArray(operand).some((one) => equals(values, one));
    case '$nin':
      return !asArray(operand).some((one) => equals(values, one));
    case '$exists':
      return values.length > 0 === operand;
    case '$gt':
      return exact.some((value) => compare(value, operand, (difference) => difference > 0));
    case '$gte':
      return exact.some((value) => compare(value, operand, (difference) => difference >= 0));
    case '$lt':
      return exact.some((value) => compare(value, operand, (difference) => difference < 0));
    case '$lte':
      return exact.some((value) => compare(value, operand, (difference) => difference <= 0));
    default:
      throw new Error(`unknown operator ${operator}`);
  }
}

const asArray = (value: Json): Json[] => (Array.isArray(value) ? value : []);

/** Returns whether a document matches filters in the format of the contract. */
export function fulfills(document: TestDocument, filters: Record<string, Json>): boolean {
  return Object.entries(filters).every(([name, value]) => {
    if (name === '$and') return asArray(value).every((each) => fulfills(document, each as Record<string, Json>));
    if (name === '$or') return asArray(value).some((each) => fulfills(document, each as Record<string, Json>));
    if (name === '$not') return !fulfills(document, value as Record<string, Json>);
    if (Array.isArray(value)) return matchesOperator(document, name, '$in', value);
    if (typeof value !== 'object' || value === null) return matchesOperator(document, name, '$eq', value);
    return Object.entries(value).every(([operator, operand]) => matchesOperator(document, name, operator, operand));
  });
}

/** A query with words, phrases and exclusions. */
export interface TestQuery {
  readonly words: readonly string[];
  readonly phrase: readonly string[];
  readonly excluded: readonly string[];
  readonly excludedPhrase: readonly string[];
}

const containsPhrase = (document: TestDocument, phrase: readonly string[]) =>
  [[document.title], document.passages.flat()].some((words) =>
    ` ${words.join(' ')} `.includes(` ${phrase.join(' ')} `),
  );

const containsWord = (document: TestDocument, word: string) =>
  document.title === word || document.passages.some((words) => words.includes(word));

/** Returns whether a document has the phrase and none of the exclusions of a query. */
export function satisfiesOperators(document: TestDocument, query: TestQuery): boolean {
  if (query.phrase.length > 0 && !containsPhrase(document, query.phrase)) return false;
  if (query.excluded.some((word) => containsWord(document, word))) return false;
  return query.excludedPhrase.length === 0 || !containsPhrase(document, query.excludedPhrase);
}

/** Returns whether a document matches a query by keyword. */
export function matchesByWord(document: TestDocument, query: TestQuery): boolean {
  return termsOf(query).some((word) => containsWord(document, word));
}

/** Returns the words to search for; a query without any lists all documents. */
export function termsOf({ words, phrase }: TestQuery): readonly string[] {
  return [...words, ...phrase];
}

/** Returns the number of documents for each value. */
export function countValues(documents: readonly TestDocument[], field: string): Map<Json, number> {
  const counts = new Map<Json, number>();
  for (const document of documents) {
    for (const value of new Set(valuesOf(document, field))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}
