import type { CommentModel, HolderModel, IssueModel, JiraModel } from '#emulators/jira/jira-model';
import { JqlError } from '#emulators/jira/jql';
import type { PageTokens } from '#emulators/platform/page-tokens';
import {
  jsonResponse,
  PlatformError,
  type PlatformRequest,
  type PlatformResponse,
} from '#emulators/platform/platform-server';

/** The state of the emulator. */
export interface JiraState {
  readonly model: JiraModel;
  readonly cloud: boolean;
  readonly tokens: PageTokens<ReadonlySet<string>>;
  /** The maximum page size. */
  readonly pageSize: number;
  /** Fields that projects hide, so that responses do not contain them. */
  readonly hiddenFields: ReadonlySet<string>;
}

export const jiraError = (status: number, ...errorMessages: readonly string[]): PlatformResponse =>
  jsonResponse(status, { errorMessages, errors: {} });

export const notFound = (what = 'Issue does not exist or you do not have permission to see it.'): PlatformError =>
  new PlatformError(jiraError(404, what));

export const badRequest = (message: string): PlatformError => new PlatformError(jiraError(400, message));

/** Returns the entry. Throws a 404 if it does not exist. */
export function must<T>(value: T | undefined, error: PlatformError = notFound()): T {
  if (value === undefined) throw error;
  return value;
}

/** Answers 400 with Jira's explanation if the JQL is invalid. */
export function withJqlErrors<T>(search: () => T): T {
  try {
    return search();
  } catch (error) {
    if (error instanceof JqlError) throw badRequest(error.message);
    throw error;
  }
}

function numberOf(request: PlatformRequest, name: string, fallback: number): number {
  const number = Number(request.query.get(name) ?? fallback);
  if (!Number.isInteger(number) || number < 0) throw badRequest(`${name} must be a whole number`);
  return number;
}

/** Returns a page of a list with offsets. */
export function byOffset<T>(state: JiraState, request: PlatformRequest, entries: readonly T[]) {
  const startAt = numberOf(request, 'startAt', 0);
  const maxResults = Math.min(numberOf(request, 'maxResults', 50), state.pageSize);
  const values = entries.slice(startAt, startAt + maxResults);
  const total = entries.length;
  return { startAt, maxResults, total, isLast: startAt + values.length >= total, values };
}

/** A time of Jira: with an offset and without a colon in it. */
const jiraTime = (iso: string): string => iso.replace(/Z$/, '+0000');

export function user({ model, cloud }: JiraState, id: string | undefined) {
  const account = id === undefined ? undefined : model.accounts.get(id);
  if (account === undefined) return null;
  const { name: displayName, email, username } = account;
  const shown = email === undefined ? {} : { emailAddress: email };
  return cloud
    ? { accountId: account.id, accountType: 'atlassian', displayName, active: true, ...shown }
    : { key: account.id, name: username, displayName, active: true, ...shown };
}

export function holder(state: JiraState, { type, id }: HolderModel) {
  const { model, cloud } = state;
  if (type === 'group') {
    const group = model.groups.get(id ?? '');
    return cloud ? { type, parameter: group?.name, value: group?.id } : { type, parameter: group?.name };
  }
  if (type === 'user') {
    return { type, parameter: id, ...(cloud ? { value: id } : {}), user: user(state, id) };
  }
  return { type, ...(id === undefined ? {} : { parameter: id, ...(cloud ? { value: id } : {}) }) };
}

const named = (name: string) => ({ id: '1', name });

/** An issue with the requested fields. */
export function issue(state: JiraState, of: IssueModel, fields: readonly string[]) {
  const all: Readonly<Record<string, unknown>> = {
    summary: of.summary,
    description: of.description ?? null,
    issuetype: named(of.type),
    status: named(of.status),
    priority: named(of.priority),
    labels: of.labels,
    components: of.components.map(named),
    assignee: user(state, of.assigneeId),
    reporter: user(state, of.reporterId),
    created: jiraTime(of.created),
    updated: jiraTime(of.updated),
    security: of.securityLevel === undefined ? null : { id: of.securityLevel, name: `Level ${of.securityLevel}` },
  };
  const unknown = fields.find((name) => !(name in all));
  if (unknown !== undefined) throw badRequest(`The field ${unknown} is not served here.`);
  const shown = Object.entries(all).filter(([name]) => fields.includes(name) && !state.hiddenFields.has(name));
  return { id: of.id, key: of.key, fields: Object.fromEntries(shown) };
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function comment(state: JiraState, of: CommentModel, rendered: boolean) {
  return {
    id: of.id,
    author: user(state, of.authorId),
    body: of.body,
    created: jiraTime(of.when),
    updated: jiraTime(of.when),
    jsdPublic: of.isPublic,
    ...(rendered ? { renderedBody: `<p>${escapeHtml(of.body)}</p>` } : {}),
    ...(of.visibility === undefined ? {} : { visibility: { ...of.visibility, identifier: of.visibility.value } }),
  };
}
