/** The changelog as Markdown. The build makes it from CHANGELOG.md and the changesets. */
declare const CHANGELOG: string;
