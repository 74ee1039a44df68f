import { createSheet } from '#browser/create-sheet';

/** The style of the widget. Pages can set the custom properties. Their other styles do not apply. */
const CSS = `
:host { display: block; font: 16px/1.5 system-ui, sans-serif; text-align: start; }
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
.widget { color-scheme: light dark; color: var(--lectern-text, CanvasText); background: var(--lectern-background, Canvas); border-radius: var(--lectern-radius, 8px); }
.widget[data-scheme=light] { color-scheme: light; }
.widget[data-scheme=dark] { color-scheme: dark; }
.widget[data-scheme=page] { color-scheme: inherit; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[role=search] { position: relative; }
.modes { display: flex; gap: 4px; padding-bottom: 4px; }
input { width: 100%; min-width: 0; font: inherit; color: inherit; padding: .55em .8em; background: var(--lectern-background, Canvas); border: 1px solid GrayText; border-radius: var(--lectern-radius, 8px); }
button { font: inherit; color: inherit; padding: .4em .9em; background: var(--lectern-background, Canvas); border: 1px solid GrayText; border-radius: var(--lectern-radius, 8px); cursor: pointer; }
button[aria-pressed=true] { border-color: currentColor; font-weight: 600; text-decoration: underline; }
:focus-visible { outline: 2px solid var(--lectern-accent, Highlight); outline-offset: 1px; }
.popup { position: absolute; z-index: 2147483000; inset-inline: 0; top: 100%; margin-top: 4px; max-height: min(70vh, 32em); overflow-y: auto; background: var(--lectern-background, Canvas); border: 1px solid GrayText; border-radius: var(--lectern-radius, 8px); box-shadow: 0 8px 24px rgb(0 0 0 / .2); }
[hidden] { display: none !important; }
[role=listbox] { list-style: none; margin: 0; padding: 4px; }
[role=option] { padding: .5em .7em; border-radius: 6px; cursor: pointer; overflow-wrap: anywhere; }
[role=option][aria-selected=true] { outline: 2px solid var(--lectern-accent, Highlight); outline-offset: -2px; }
.title { font-weight: 600; }
.source { font-size: .8em; opacity: .8; }
.excerpt { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; font-size: .9em; }
.open .excerpt { display: block; }
mark { background: var(--lectern-mark, Mark); color: MarkText; border-radius: 2px; }
.status { margin: 0; font-size: .85em; }
.status:not(:empty) { padding: .5em .8em; }
`;

/** Creates the rules that all boxes of a page share. */
export const createWidgetStyle = (): CSSStyleSheet => createSheet(CSS);
