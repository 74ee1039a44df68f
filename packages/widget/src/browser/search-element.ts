import type { CreateAskBox } from '#browser/ask/ask-box';
import type { Box, Host } from '#browser/host';
import { createModes } from '#browser/modes';
import { followScheme } from '#browser/scheme';
import { createSearchBox } from '#browser/search-box';
import { ATTRIBUTES, readSettings } from '#browser/settings';
import { createWidgetStyle } from '#browser/style';
import { languageOf } from '#browser/texts/language';

/** The name of the element. */
export const ELEMENT = 'lectern-search';

/**
 * Defines `<lectern-search>`, unless it is already defined. `baseUrl` is the URL of the Lectern server.
 * `loadAsk` loads the part that answers questions, which is larger than all the rest.
 */
export function defineElement(baseUrl: string, loadAsk: () => Promise<CreateAskBox>): void {
  if (customElements.get(ELEMENT) !== undefined) return;
  const style = createWidgetStyle();
  customElements.define(
    ELEMENT,
    class extends HTMLElement {
      static readonly observedAttributes = ATTRIBUTES;
      #box: Box | undefined;
      #unfollow: (() => void) | undefined;

      connectedCallback(): void {
        this.disconnectedCallback();
        const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
        shadow.adoptedStyleSheets = [style];
        const language = languageOf(this);
        const host: Host = {
          language,
          settings: () => readSettings(this, baseUrl, language),
          addStyle: (sheet) => shadow.adoptedStyleSheets.push(sheet),
          expired: () => {
            this.dispatchEvent(new CustomEvent('lectern-token-expired', { bubbles: true, composed: true }));
          },
        };
        this.#box = createModes(host, {
          search: async () =>
            createSearchBox(host, ({ documentId, title, url }) => {
              const detail = { documentId, title, url };
              return this.dispatchEvent(
                new CustomEvent('lectern-select', { detail, bubbles: true, composed: true, cancelable: true }),
              );
            }),
          ask: async () => (await loadAsk())(host),
        });
        const { root } = this.#box;
        root.className = 'widget';
        root.lang = language;
        shadow.replaceChildren(root);
        this.#unfollow = followScheme(this, root);
      }

      disconnectedCallback(): void {
        this.#box?.stop();
        this.#unfollow?.();
      }

      attributeChangedCallback(name: string, before: string | null, after: string | null): void {
        if (!this.isConnected || this.#box === undefined || before === after) return;
        // The conversation continues with a new key. The scheme follows `theme` by itself.
        if (name === 'key') this.#box.keyChanged();
        else if (name !== 'theme') this.connectedCallback();
      }

      override focus(): void {
        this.#box?.focus();
      }
    },
  );
}
