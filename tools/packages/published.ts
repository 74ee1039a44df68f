/** The folders of the published packages in `packages`. */
export const PUBLISHED = ['sdk', 'cli', 'widget', 'mcp', 'qdrant-local', 'lectern'] as const;

export type PublishedPackage = (typeof PUBLISHED)[number];

/** The tarball of a package at a version, as named by npm. */
export const tarballName = (name: PublishedPackage, version: string): string =>
  `${name === 'lectern' ? name : `lectern-${name}`}-${version}.tgz`;
