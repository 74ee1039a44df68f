/** Creates a style sheet. Unlike a style element, it works with any Content-Security-Policy. */
export function createSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
