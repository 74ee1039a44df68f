/** Returns true for a GUID, the form of most ids of the directory. */
export const isGuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);

/** Returns the form of an id that is the same in all responses. The case of a GUID does not matter. */
export const directoryId = (id: string): string => (isGuid(id) ? id.toLowerCase() : id);
