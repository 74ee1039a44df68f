import type { IssueModel, JiraModel } from '#emulators/jira/jira-model';
import { type JqlClause, JqlError, parseJql } from '#emulators/jira/jql';

const NUMBERS = new Set(['id']);
const FIELDS = new Set([
  'project',
  'key',
  'issuekey',
  'id',
  'status',
  'labels',
  'summary',
  'text',
  'created',
  'updated',
]);
const TIMES = new Set(['created', 'updated']);

const projectOf = (issue: IssueModel): string => issue.key.slice(0, issue.key.lastIndexOf('-'));

function valuesOf(issue: IssueModel, field: string): readonly string[] {
  switch (field) {
    case 'project':
      return [projectOf(issue)];
    case 'key':
    case 'issuekey':
      return [issue.key];
    case 'id':
      return [issue.id];
    case 'status':
      return [issue.status];
    case 'labels':
      return issue.labels;
    case 'summary':
    case 'text':
      return [issue.summary];
    case 'created':
      return [issue.created];
    case 'updated':
      return [issue.updated];
    default:
      return [];
  }
}

function checkField(field: string): void {
  if (!FIELDS.has(field)) {
    throw new JqlError(`Field '${field}' does not exist or you do not have permission to view it.`);
  }
}

/** Throws if a clause names a field that does not exist. */
function checkFields(clause: JqlClause): void {
  if (clause.kind === 'not') checkFields(clause.clause);
  else if (clause.kind === 'terms') checkField(clause.field);
  else for (const each of clause.clauses) checkFields(each);
}

function compare(field: string, a: string, b: string): number {
  if (NUMBERS.has(field)) return Number(a) - Number(b);
  if (field !== 'key') return a < b ? -1 : a > b ? 1 : 0;
  const [projectA, projectB] = [a, b].map((key) => key.slice(0, key.lastIndexOf('-')));
  if (projectA !== projectB) return (projectA ?? '') < (projectB ?? '') ? -1 : 1;
  return Number(a.slice(a.lastIndexOf('-') + 1)) - Number(b.slice(b.lastIndexOf('-') + 1));
}

/** Times of JQL are in minutes. */
const toTime = (text: string): string => {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(text)) {
    throw new JqlError(`Date value '${text}' is invalid. Valid formats include: 'yyyy-MM-dd HH:mm'.`);
  }
  return `${text.replace(' ', 'T')}:00.000Z`;
};

function isMatch(issue: IssueModel, clause: JqlClause): boolean {
  if (clause.kind === 'and') return clause.clauses.every((each) => isMatch(issue, each));
  if (clause.kind === 'or') return clause.clauses.some((each) => isMatch(issue, each));
  if (clause.kind === 'not') return !isMatch(issue, clause.clause);
  const { field, operator } = clause;
  const actual = valuesOf(issue, field);
  const wanted = TIMES.has(field) ? clause.values.map(toTime) : clause.values;
  const has = (value: string) => actual.some((each) => each.toLowerCase() === value.toLowerCase());
  switch (operator) {
    case '=':
    case 'in':
      return wanted.some(has);
    case '!=':
    case 'not in':
      return !wanted.some(has);
    case '~':
      return actual.some((each) => each.toLowerCase().includes((wanted[0] ?? '').toLowerCase()));
    case '>=':
      return actual.some((each) => compare(field, each, wanted[0] ?? '') >= 0);
    case '<':
      return actual.some((each) => compare(field, each, wanted[0] ?? '') < 0);
    default:
      throw new JqlError(`The operator '${operator}' is not supported by the '${field}' field.`);
  }
}

/** Throws if a clause names a project or an issue that does not exist. */
function checkNames(model: JiraModel, clause: JqlClause): void {
  if (clause.kind === 'not') checkNames(model, clause.clause);
  else if (clause.kind !== 'terms') for (const each of clause.clauses) checkNames(model, each);
  else if (clause.field === 'project') {
    for (const value of clause.values) {
      if (!model.projects.has(value))
        throw new JqlError(`The value '${value}' does not exist for the field 'project'.`);
    }
  } else if (clause.field === 'key' || clause.field === 'issuekey') {
    for (const value of clause.values) {
      if (model.find(value) === undefined)
        throw new JqlError(`An issue with key '${value}' does not exist for field 'key'.`);
    }
  }
}

export interface SearchOptions {
  /** True if a query without a restriction is rejected. */
  readonly isBounded: boolean;
  /** True if unknown projects and issues are rejected. */
  readonly isValidated: boolean;
}

/** Returns the issues that match a query, in its order. Throws `JqlError`. */
export function searchIssues(model: JiraModel, jql: string, options: SearchOptions): readonly IssueModel[] {
  const { where, orderBy } = parseJql(jql);
  if (where === undefined && options.isBounded) {
    throw new JqlError('Unbounded JQL queries are not allowed here. Please add a search restriction to your query.');
  }
  if (where !== undefined) checkFields(where);
  for (const { field } of orderBy) checkField(field);
  if (where !== undefined && options.isValidated) checkNames(model, where);
  const visible = [...model.issues.values()].filter((issue) => model.projects.has(projectOf(issue)));
  const found = where === undefined ? visible : visible.filter((issue) => isMatch(issue, where));
  return found.sort((a, b) => {
    for (const { field, ascending } of orderBy) {
      const order = compare(field, valuesOf(a, field)[0] ?? '', valuesOf(b, field)[0] ?? '');
      if (order !== 0) return ascending ? order : -order;
    }
    return 0;
  });
}
