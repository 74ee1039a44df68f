/** A heading; captures the number signs and the text. */
export const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
/** The first or last line of fenced code. */
export const FENCE = /^ {0,3}(`{3,}|~{3,})/;
