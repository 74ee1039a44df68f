import { type Html, html } from '#reference/html';
import { prose } from '#reference/prose';
import { entriesOf, itemsOf, read, refName } from '#reference/read';
import { field, fields, typeOf } from '#reference/schema-html';

const formatJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Resolves a reference to a component. */
function resolve(document: unknown, kind: string, value: unknown): unknown {
  const name = refName(value);
  return name === undefined ? value : read(read(read(document, 'components'), kind), name);
}

function content(document: unknown, holder: unknown): Html {
  const [mediaType, media] = entriesOf(read(holder, 'content'))[0] ?? [];
  if (mediaType === undefined) return html``;
  const schema = read(media, 'schema');
  const example = read(media, 'example');
  return html`<p><code>${mediaType}</code> ${typeOf(schema)}</p>${fields(resolve(document, 'schemas', schema))}
${example !== undefined && html`<details><summary>Example</summary><pre><code>${formatJson(example)}</code></pre></details>`}`;
}

function parameters(document: unknown, operation: unknown): Html {
  const all = itemsOf(read(operation, 'parameters')).map((item) => resolve(document, 'parameters', item));
  if (all.length === 0) return html``;
  const rows = all.map((parameter) => {
    const name = `${read(parameter, 'name')}`;
    const where = html`In the ${read(parameter, 'in')}. ${prose(read(parameter, 'description'))}`;
    return field(name, read(parameter, 'schema'), read(parameter, 'required') === true, where);
  });
  return html`<details><summary>Parameters and headers</summary><dl>${rows}</dl></details>`;
}

function response(document: unknown, status: string, value: unknown): Html {
  const resolved = resolve(document, 'responses', value);
  if (Number(status) >= 400) {
    const paragraphs = `${read(resolved, 'description')}`.split('\n\n');
    return html`<dt><code>${status}</code></dt><dd>${paragraphs.map((text) => html`<p>${prose(text)}</p>`)}</dd>`;
  }
  const headers = entriesOf(read(resolved, 'headers')).map(([name]) => name);
  return html`<dt><code>${status}</code> ${read(resolved, 'description')}</dt>
<dd>${content(document, resolved)}<p><small>Headers: ${headers.join(', ')}</small></p></dd>`;
}

const keysOf = (operation: unknown): string => {
  const schemes = itemsOf(read(operation, 'security'));
  if (schemes.length === 0) return 'No key needed';
  return schemes.some((scheme) => read(scheme, 'publishableKey') !== undefined) ? 'Either kind of key' : 'Secret key';
};

/** Renders one operation. */
export function operationHtml(document: unknown, method: string, path: string, operation: unknown): Html {
  const body = read(operation, 'requestBody');
  const id = read(operation, 'operationId');
  const isError = (status: string) => Number(status) >= 400;
  const all = entriesOf(read(operation, 'responses'));
  const responses = (some: typeof all) => some.map(([status, value]) => response(document, status, value));
  return html`<article id="${id}">
<h3><a href="#${id}">${read(operation, 'summary')}</a></h3>
<p class="route"><b>${method.toUpperCase()}</b> <code>${path}</code> <small>${keysOf(operation)}</small></p>
${parameters(document, operation)}
${body !== undefined && html`<details><summary>Body</summary>${content(document, body)}</details>`}
<details><summary>Response</summary><dl>${responses(all.filter(([status]) => !isError(status)))}</dl></details>
<details><summary>Errors</summary><dl>${responses(all.filter(([status]) => isError(status)))}</dl></details>
</article>
`;
}
