/**
 * Returns true for a Git LFS pointer file.
 * https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
export const isLfsPointer = (head: Uint8Array): boolean =>
  Buffer.from(head).toString('latin1').startsWith('version https://git-lfs.github.com/spec/');
