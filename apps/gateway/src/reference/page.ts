import { Html, html } from '#reference/html';
import { operationHtml } from '#reference/operation-html';
import { prose } from '#reference/prose';
import { entriesOf, itemsOf, read } from '#reference/read';
import { fields, typeOf } from '#reference/schema-html';
import { STYLE } from '#reference/style';

// Not escaped: the hash in the Content-Security-Policy covers the text as it is.
const STYLE_HTML = new Html(STYLE);

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: unknown;
}

function operationsOf(document: unknown): readonly Listed[] {
  return entriesOf(read(document, 'paths')).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

function schemaHtml([name, schema]: readonly [string, unknown]): Html {
  return html`<article id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3>
<p>${prose(read(schema, 'description'))}</p>${fields(schema)}
${read(schema, 'type') !== 'object' && html`<p>${typeOf(schema)}</p>`}</article>
`;
}

/** Renders the API reference as one page without scripts or external resources. */
export function referencePage(document: unknown): string {
  const info = read(document, 'info');
  const all = operationsOf(document);
  const groups = itemsOf(read(document, 'tags')).map((tag) => {
    const name = `${read(tag, 'name')}`;
    const members = all.filter(({ operation }) => itemsOf(read(operation, 'tags')).includes(name));
    return { name, description: read(tag, 'description'), members };
  });
  const links = groups.map(
    ({ name, members }) => html`<h2>${name}</h2><ul>
${members.map(({ operation }) => html`<li><a href="#${read(operation, 'operationId')}">${read(operation, 'summary')}</a></li>`)}</ul>
`,
  );
  const sections = groups.map(
    ({ name, description, members }) => html`<section><h2>${name}</h2><p>${description}</p>
${members.map(({ method, path, operation }) => operationHtml(document, method, path, operation))}</section>
`,
  );
  const schemas = entriesOf(read(read(document, 'components'), 'schemas')).map(schemaHtml);
  const introduction = `${read(info, 'description')}`.split('\n\n').map((text) => html`<p>${prose(text)}</p>`);
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${read(info, 'title')} API reference</title><style>${STYLE_HTML}</style></head>
<body><nav aria-label="Operations">${links}<h2><a href="#schemas">Schemas</a></h2></nav>
<main><h1>${read(info, 'title')} API</h1>${introduction}<p><a href="openapi.json">openapi.json</a>, OpenAPI ${read(document, 'openapi')}</p>
${sections}<section id="schemas"><h2>Schemas</h2>${schemas}</section></main></body></html>
`.text;
}
