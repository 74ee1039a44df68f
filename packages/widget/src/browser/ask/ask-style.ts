import { createSheet } from '#browser/create-sheet';

const CSS = `
.turns { max-height: min(70vh, 40em); overflow-y: auto; padding: .5em .8em; margin-bottom: 6px; border: 1px solid GrayText; border-radius: var(--lectern-radius, 8px); overflow-wrap: anywhere; }
.question { margin: .5em 0; font-weight: 600; }
.turn + .turn { border-top: 1px solid GrayText; }
.text > :first-child { margin-top: 0; }
pre { overflow-x: auto; padding: .6em; border: 1px solid GrayText; border-radius: 6px; }
code { font: .9em ui-monospace, monospace; }
pre code { overflow-wrap: normal; }
blockquote { margin-inline: 0; padding-inline-start: .8em; border-inline-start: 3px solid GrayText; }
.text ul, .text ol { margin: .8em 0; padding: 0 0 0 1.6em; }
a { color: var(--lectern-accent, LinkText); }
.citation { min-width: 24px; min-height: 24px; margin: 0 2px; padding: 0 .35em; font-size: .75em; line-height: 1.5; vertical-align: baseline; }
.sources { margin: .8em 0; padding-inline-start: 1.6em; font-size: .9em; }
.sources li { margin: .4em 0; }
.note { margin: .5em 0; padding-inline-start: .8em; border-inline-start: 3px solid var(--lectern-accent, Highlight); font-size: .9em; }
form { display: flex; gap: 6px; }
form button { flex: none; }
button[aria-disabled=true] { opacity: .6; cursor: default; }
`;

/** Creates the rules for questions and answers. */
export const createAskStyle = (): CSSStyleSheet => createSheet(CSS);
