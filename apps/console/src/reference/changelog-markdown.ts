/** An unreleased change. Its text is Markdown. */
interface Change {
  readonly kind: string;
  readonly text: string;
}

const INTRO = 'Lectern follows semantic versioning. Unreleased changes are listed with one sentence each.';

/** Links to files of the repository lead nowhere in a browser. */
const withoutFileLinks = (markdown: string) => markdown.replace(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1');

const firstSentence = (text: string) => (/^[\s\S]*?\.(?=\s|$)/.exec(text)?.[0] ?? text).replaceAll('\n', ' ');

/**
 * The changelog for the API reference, as a part of its introduction: the first sentence of each unreleased
 * change, then the sections of CHANGELOG.md.
 */
export function changelogMarkdown(
  changelog: string,
  changes: readonly Change[],
  sectionsOf: (changes: readonly Change[]) => string,
): string {
  const [, ...released] = changelog.split(/^(?=## )/m);
  const short = changes.map((change) => ({ ...change, text: firstSentence(change.text) }));
  const unreleased = short.length === 0 ? [] : [`## Unreleased\n\n${sectionsOf(short)}`];
  return withoutFileLinks(['# Changelog', INTRO, ...unreleased, ...released].map((part) => part.trim()).join('\n\n'));
}
