/** Copies a text. Rejects if the browser blocks that: without https, except on localhost, or as its user chose. */
export const copyText = async (text: string): Promise<void> => navigator.clipboard.writeText(text);
