import { createApiReference } from '@scalar/api-reference';
import { savedTheme } from '#layout/theme.ts';
import { addToIntroduction } from '#reference/add-to-introduction.ts';
import { completeElements } from '#reference/complete-elements.ts';
import { readDocument } from '#reference/read-document.ts';
import { withSession } from '#reference/with-session.ts';
import '@scalar/api-reference/style.css';
import '@fontsource-variable/inter/wght.css';
import '#reference/reference.css';

const theme = savedTheme();
const root = document.getElementById('reference');
if (root === null) throw new TypeError('reference.html has no element with the id reference.');
// The dialogs of the library are outside of its element.
completeElements(document.body);

try {
  show(addToIntroduction(await readDocument(), CHANGELOG));
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  // The library would create it.
  root.setAttribute('role', 'main');
  root.textContent = `The API reference could not be loaded. ${why} Reload the page to try again.`;
}

function show(content: object): void {
  createApiReference('#reference', {
    content,
    baseServerURL: location.origin,
    customFetch: withSession,
    ...(theme === 'system' ? {} : { forceDarkModeState: theme }),
    theme: 'none',
    // The document has samples for curl and the SDKs.
    hiddenClients: true,
    documentDownloadType: 'json',
    modelsSectionLabel: 'Schemas',
    localization: {
      translations: {
        // The name of the button begins with its text.
        navigation: { showAllEndpoints: 'Show all operations: {name}' },
        actions: { showMore: 'Show all operations' },
        operation: { testRequest: 'Try it' },
      },
    },
    // Nothing is loaded from, or sent to, another origin.
    proxyUrl: '',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    // A secret key must not stay in the browser.
    persistAuth: false,
  });
}
