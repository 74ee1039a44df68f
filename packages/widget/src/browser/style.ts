/** The style of the widget. Pages can set the custom properties. Their other styles do not apply. */
const CSS = `
:host { display: block; position: relative; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark; color: var(--lectern-text, CanvasText); text-align: start; }
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
input { width: 100%; font: inherit; color: inherit; padding: .55em .8em; background: var(--lectern-background, Canvas); border: 1px solid GrayText; border-radius: var(--lectern-radius, 8px); }
input:focus-visible { outline: 2px solid var(--lectern-accent, Highlight); outline-offset: 1px; }
.popup { position: absolute; z-index: 2147483000; inset-inline: 0; top: 100%; margin-top: 4px; max-height: min(70vh, 32em); overflow-y: auto; background: var(--lectern-background, Canvas); border: 1px solid GrayText; border-radius: var(--lectern-radius, 8px); box-shadow: 0 8px 24px rgb(0 0 0 / .2); }
[hidden] { display: none !important; }
ul { list-style: none; margin: 0; padding: 4px; }
li { padding: .5em .7em; border-radius: 6px; cursor: pointer; overflow-wrap: anywhere; }
li[aria-selected=true] { outline: 2px solid var(--lectern-accent, Highlight); outline-offset: -2px; }
.title { font-weight: 600; }
.source { font-size: .8em; opacity: .8; }
.excerpt { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; font-size: .9em; }
.open .excerpt { display: block; }
mark { background: var(--lectern-mark, Mark); color: MarkText; border-radius: 2px; }
.status { margin: 0; font-size: .85em; }
.status:not(:empty) { padding: .5em .8em; }
`;

/**
 * Creates the style sheet that all search boxes of a page share. Unlike a style element, it works with any
 * Content-Security-Policy.
 */
export function createStyle(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}
