import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { failedEntry } from '#http/entries';
import type { JiraApi, Slice } from '#jira/jira-api';
import { projectJql } from '#jira/jql';
import { JiraRejection } from '#jira/read-error';
import { issueRef } from '#jira/read-issue';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

/** Jira's limit of issues in a project is below this number of pages. */
const MAX_PAGES = 100_000;

export interface ListingContext {
  readonly api: JiraApi;
  /** All visible projects if empty. */
  readonly projects: readonly string[];
  /** A JQL condition. */
  readonly filter: string | undefined;
}

/** The position of a listing. Projects are listed in the order of their keys. */
const Checkpoint = z.object({
  project: z.string(),
  /** The current page of the list; undefined for the first. */
  next: z.string().optional(),
  /** A whole project could not be listed. */
  partial: z.boolean(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

/** Adds the name of the filter's field to the error of a query that contains it. */
export function withFilterName(error: unknown, filter: string | undefined): unknown {
  if (!(error instanceof JiraRejection) || filter === undefined) return error;
  return new SourceError('invalid', `config.jql: Jira rejects it: ${error.reason}`, { cause: error });
}

/** True if the project exists and is visible. */
const exists = async (api: JiraApi, call: ConnectorCall, key: string): Promise<boolean> =>
  (await api.projects(call, [key])).items.length > 0;

/**
 * Reads a page of a search. If its position has expired, the search starts again, which repeats
 * items but loses none.
 */
export async function pageOfSearch(api: JiraApi, call: ConnectorCall, jql: string, next?: string): Promise<Slice> {
  try {
    return await api.search(call, jql, next);
  } catch (error) {
    if (next === undefined || !(error instanceof JiraRejection)) throw error;
    return api.search(call, jql);
  }
}

async function* listProject(
  listing: ListingContext,
  call: ConnectorCall,
  from: Checkpoint,
): AsyncGenerator<SourceEvent, void, void> {
  const jql = projectJql(from.project, listing.filter);
  const site = await listing.api.siteUrl(call);
  let at = from;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, unreadable, next } = await pageOfSearch(listing.api, call, jql, at.next);
    for (const entry of unreadable) {
      yield failedEntry(entry, { id: entry.id, what: `the issues of ${at.project}` });
    }
    for (const issue of items) yield { type: 'item', ref: issueRef(site, issue) };
    if (next === undefined) return;
    if (next === at.next) {
      throw new SourceError('transient', `Jira returns the same page of ${at.project} repeatedly. Try again later.`);
    }
    at = { ...at, next };
    yield { type: 'checkpoint', at: JSON.stringify(at) };
  }
  throw new SourceError('invalid', `Jira returned more than ${MAX_PAGES} pages of ${from.project}.`);
}

/** Lists every issue of the selected projects. */
export async function* listIssues(
  listing: ListingContext,
  call: ConnectorCall,
  from?: string,
): AsyncGenerator<SourceEvent, void, void> {
  const { api, filter } = listing;
  const start = from === undefined ? undefined : Checkpoint.parse(JSON.parse(from));
  // Jira shows an anonymous visitor empty lists instead of an error.
  await api.checkLogin(call);
  const found = await api.projects(call, listing.projects);
  for (const entry of found.unreadable) yield failedEntry(entry, { id: entry.id, what: 'the projects', hides: true });
  const keys = [...new Set(found.items.map(({ key }) => key))].sort();
  let partial = start?.partial ?? false;
  let isFirst = true;
  for (const project of keys) {
    if (start !== undefined && project < start.project) continue;
    const resumed = start?.project === project ? start : undefined;
    const beginning: Checkpoint = { project, partial };
    if (!isFirst && resumed === undefined) yield { type: 'checkpoint', at: JSON.stringify(beginning) };
    isFirst = false;
    try {
      yield* listProject(listing, call, resumed ?? beginning);
    } catch (error) {
      // Jira rejects queries that name a project which was deleted or hidden since it was listed.
      if (!(error instanceof JiraRejection) || (await exists(api, call, project))) throw withFilterName(error, filter);
      yield { type: 'failed', id: project, path: project, error: lostProject(project) };
      partial = true;
    }
  }
  const missing = listing.projects.filter((key) => !keys.includes(key));
  for (const key of missing) yield missingProject(key);
  // Offsets shift if issues are deleted during the listing, and the index of Cloud lags behind.
  yield { type: 'complete', authoritative: missing.length === 0 && !partial, confirmGone: true };
}

/** If a project of `projects` was renamed or hidden, its indexed issues are not deleted. */
export const missingProject = (key: string): SourceEvent => ({
  type: 'failed',
  id: key,
  path: key,
  error: {
    code: 'gone',
    message: `The project ${key} does not exist or is not visible to this account. Check projects, or give the account access.`,
  },
});

const lostProject = (key: string) => ({
  code: 'gone',
  message: `The project ${key} was deleted, renamed or hidden from this account while it was listed. Give the account access, or remove the project from projects. This sync deletes no documents.`,
});
