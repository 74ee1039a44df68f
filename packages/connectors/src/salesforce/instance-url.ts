/** The origin of an instance's address; undefined where it is no plain http(s) address. */
export function instanceOrigin(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return url.origin;
}
