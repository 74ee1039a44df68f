import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { failedEntry } from '#http/entries';
import { changesJql } from '#jira/jql';
import { type ListingContext, missingProject, pageOfSearch, withFilterName } from '#jira/list-issues';
import { issueRef } from '#jira/read-issue';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

/**
 * JQL times are in minutes and in the account's time zone, and the search index lags: the last day
 * is read again.
 */
const OVERLAP_MS = 24 * 60 * 60_000;
const MAX_PAGES = 100_000;

const Cursor = z.object({
  /** All changes before this time were reported. ISO 8601. */
  since: z.iso.datetime(),
  /** For an unfinished run: the next page, and the value of `since` after the run. */
  next: z.string().optional(),
  until: z.string().optional(),
});

/** Returns the cursor for changes since a time. */
export const cursorAt = (time: Date): string => JSON.stringify({ since: time.toISOString() });

/**
 * Yields the changes since a cursor. Only a full listing detects deletions, and issues that no
 * longer match the filter. Items in the overlap are reported again.
 */
export async function* changedIssues(
  listing: ListingContext,
  call: ConnectorCall,
  from: string,
): AsyncGenerator<SourceEvent, void, void> {
  const { api, projects, filter } = listing;
  const cursor = Cursor.parse(JSON.parse(from));
  const until = cursor.until ?? new Date().toISOString();
  await api.checkLogin(call);
  // Jira rejects queries that name a project which it does not show.
  const visible = projects.length === 0 ? [] : (await api.projects(call, projects)).items.map(({ key }) => key);
  for (const key of projects.filter((each) => !visible.includes(each))) yield missingProject(key);
  if (projects.length > 0 && visible.length === 0) {
    yield { type: 'checkpoint', at: from };
    yield { type: 'complete', authoritative: false };
    return;
  }
  const jql = changesJql(new Date(Date.parse(cursor.since) - OVERLAP_MS), visible, filter);
  const site = await api.siteUrl(call);
  let { next } = cursor;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const slice = await pageOfSearch(api, call, jql, next).catch((error: unknown) => {
      throw withFilterName(error, filter);
    });
    for (const entry of slice.unreadable) yield failedEntry(entry, { id: entry.id, what: 'the changed issues' });
    for (const issue of slice.items) yield { type: 'item', ref: issueRef(site, issue) };
    if (slice.next !== undefined && slice.next === next) {
      throw new SourceError('transient', 'Jira returns the same page of changes repeatedly. Try again later.');
    }
    next = slice.next;
    const at = next === undefined ? { since: until } : { since: cursor.since, next, until };
    yield { type: 'checkpoint', at: JSON.stringify(at) };
    if (next === undefined) {
      yield { type: 'complete', authoritative: false };
      return;
    }
  }
  throw new SourceError('invalid', `Jira returned more than ${MAX_PAGES} pages of changed issues.`);
}
