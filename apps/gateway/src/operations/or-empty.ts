/** Null as an empty string: the services treat both as “clear this field”. */
export const orEmpty = (text: string | null | undefined): string | undefined => (text === null ? '' : text);
