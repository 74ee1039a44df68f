/** The style of the API reference: system fonts, light and dark colors, screens from 320 px. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d4d4d8, #3f3f46); --soft: light-dark(#f4f4f5, #27272a); --link: light-dark(#1d4ed8, #93c5fd); }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#fff, #18181b); color: light-dark(#18181b, #f4f4f5); }
a { color: var(--link); }
code, pre { font: .875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .75rem; background: var(--soft); border-radius: .375rem; }
nav { padding: 1rem; border-bottom: 1px solid var(--line); }
nav ul { margin: 0 0 .75rem; padding: 0; list-style: none; font-size: .875rem; }
nav li { padding: .125rem 0; }
nav h2 { margin: .5rem 0 .25rem; font-size: .875rem; }
main { padding: 1rem; max-width: 60rem; min-width: 0; }
article { padding: 1rem 0; border-top: 1px solid var(--line); }
h3 { margin: 0; font-size: 1.125rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
.route { margin: .25rem 0 .5rem; }
summary { cursor: pointer; padding: .25rem 0; font-weight: 600; }
dl { margin: .25rem 0 .5rem; padding-left: .75rem; border-left: 2px solid var(--line); }
dd { margin: 0 0 .5rem; }
dd p { margin: .125rem 0; }
small { color: light-dark(#52525b, #a1a1aa); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 18rem 1fr; }
  nav { border: 0; border-right: 1px solid var(--line); position: sticky; top: 0; height: 100vh; overflow-y: auto; }
  main { padding: 1rem 2rem; }
}
`;
