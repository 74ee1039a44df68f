import type { ConnectorCall } from '#connector';
import { issueHtml } from '#jira/issue-html';
import { isIssueKey } from '#jira/issue-key';
import type { Issue, JiraApi, ListedIssue } from '#jira/jira-api';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';

/** The title of an issue: its key and summary. */
const titleOf = ({ key, summary }: ListedIssue): string => (summary === '' ? key : `${key}: ${summary}`);

/** Converts an issue to an item. `site` is its address for browsers. */
export const issueRef = (site: string, issue: ListedIssue): SourceRef => ({
  id: issue.key,
  path: titleOf(issue),
  version: issue.updatedAt,
  title: titleOf(issue),
  url: `${site}/browse/${issue.key}`,
  author: issue.author,
  mimeType: 'text/html',
  updatedAt: issue.updatedAt,
});

/**
 * Finds an issue by its key; null if Jira confirms that it does not exist. An issue that moved to
 * another project is another item there.
 */
export async function findIssue(api: JiraApi, call: ConnectorCall, key: string): Promise<Issue | null> {
  const found = isIssueKey(key) ? await api.issue(call, key) : null;
  if (found !== null && found.key === key) return found;
  // Jira answers 404 to an anonymous visitor too.
  await api.checkLogin(call);
  return null;
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}

const metadataOf = ({ key, type, status, priority, labels, components, assignee, reporter }: Issue) => {
  const project = key.slice(0, key.lastIndexOf('-'));
  const fields = { project, type, status, priority, labels, components, assignee, reporter };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value.length > 0));
};

/** Returns an issue as HTML with its fields, its description and its comments. */
export async function readIssue(
  api: JiraApi,
  call: ConnectorCall,
  ref: SourceRef,
  maxBytes: number,
): Promise<SourceContent> {
  const gone = () => new SourceError('gone', `${ref.path} no longer exists or is not visible to this account.`);
  const issue = await findIssue(api, call, ref.id);
  if (issue === null) throw gone();
  const html = issueHtml(titleOf(issue), issue, await api.comments(call, issue.key));
  if (Buffer.byteLength(html) > maxBytes) {
    throw new SourceError('too_large', `${ref.path} is larger than the limit of ${maxBytes} bytes.`);
  }
  return { body: bytesOf(html), version: issue.updatedAt, fileName: `${issue.key}.html`, metadata: metadataOf(issue) };
}
