import { cleanHtml, escapeHtml, htmlPage, textToHtml } from '#html/clean-html';
import type { Issue, IssueComments, RichText } from '#jira/jira-api';

/** The author of each comment is a heading of level 3. */
const CLEAN = { topHeading: 4 };

const bodyHtml = (text: RichText): string =>
  'html' in text ? `<div>${cleanHtml(text.html, CLEAN)}</div>` : textToHtml(text.plain);

const fieldsOf = (issue: Issue): readonly (readonly [label: string, value: string | undefined])[] => [
  ['Type', issue.type],
  ['Status', issue.status],
  ['Priority', issue.priority],
  ['Labels', issue.labels.join(', ')],
  ['Components', issue.components.join(', ')],
  ['Assignee', issue.assignee],
  ['Reporter', issue.reporter],
];

/** `2026-01-31 09:30 UTC` */
const minute = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** Returns an issue as an HTML document: its fields, the description, and comments in order. */
export function issueHtml(title: string, issue: Issue, { comments, omitted }: IssueComments): string {
  const fields = fieldsOf(issue).flatMap(([label, value]) =>
    value ? [`<li>${label}: ${escapeHtml(value)}</li>`] : [],
  );
  const parts: string[] = [];
  if (fields.length > 0) parts.push(`<ul>${fields.join('')}</ul>`);
  if (issue.description !== undefined) parts.push('<h2>Description</h2>', bodyHtml(issue.description));
  if (comments.length > 0) parts.push('<h2>Comments</h2>');
  for (const { author, createdAt, text } of comments) {
    parts.push(`<h3>${escapeHtml(author ?? 'Unknown author')}, ${minute(createdAt)}</h3>`, bodyHtml(text));
  }
  if (omitted > 0) parts.push(`<p>${omitted} more comments are not included.</p>`);
  return htmlPage(title, parts);
}
