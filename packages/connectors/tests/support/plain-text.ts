import type { Connector } from '#connector';
import { readBody } from './read-source.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

export const encodeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const decode = (html: string) => html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);

/** Returns items as plain text instead of HTML, so that the suite can compare their content. */
export function withPlainText(connector: Connector): Connector {
  return {
    ...connector,
    fetch: async (call, ref) => {
      const content = await connector.fetch(call, ref);
      const text = decode(await readBody(content.body));
      return {
        ...content,
        body: (async function* () {
          yield Buffer.from(text);
        })(),
      };
    },
  };
}
