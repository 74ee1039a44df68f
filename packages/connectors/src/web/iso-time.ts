/** Returns a date of a header or a sitemap in ISO 8601; undefined if it is missing or invalid. */
export function isoTime(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text === '' || text.length > 60) return undefined;
  const time = Date.parse(text);
  // Years beyond 9999 have another format.
  return Number.isNaN(time) || time < 0 || time > 253_402_300_799_999 ? undefined : new Date(time).toISOString();
}
