// Letters, digits and underscores, then the number.
const FORM = /^([A-Z][A-Z0-9_]*)-(\d+)$/;

export const isIssueKey = (text: string): boolean => FORM.test(text);

/** Returns the key of an issue's project; undefined if the key of the issue is malformed. */
export const projectKeyOf = (issueKey: string): string | undefined => FORM.exec(issueKey)?.[1];

/** Returns the key in an address like `https://example.atlassian.net/browse/DOCS-1`, or the key itself. */
export const keyIn = (name: string): string =>
  name
    .trim()
    .replace(/^https?:\/\/.*\/browse\//i, '')
    .toUpperCase();
