/** Converts null to an empty string, with which the services clear a field. */
export const orEmpty = (text: string | null | undefined): string | undefined => (text === null ? '' : text);
