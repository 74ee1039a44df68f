import { createSearchBox, type SearchBox } from '#browser/search-box';
import { ATTRIBUTES, readSettings } from '#browser/settings';
import { createStyle } from '#browser/style';

/** The name of the element. */
export const ELEMENT = 'lectern-search';

/** Defines `<lectern-search>`, unless it is already defined. `baseUrl` is the URL of the Lectern server. */
export function defineElement(baseUrl: string): void {
  if (customElements.get(ELEMENT) !== undefined) return;
  const style = createStyle();
  customElements.define(
    ELEMENT,
    class extends HTMLElement {
      static readonly observedAttributes = ATTRIBUTES;
      #box: SearchBox | undefined;

      connectedCallback(): void {
        const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open', delegatesFocus: true });
        shadow.adoptedStyleSheets = [style];
        this.#box?.stop();
        this.#box = createSearchBox(readSettings(this, baseUrl), ({ documentId, title, url }) => {
          const detail = { documentId, title, url };
          return this.dispatchEvent(
            new CustomEvent('lectern-select', { detail, bubbles: true, composed: true, cancelable: true }),
          );
        });
        shadow.replaceChildren(this.#box.root);
      }

      disconnectedCallback(): void {
        this.#box?.stop();
      }

      attributeChangedCallback(): void {
        if (this.isConnected && this.#box !== undefined) this.connectedCallback();
      }
    },
  );
}
