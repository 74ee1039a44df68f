const KEY = /^[A-Za-z0-9_-]{8,128}$/;

/** Throws `TypeError` for an invalid key: a key becomes part of a path. */
export function checkBlobKey(key: string): void {
  if (!KEY.test(key)) throw new TypeError('A blob key must have 8 to 128 letters, digits, _ or -.');
}
