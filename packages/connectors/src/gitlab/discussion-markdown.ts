import type { IssuablePart, Notes } from '#gitlab/gitlab-api';
import type { Issuable, Note } from '#gitlab/gitlab-schemas';
import { titleOf } from '#gitlab/item-refs';

const SPECIAL = /[\\`*_[\]<>#|~&!]/g;

/** Returns text on one line that Markdown shows unchanged. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(SPECIAL, '\\$&');

/**
 * Returns Markdown that a person wrote as a quotation, so that no open block, comment or heading in
 * it can hide or rearrange what follows.
 */
const quoted = (markdown: string): string =>
  markdown
    .trim()
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`)
    .join('\n');

/** True if every reader of the issue or merge request can read the comment. Activity is left out. */
export const isShown = ({ system, internal, confidential, author }: Note): boolean =>
  [system, internal, confidential].every((flag) => (flag ?? false) === false) && author?.state !== 'banned';

const fieldsOf = (issuable: Issuable): readonly (readonly [label: string, value: string | undefined])[] => [
  ['Type', issuable.issue_type?.replaceAll('_', ' ')],
  ['State', issuable.state ?? undefined],
  ['Labels', (issuable.labels ?? []).join(', ')],
  ['Milestone', issuable.milestone?.title ?? undefined],
  ['Branches', issuable.source_branch ? `${issuable.source_branch} → ${issuable.target_branch ?? ''}` : undefined],
  ['Author', issuable.author?.name ?? undefined],
  ['Assignees', namesOf(issuable).join(', ')],
];

export const namesOf = ({ assignees }: Issuable): readonly string[] =>
  (assignees ?? []).flatMap(({ name }) => (name ? [name] : []));

/** `2026-01-31 09:30 UTC` */
const minute = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** Returns an issue or merge request as Markdown: its fields, the description, and comments in order. */
export function discussionMarkdown(part: IssuablePart, issuable: Issuable, { notes, isCut }: Notes): string {
  const fields = fieldsOf(issuable).flatMap(([label, value]) => (value ? [`- ${label}: ${plain(value)}`] : []));
  const parts = [`# ${plain(titleOf(part, issuable))}`];
  if (fields.length > 0) parts.push(fields.join('\n'));
  if (issuable.description?.trim()) parts.push('## Description', quoted(issuable.description));
  const comments = notes.filter(isShown).filter(({ body }) => body?.trim());
  if (comments.length > 0) parts.push('## Comments');
  for (const { author, created_at, body } of comments) {
    parts.push(`### ${plain(author?.name || 'Unknown author')}, ${minute(created_at)}`, quoted(body ?? ''));
  }
  if (isCut) parts.push('Later comments are not included.');
  return `${parts.join('\n\n')}\n`;
}
