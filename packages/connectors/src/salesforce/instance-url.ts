/** Returns the origin of an instance URL; undefined if it is not a plain http(s) URL. */
export function instanceOrigin(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return url.origin;
}
